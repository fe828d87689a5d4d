#if SQLite
import HoldfastAdapterTestSupport
import HoldfastSQLite
import HoldfastStorage
import Testing

/// Values of one type in ascending order, each equal in order to itself only unless listed as equal.
struct TypeSamples: Sendable, CustomTestStringConvertible {
    let type: FieldType
    let ascending: [Value]
    /// Values equal in order to the first of `ascending`, but written in another way.
    var equalToFirst: [Value] = []

    var testDescription: String { "\(type)" }

    static let all: [TypeSamples] = [
        TypeSamples(type: .boolean, ascending: [.boolean(false), .boolean(true)]),
        TypeSamples(
            type: .int,
            ascending: [
                .integer(.min), .integer(-9_007_199_254_740_993), .integer(-1), .integer(0),
                .integer(9_007_199_254_740_992), .integer(9_007_199_254_740_993), .integer(.max),
            ]),
        TypeSamples(
            type: .float,
            ascending: [
                .double(-.greatestFiniteMagnitude), .double(-1), .double(-.leastNonzeroMagnitude), .double(0),
                .double(.leastNonzeroMagnitude), .double(0.1), .double(0.30000000000000004), .double(1),
                .double(9_007_199_254_740_992), .double(1e22), .double(1.7976931348623157e308),
            ]),
        TypeSamples(
            type: .string,
            ascending: [
                "", "\u{1}", "\t\n\r", " ", "\"", "%_\\", "1", "10", "2", "A", "[\"a\",null]", "a", "a ",
                "e\u{301}",
                "null", "é", "日本", "\u{FEFF}bom", "\u{FFFD}", "😀", "\u{10FFFF}",
            ].map { .text($0) }),
        TypeSamples(
            type: .bytes,
            ascending: [.bytes([]), .bytes([0]), .bytes([0, 0]), .bytes([1, 2, 3, 4]), .bytes([255])]),
        TypeSamples(
            type: .date,
            ascending: [date("0001-01-01"), date("1969-12-31Z"), date("2024-02-29+05:30"), date("9999-12-31")],
            equalToFirst: [date("0001-01-01Z"), date("0001-01-01-11:00")]),
        TypeSamples(
            type: .time,
            ascending: [
                time("00:00:00"), time("00:00:00.000000001Z"), time("12:30:00.5"), time("12:30:00.51"),
                time("23:59:59.999999999-10:00"),
            ], equalToFirst: [time("00:00:00.000"), time("00:00+05:00")]),
        TypeSamples(
            type: .dateTime,
            ascending: [
                stamp("0001-01-01T00:00:00Z"), stamp("1969-12-31T23:59:59.9Z"), stamp("1970-01-01T00:00:00Z"),
                stamp("2024-01-01T00:00:00+01:00"), stamp("2024-01-01T00:00:00Z"), stamp("2024-01-01T00:00:00.5Z"),
                stamp("9999-12-31T23:59:59.999999999Z"),
            ], equalToFirst: [stamp("0001-01-01T01:00:00+01:00"), stamp("0001-01-01T00:00:00.000Z")]),
        TypeSamples(type: .timestamp, ascending: [.integer(-1), .integer(0), .integer(253_402_300_799)]),
        TypeSamples(
            type: .json,
            ascending: ["1e2", "[ 1,2 ]", "null", "{\"b\":1,\"a\":\"\\u0000\",\"b\":2}"].map { .text($0) }),
        TypeSamples(
            type: .enumeration("Colour"), ascending: [.text("BLUE"), .text("RED"), .text("of a later version")]),
    ]

    static func date(_ text: String) -> Value { (try? CalendarDate(parsing: text)).map { .date($0) } ?? .null }
    static func time(_ text: String) -> Value { (try? ClockTime(parsing: text)).map { .time($0) } ?? .null }
    static func stamp(_ text: String) -> Value { (try? Timestamp(parsing: text)).map { .timestamp($0) } ?? .null }
}

@Suite struct SQLiteValueTests {
    @Test(arguments: TypeSamples.all)
    func everyTypeIsKeptExactlyAsKeyAndAsField(_ samples: TypeSamples) async throws {
        #expect(!samples.ascending.contains(.null))
        let entity = EntitySchema(
            "T", fields: [FieldSchema("value", samples.type), FieldSchema("k", samples.type)], primaryKey: ["k"])
        let store = try await Store.temporary(entity)
        for value in samples.ascending.reversed() { try await store.put("T", [[value, value]]) }
        for value in samples.ascending {
            let record = try #require(await store.record("T", [value]))
            #expect(record.row == [value, value])
        }
        #expect(try await store.rows(QueryPlan("T")) == samples.ascending.map { [$0, $0] })
        for equal in samples.equalToFirst {
            try await store.put("T", [[equal, equal]])
            #expect(try await store.record("T", [samples.ascending[0]])?.row == [equal, equal])
        }
        #expect(try await store.rows(QueryPlan("T")).count == samples.ascending.count)
        try await store.close()
    }

    @Test(arguments: TypeSamples.all, [false, true])
    func everyTypeIsComparedSortedPagedAndAggregated(_ samples: TypeSamples, isIndexed: Bool) async throws {
        let entity = EntitySchema(
            "T", fields: [FieldSchema("id", .int), FieldSchema("v", samples.type)],
            indexes: isIndexed ? [IndexSchema("byV", on: ["v"])] : [])
        let schema = try StorageSchema(entities: [entity])
        let store = try await Store.open(SQLiteAdapter(.temporary), schema: schema)
        var reference = ReferenceStore(schema: schema)
        let values = (samples.ascending + samples.equalToFirst + [.null]).shuffled()
        let request = CommitRequest(
            operations: [
                .put(
                    entity: "T", rows: RowBuffer(values.enumerated().map { [.integer(Int64($0)), $1] }),
                    mode: .insert)
            ])
        _ = try await store.commit(request)
        _ = try reference.commit(request)

        var predicates: [Predicate] = [.isIn("v", []), .isIn("v", values), .isIn("v", Array(values.prefix(3)))]
        for value in values {
            for comparison in Predicate.Comparison.allCases { predicates.append(.compare("v", comparison, value)) }
            predicates.append(.between("v", value, values[0]))
            predicates.append(.isIn("v", [value, values[1]]))
            predicates.append(.isIn("v", Array(repeating: value, count: 1) + samples.ascending))
        }
        predicates += predicates.map { .not($0) }
        for predicate in predicates {
            try await expectAgreement(QueryPlan("T", where: predicate), store, reference, batch: 100)
        }
        for direction in [SortKey.Direction.ascending, .descending] {
            let plan = QueryPlan("T", sort: [SortKey("v", direction)])
            try await expectAgreement(plan, store, reference)
            for row in try await store.rows(plan) {
                var next = plan
                next.after = Cursor(after: row, of: entity, sortedBy: plan.sort)
                next.limit = 3
                try await expectAgreement(next, store, reference)
            }
        }
        let plan = AggregatePlan("T", [.count, .minimum("v"), .maximum("v")])
        let aggregates = try await store.withSnapshot { try await $0.aggregate(plan) }
        #expect(try aggregates == reference.aggregate(schema.bind(plan)))
        try await store.close()
    }

    @Test(arguments: TypeSamples.all)
    func everyTypeIsKeptAndFoundInLists(_ samples: TypeSamples) async throws {
        let entity = EntitySchema(
            "T",
            fields: [
                FieldSchema("id", .int), FieldSchema("list", .list(of: samples.type, elementsAreRequired: false)),
                FieldSchema(
                    "nested",
                    .list(of: .list(of: samples.type, elementsAreRequired: false), elementsAreRequired: false)),
            ])
        let schema = try StorageSchema(entities: [entity])
        let store = try await Store.open(SQLiteAdapter(.temporary), schema: schema)
        var reference = ReferenceStore(schema: schema)
        let values = samples.ascending + samples.equalToFirst + [.null]
        var lists: [[Value]] = [[], [.null], values, values.reversed(), [.null, .null]]
        lists += values.map { [$0] } + values.map { [values[0], $0] }
        var rows: [[Value]] = lists.enumerated().map { index, list in
            [.integer(Int64(index)), .list(list), .list([.list(list), .null, .list([])])]
        }
        rows.append([.integer(-1), .null, .null])
        let request = CommitRequest(operations: [.put(entity: "T", rows: RowBuffer(rows), mode: .upsert)])
        _ = try await store.commit(request)
        _ = try reference.commit(request)
        try await expectAgreement(QueryPlan("T"), store, reference, batch: 100)
        var predicates: [Predicate] = []
        for value in values { predicates.append(.contains("list", value)) }
        for list in lists {
            predicates.append(.compare("list", .equal, .list(list)))
            predicates.append(.compare("list", .notEqual, .list(list)))
            predicates.append(.isIn("list", [.list(list), .null]))
            predicates.append(.contains("nested", .list(list)))
        }
        predicates.append(.isIn("list", lists.map { .list($0) }))
        predicates += predicates.map { .not($0) }
        for predicate in predicates {
            try await expectAgreement(QueryPlan("T", where: predicate), store, reference, batch: 100)
        }
        try await store.close()
    }
}

/// Expects a store and the reference to answer a query alike.
func expectAgreement(
    _ plan: QueryPlan, _ store: Store, _ reference: ReferenceStore, batch: Int = 4,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let expected = reference.query(try reference.schema.bind(plan)).map(\.row)
    let actual = try await store.rows(plan, batch: batch)
    #expect(actual == expected, "\(plan)", sourceLocation: sourceLocation)
    if plan.limit == nil && plan.after == nil && plan.offset == 0 {
        let count = try await store.withSnapshot { try await $0.count(plan.entity, where: plan.predicate) }
        #expect(count == expected.count, "\(plan)", sourceLocation: sourceLocation)
    }
}
#endif
