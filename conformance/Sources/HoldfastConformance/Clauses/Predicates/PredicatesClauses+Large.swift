import HoldfastStorage

extension Clause {
    /// Conditions beyond what a back end takes at once, with everything a query can ask for.
    static let largePredicates: [Clause] = [
        Clause(
            "PRD-027",
            "A condition as deep or as wide as declared keeps sort, limit, offset, cursor and projection.",
            level: .query,
            catches: "What is too large for one statement goes another way, which forgets the sort.",
            witness: "questions with large conditions"
        ) { context in
            var store = try await ComparedStore(context, .indexedThings)
            var random = SplitMix64(seed: context.seed &+ 27)
            let rows = SampleThing.rows(70, using: &random)
            try await store.put("Thing", rows)
            let entity = EntitySchema.indexedThings
            for (number, condition) in largeConditions(store.store.store.capabilities.limits).enumerated() {
                for (index, sort) in [
                    [], [SortKey("number", .descending)], [SortKey("text"), SortKey("ratio", .descending)],
                    [SortKey("ratio"), SortKey("id", .descending)],
                ].enumerated() where number == 0 || index == 1 {
                    let cursor = Cursor(after: rows[30], of: entity, sortedBy: sort)
                    for plan in [
                        QueryPlan("Thing", where: condition, sort: sort),
                        QueryPlan("Thing", where: condition, sort: sort, limit: 7, offset: 3),
                        QueryPlan("Thing", where: condition, sort: sort, limit: 9, after: cursor),
                        QueryPlan("Thing", where: condition, sort: sort, limit: 20, projection: ["number", "id"]),
                    ] {
                        context.witness(try await store.expectAgrees(plan))
                    }
                }
            }
        },
        Clause(
            "PRD-028", "Aggregates under a condition as deep or as wide as declared take in every matching record.",
            level: .query,
            catches: "What is too large for one statement is computed from the first batch of records.",
            witness: "records that were aggregated"
        ) { context in
            let store = try await context.open(.indexedThings)
            let rows: [[Value]] = (0..<2_600).map {
                [.text(Items.id($0)), .text("t\($0 % 7)"), .integer(Int64($0)), .double(Double($0) / 2), .null, .null]
            }
            for batch in 0..<2 { try await store.put("Thing", Array(rows[batch * 1_300..<batch * 1_300 + 1_300])) }
            for condition in largeConditions(store.store.capabilities.limits) {
                let bound = try store.store.schema.bind(QueryPlan("Thing", where: condition)).predicate
                let numbers: [Int64] = rows.enumerated().filter { bound.matches($0.element) }.map { Int64($0.offset) }
                try context.expect(numbers.count > 2_000, "The condition matches too few records: \(numbers.count)")
                let found = try await store.aggregates(
                    "Thing", where: condition,
                    [.count, .sum("number"), .minimum("number"), .maximum("ratio"), .average("number")])
                let sum = numbers.reduce(0, +)
                try context.expectEqual(
                    found,
                    [
                        .integer(Int64(numbers.count)), .integer(sum), .integer(numbers.min() ?? 0),
                        .double(Double(numbers.max() ?? 0) / 2), .double(Double(sum) / Double(numbers.count)),
                    ], "aggregates under a large condition")
                context.witness(numbers.count)
            }
        },
        Clause(
            "PRD-029",
            "IN takes long lists of values of every type, compares them as everywhere else, and so does its negation.",
            level: .query,
            catches: "Long lists take a path of their own, which compares texts of instants, or rounds doubles.",
            witness: "long lists of values"
        ) { context in
            let kinds = ListedValue.kinds
            let store = try await context.open(
                EntitySchema(
                    "Many",
                    fields: [FieldSchema("id", .int)] + kinds.map { FieldSchema($0.name, $0.type) },
                    indexes: kinds.prefix(4).map { IndexSchema("by\($0.name)", on: [$0.name]) }))
            let numbers = Array(stride(from: 0, to: 34_000, by: 850)).map { Int64($0) + 3 }
            let rows: [[Value]] = numbers.enumerated().map { index, number in
                [.integer(Int64(index))] + kinds.map { index % 9 == 8 ? .null : $0.stored(number) }
            }
            try await store.put("Many", rows)
            let limit = store.store.capabilities.limits.predicateNodeCount - 3
            for kind in kinds {
                for length in [25, 1_000, min(32_767, limit)] {
                    let values = (0..<Int64(length)).map(kind.asked)
                    for (condition, isNegated) in [
                        (Predicate.isIn(kind.name, values), false), (.not(.isIn(kind.name, values.reversed())), true),
                    ] {
                        let expected = rows.enumerated().filter { index, row in
                            let isIn = index % 9 != 8 && kind.isListed(numbers[index], length)
                            return isIn != isNegated
                        }.map { [$0.element[0]] }
                        let found = try await store.rows(QueryPlan("Many", where: condition, projection: ["id"]))
                        try context.expect(
                            found == expected,
                            "\(isNegated ? "NOT IN" : "IN") a list of \(length) values of \(kind.name): "
                                + SwiftText.difference(found, expected))
                        context.witness()
                    }
                }
                let withNull = Predicate.isIn(kind.name, [.null] + (0..<40).map(kind.asked))
                try await store.expectAnswer(QueryPlan("Many", where: withNull), of: rows)
                try await store.expectAnswer(QueryPlan("Many", where: .not(withNull)), of: rows)
            }
        },
    ]

    /// Conditions of the greatest depth and of great width, which most records meet.
    private static func largeConditions(_ limits: Capabilities.Limits) -> [Predicate] {
        let meets = Predicate.compare("id", .greater, .text(""))
        let depth = min(limits.predicateDepth, 1_000)
        let deep = (2..<depth).reduce(Predicate.not(.compare("text", .equal, .text("none")))) { inner, level in
            level % 2 == 0 ? .and([inner, meets]) : .or([.compare("number", .equal, .integer(-77)), inner])
        }
        let width = min(limits.predicateNodeCount - 4, 3_000)
        let wide = Predicate.or(
            [.not(.compare("text", .equal, .text("none")))]
                + (0..<width - 2).map { .compare("number", .equal, .integer(Int64($0) + 100_000)) })
        let list = Predicate.and([
            .not(
                .isIn("number", (0..<Int64(min(limits.predicateNodeCount - 4, 33_000))).map { .integer($0 + 100_000) })),
            meets,
        ])
        return [deep, wide, list]
    }
}

extension Predicate {
    /// The same condition as deep as declared, or 1,000 deep; an adapter may have to leave it to the reference.
    func deepened(_ limits: Capabilities.Limits) -> Predicate {
        (1..<min(limits.predicateDepth, 1_000)).reduce(self) { inner, level in
            level % 2 == 0 ? .and([inner, self]) : .or([self, inner])
        }
    }
}

/// Values of a type, by number.
struct ListedValue: Sendable {
    let name: String
    let type: FieldType
    /// The value of a number as records have it.
    let stored: @Sendable (Int64) -> Value
    /// The value of a number as lists have it: equal, and perhaps written otherwise.
    let asked: @Sendable (Int64) -> Value
    /// How many values there are.
    var count: Int64 = .max

    init(_ name: String, _ type: FieldType, count: Int64 = .max, _ value: @escaping @Sendable (Int64) -> Value) {
        self.init(name, type, stored: value, asked: value)
        self.count = count
    }

    init(
        _ name: String, _ type: FieldType, stored: @escaping @Sendable (Int64) -> Value,
        asked: @escaping @Sendable (Int64) -> Value
    ) {
        self.name = name
        self.type = type
        self.stored = stored
        self.asked = asked
    }

    /// Whether the value of a number is among the first ones.
    func isListed(_ number: Int64, _ length: Int) -> Bool { number % count < Int64(length) }

    static let kinds: [ListedValue] = [
        ListedValue("moment", .dateTime, stored: { moment($0, hours: 0) }, asked: { moment($0, hours: $0 % 25 - 12) }),
        ListedValue("ratio", .float) { .double(Double($0) * 0.1 + 1e-9) },
        ListedValue("text", .string) { .text("v\($0)") },
        ListedValue("number", .int) { .integer($0 &* 1_000_003 &+ (1 << 53)) },
        ListedValue("tiny", .float) { .double(Double.leastNonzeroMagnitude * Double($0 + 1)) },
        ListedValue("day", .date, stored: { day($0, offset: nil) }, asked: { day($0, offset: nil) }),
        ListedValue("clock", .time) {
            .time(
                ClockTime(nanosecondsSinceMidnight: $0 * 1_000_001, tail: WrittenForm(offset: nil, fractionDigits: 9)))
        },
        ListedValue("raw", .bytes) { number in .bytes(withUnsafeBytes(of: number.littleEndian) { Array($0) }) },
        ListedValue("flag", .boolean, count: 2) { .boolean($0 % 2 == 1) },
        ListedValue("kind", .enumeration("Kind")) { .text("KIND_\($0)") },
    ]

    private static func moment(_ number: Int64, hours: Int64) -> Value {
        .timestamp(
            Timestamp(
                secondsSinceEpoch: number * 86_399 - 5, nanoseconds: Int32(number % 1_000) * 1_000,
                tail: WrittenForm(offset: Int32(hours) * 3_600, fractionDigits: hours == 0 ? 9 : 6)))
    }

    private static func day(_ number: Int64, offset: Int32?) -> Value {
        .date(CalendarDate(daysSinceEpoch: Int32(number) - 5_000, tail: WrittenForm(offset: offset)))
    }
}
