package import HoldfastStorage

extension Clause {
    /// Integers, doubles, booleans, and text that looks like them.
    static let numbers: [Clause] = [
        Clause(
            "NUM-001", "Integers are exact in all 64 bits, as keys, as fields and as list elements.",
            catches: "A way through doubles or JSON: 2⁵³ + 1 becomes 2⁵³, Int64.max becomes 2⁶³.",
            witness: "integers at the edges of every size, read back", protectsData: true
        ) { context in
            var store = try await ComparedStore(context, .integers)
            try await store.put(
                "Number", SampleNumber.integers.map { [.integer($0), .integer($0), .list([.integer($0), .null])] })
            try await store.expectHolds("Number")
            context.witness(SampleNumber.integers.count)
            // Replaced by their neighbors.
            try await store.put(
                "Number", SampleNumber.integers.map { [.integer($0), .integer($0 &+ 1), .list([.integer($0 &- 1)])] })
            try await store.expectHolds("Number")
        },
        Clause(
            "NUM-002", "Conditions on integers are exact, for every comparison and every operand.", level: .query,
            catches: "Comparisons as doubles treat neighbors beyond 2⁵³ as equal.",
            witness: "comparisons at the edges of every size"
        ) { context in
            var store = try await ComparedStore(context, .integers)
            try await store.put(
                "Number", SampleNumber.integers.map { [.integer($0), .integer($0), .list([.integer($0)])] })
            for integer in SampleNumber.integers.map(Value.integer) {
                for comparison in Predicate.Comparison.allCases {
                    let plan = QueryPlan("Number", where: .compare("value", comparison, integer))
                    context.witness(try await store.expectAgrees(plan))
                }
                for condition: Predicate in [
                    .isIn("value", [integer, .integer(12_345)]), .contains("list", integer),
                    .compare("id", .equal, integer),
                    .compare("id", .less, integer), .between("value", .integer(0), integer),
                    .between("id", integer, .integer(.max)),
                ] { context.witness(try await store.expectAgrees(QueryPlan("Number", where: condition))) }
            }
        },
        Clause(
            "NUM-003", "Numbers are ordered by value: in scans of keys, in sorts of both directions and in pages.",
            catches: "Keys encoded without the sign: −1 after 1; numbers kept as text: 10 before 9.",
            witness: "numbers read in order"
        ) { context in
            var integers = try await ComparedStore(context, .integers)
            var doubles = try await ComparedStore(context, .doubles)
            var random = SplitMix64(seed: context.seed)
            let more = (0..<40).map { _ in Int64(bitPattern: random.next()) >> Int64(random.below(60)) }
            try await integers.put(
                "Number", (SampleNumber.integers + more).map { [.integer($0), .integer($0), .null] })
            try await doubles.put("Number", SampleNumber.doubles.reversed().map { [.double($0), .double($0), .null] })
            for store in [integers, doubles] {
                var store = store
                try await store.expectHolds("Number")
                for direction: SortKey.Direction in [.ascending, .descending] {
                    let plan = QueryPlan("Number", sort: [SortKey("value", direction)])
                    context.witness(try await store.expectAgrees(plan))
                    let entity = try store.store.store.schema.entity(named: "Number")
                    let scanned = try await store.store.store.withSnapshot {
                        try await $0.readPages(plan, page: 3, of: entity, maximumCount: 1_000).map(\.cells)
                    }
                    try context.expectEqual(scanned, try await store.store.rows(plan), "pages of 3, \(direction)")
                }
                let rows = store.rows(of: "Number")
                let snapshot = try await store.store.adapter.snapshot()
                for row in rows {
                    let range = KeyRange("Number", from: .included([row[0]]), to: .excluded([rows[rows.count - 1][0]]))
                    let expected = rows.filter { range.contains([$0[0]]) }
                    try context.expectEqual(try await snapshot.allRows(range).map(\.cells), expected, "a range of keys")
                }
                await snapshot.close()
            }
        },
        Clause(
            "NUM-004", "Finite doubles come back bit for bit, as keys, as fields and as list elements.",
            catches: "Printing with 15 digits, 32-bit columns, flushing the smallest numbers to zero.",
            witness: "doubles with every kind of bits, read back", protectsData: true
        ) { context in
            var store = try await ComparedStore(context, .doubles)
            var random = SplitMix64(seed: context.seed)
            let more = (0..<60).map { _ in Double(bitPattern: random.next()) }.filter { $0.isFinite && $0 != 0 }
            let doubles = SampleNumber.doubles + more
            try await store.put(
                "Number", doubles.map { [.double($0), .double($0), .list([.double($0), .double(1)])] })
            try await store.expectHolds("Number")
            context.witness(doubles.count)
        },
        Clause(
            "NUM-005", "A double without fraction stays a double, an integer an integer, whatever its value.",
            catches: "Columns with an affinity and JSON decoders give 1.0 back as 1.",
            witness: "whole doubles and integers, read back with their kinds", protectsData: true
        ) { context in
            let entity = EntitySchema(
                "Number",
                fields: [
                    FieldSchema("id", .id), FieldSchema("double", .float), FieldSchema("integer", .int),
                    FieldSchema("doubles", .list(of: .float, elementsAreRequired: false)),
                    FieldSchema("integers", .list(of: .int, elementsAreRequired: false)),
                ])
            let whole: [Double] = [
                0, 1, -1, 2, 10, 100, 1e6, 1e15, 1e16, 0x1p53, 0x1p62, -0x1p63, 0x1p63, 1e300, 255, 256,
            ]
            var store = try await ComparedStore(context, entity)
            try await store.put(
                "Number",
                whole.enumerated().map { index, double in
                    let integer = Int64(exactly: double) ?? .max
                    return [
                        .text(SampleText.key(index)), .double(double), .integer(integer),
                        .list([.double(double), .null]),
                        .list([.integer(integer), .integer(1)]),
                    ]
                })
            try await store.expectHolds("Number")
            context.witness(whole.count)
            let extremes = try await store.store.store.withSnapshot {
                try await $0.aggregate(
                    AggregatePlan("Number", [.minimum("double"), .maximum("double"), .maximum("integer")]))
            }
            try context.expectEqual(
                extremes, [.double(-0x1p63), .double(1e300), .integer(.max)], "the extremes of whole numbers")
        },
        Clause(
            "NUM-006", "−0.0 is stored and compared as 0.0; as a key, both name one record.",
            catches: "Some databases keep the sign, some lose it, and a hash of the bits makes two keys of them.",
            witness: "a negative zero written, read and asked for", protectsData: true
        ) { context in
            let store = try await context.open(.doubles)
            try await store.put("Number", [[.double(0), .double(-0.0), .list([.double(-0.0)])]])
            try await store.put("Number", [[.double(-0.0), .double(-0.0), .list([.double(-0.0), .double(0)])]])
            let rows: [[Value]] = [[.double(0), .double(0), .list([.double(0), .double(0)])]]
            let again = try await store.expectHolds("Number", rows)
            for zero in [0.0, -0.0].map(Value.double) {
                for condition: Predicate in [
                    .compare("value", .equal, zero), .compare("id", .equal, zero), .isIn("value", [zero]),
                    .contains("list", zero),
                    .between("value", zero, zero), .compare("value", .lessOrEqual, zero),
                    .not(.compare("value", .less, zero)),
                    .compare("value", .equal, .integer(0)),
                ] {
                    try context.expectEqual(
                        try await again.rows(QueryPlan("Number", where: condition)), rows, "the record with zero")
                    context.witness()
                }
            }
            let receipt = try await again.delete("Number", [RecordKey([.double(-0.0)])])
            try context.expectEqual(receipt.deletedCount, 1, "the records deleted by the key −0.0")
        },
        Clause(
            "NUM-007", "An integer field compared with a double, and a double field with an integer, compares exactly.",
            level: .query, catches: "The integer is rounded to a double first: 2⁵³ + 1 equals 2⁵³.",
            witness: "operands of the other kind around every number"
        ) { context in
            var integers = try await ComparedStore(context, .integers)
            var doubles = try await ComparedStore(context, .doubles)
            try await integers.put(
                "Number", SampleNumber.integers.map { [.integer($0), .integer($0), .list([.integer($0)])] })
            try await doubles.put(
                "Number", SampleNumber.doubles.map { [.double($0), .double($0), .list([.double($0)])] })
            for comparison in Predicate.Comparison.allCases {
                for double in SampleNumber.doubles {
                    let expected = SampleNumber.integers.sorted().filter {
                        comparison.holds(ValueOrder.compare(.integer($0), .double(double)))
                    }
                    let rows = try await integers.store.rows(
                        QueryPlan("Number", where: .compare("value", comparison, .double(double)), projection: ["id"]))
                    try context.expectEqual(
                        rows, expected.map { [.integer($0)] }, "the integers \(comparison) \(double)")
                    context.witness()
                }
                for integer in SampleNumber.integers {
                    let expected = SampleNumber.doubles.sorted().filter {
                        comparison.holds(ValueOrder.compare(.double($0), .integer(integer)))
                    }
                    let rows = try await doubles.store.rows(
                        QueryPlan("Number", where: .compare("value", comparison, .integer(integer)), projection: ["id"])
                    )
                    try context.expectEqual(
                        rows, expected.map { [.double($0)] }, "the doubles \(comparison) \(integer)")
                    context.witness()
                }
            }
            context.witness(
                try await integers.expectAgrees("Number", .isIn("value", [.double(1), .double(1.5), .double(0x1p53)])))
            context.witness(try await integers.expectAgrees("Number", .between("value", .double(-1.5), .double(1.5))))
            context.witness(try await integers.expectAgrees("Number", .contains("list", .double(0x1p53))))
        },
        Clause(
            "NUM-008", "Booleans are their own kind: false before true, and no number and no text stands for them.",
            catches: "Booleans kept as integers come back as 0 and 1, or any number but 1 is neither.",
            witness: "booleans as keys, fields and list elements", protectsData: true
        ) { context in
            let entity = EntitySchema(
                "Flag",
                fields: [
                    FieldSchema("id", .boolean), FieldSchema("number", .int), FieldSchema("flag", .boolean),
                    FieldSchema("flags", .list(of: .boolean, elementsAreRequired: false)),
                ], primaryKey: ["id", "number"], indexes: [IndexSchema("byFlag", on: ["flag"])])
            var store = try await ComparedStore(context, entity)
            let flags: [Value] = [.boolean(true), .null, .boolean(false)]
            let ids: [Value] = [.boolean(true), .boolean(false)]
            try await store.put(
                "Flag",
                ids.flatMap { id in
                    flags.enumerated().map { [id, .integer(Int64($0)), $1, .list([$1, .boolean(true)])] }
                })
            try await store.expectHolds("Flag")
            for truth in flags {
                for comparison in Predicate.Comparison.allCases {
                    context.witness(try await store.expectAgrees("Flag", .compare("flag", comparison, truth)))
                }
                context.witness(try await store.expectAgrees("Flag", .contains("flags", truth)))
                context.witness(try await store.expectAgrees("Flag", .isIn("flag", [truth])))
            }
            for direction: SortKey.Direction in [.ascending, .descending] {
                context.witness(try await store.expectAgrees(QueryPlan("Flag", sort: [SortKey("flag", direction)])))
            }
            for wrong: Value in [.integer(1), .text("true"), .double(1)] {
                try await context.expectError(.unrepresentable, from: "a condition on a boolean with another kind") {
                    _ = try await store.store.rows(QueryPlan("Flag", where: .compare("flag", .equal, wrong)))
                }
            }
        },
        Clause(
            "NUM-009", "Text that looks like a number, a boolean, an identifier or a date stays the text it is.",
            catches: "Numeric affinity: the UUID 156e0000… becomes 6.77e31, \"007\" becomes 7.",
            witness: "texts that look like something else, stored, compared and sorted", protectsData: true
        ) { context in
            let texts = [
                "0", "00", "-0", "+0", "1", "01", "001", "1.0", "1.", "1.00", "1e0", "1e3", "1000", "1E3", "+1", "-1",
                " 1", "1 ", "0x10",
                "16", "1_000", "1,5", ".5", "0.5", "0.50", "9007199254740993", "9007199254740992",
                "9223372036854775807",
                "9223372036854775808", "99999999999999999999", "1e400", "Infinity", "-inf", "NaN", "nan", "null",
                "NULL", "true", "false", "t",
                "1970-01-01", "1970-01-01T00:00:00Z", "156e0000-0000-0000-0000-000000000000",
                "00000000-0000-0000-0000-000000000012",
                "1e10", "1E10", "10000000000", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
                "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6",
                "f81d4fae7dec11d0a76500a0c91e6bf6", "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}", "\u{661}", "\u{FF11}",
            ].sorted { Value.text($0).isBefore(.text($1)) }
            var store = try await ComparedStore(context, .lines)
            try await store.put("Line", texts.map { [.text($0), .text($0), .list([.text($0)])] })
            try await store.expectHolds("Line")
            for value in texts.map(Value.text) {
                for condition: Predicate in [
                    .compare("text", .equal, value), .isIn("text", [value]), .contains("tags", value),
                    .compare("id", .equal, value),
                    .compare("text", .less, value),
                ] { context.witness(try await store.expectAgrees(QueryPlan("Line", where: condition))) }
            }
            context.witness(try await store.expectAgrees(QueryPlan("Line", sort: [SortKey("text", .descending)])))
        },
        Clause(
            "NUM-010", "NaN and the infinities are refused with `unrepresentable` wherever given, and nothing changes.",
            catches: "SQLite stores NaN as null, PostgreSQL sorts it last, JSON has none of them.",
            witness: "refusals in every place", protectsData: true
        ) { context in
            let store = try await context.open(.doubles)
            let kept: [[Value]] = [[.double(1), .double(1), .list([.double(1)])]]
            try await store.put("Number", kept)
            for bad in [Double.nan, .signalingNaN, .infinity, -.infinity].map(Value.double) {
                let rows: [[Value]] = [
                    [bad, .null, .null], [.double(1), bad, .null], [.double(1), .null, .list([.double(0), bad])],
                ]
                for row in rows {
                    try await context.expectError(.unrepresentable, from: "a put of NaN or an infinity") {
                        try await store.put("Number", [[.double(2), .null, .null], row])
                    }
                    context.witness()
                }
                for condition: Predicate in [
                    .compare("value", .less, bad), .isIn("value", [bad]), .contains("list", bad),
                ] {
                    try await context.expectError(.unrepresentable, from: "a condition with NaN or an infinity") {
                        _ = try await store.rows(QueryPlan("Number", where: condition))
                    }
                    context.witness()
                }
            }
            try await store.expectHolds("Number", kept)
        },
        Clause(
            "NUM-011",
            "A cell of another kind than its field's is refused with `unrepresentable`, and nothing changes.",
            catches: "Untyped columns store 'abc' as an integer; converting drivers store 1 for \"1\".",
            witness: "refusals of every kind in every other kind's field", protectsData: true
        ) { context in
            let types: [FieldType] = [
                .int, .float, .boolean, .string, .bytes, .date, .time, .dateTime, .json,
                .list(of: .int, elementsAreRequired: false),
            ]
            let entity = EntitySchema(
                "Kinds", fields: [FieldSchema("id", .id)] + types.enumerated().map { FieldSchema("field\($0)", $1) })
            let store = try await context.open(entity)
            let kept: [[Value]] = [[.text("a")] + types.map { _ in .null }]
            try await store.put("Kinds", kept)
            let values: [Value] = [
                .integer(1), .double(1), .boolean(true), .text("abc"), .bytes([1]), .list([.text("1")]),
                .list([.list([.integer(1)])]),
            ]
            for (column, type) in types.enumerated() {
                for value in values where (try? type.canonical(value)) == nil {
                    try await context.expectError(.unrepresentable, from: "a put of another kind") {
                        try await store.put("Kinds", [kept[0].replacing(column + 1, value)])
                    }
                    context.witness()
                }
            }
            try await store.expectHolds("Kinds", kept)
        },
    ]
}

extension Predicate.Comparison {
    /// Whether the comparison is true of two values, neither of them null, that are ordered so.
    package func holds(_ ordering: Ordering) -> Bool {
        switch self {
        case .equal: ordering == .equal
        case .notEqual: ordering != .equal
        case .less: ordering == .ascending
        case .lessOrEqual: ordering != .descending
        case .greater: ordering == .descending
        case .greaterOrEqual: ordering != .ascending
        }
    }
}

extension EntitySchema {
    /// `Number(id, value, list)` of integers, with an index.
    static let integers = numbers(.int)
    /// `Number(id, value, list)` of doubles, with an index.
    static let doubles = numbers(.float)

    private static func numbers(_ type: FieldType) -> EntitySchema {
        EntitySchema(
            "Number",
            fields: [
                FieldSchema("id", type), FieldSchema("value", type),
                FieldSchema("list", .list(of: type, elementsAreRequired: false)),
            ], indexes: [IndexSchema("byValue", on: ["value"])])
    }
}

/// Numbers that checks share.
enum SampleNumber {
    /// The neighbors of every power of two at which a size ends, and some that text would order otherwise.
    static let integers: [Int64] = {
        var integers: Set<Int64> = [0, 1, -1, 2, 9, 10, 99, 100, -9, -10, 12_345, .max, .min, .max - 1, .min + 1]
        for exponent in [7, 8, 15, 16, 31, 32, 53, 62] {
            let power: Int64 = 1 << exponent
            integers.formUnion([power - 1, power, power + 1, -power - 1, -power, 1 - power])
        }
        return integers.sorted()
    }()

    /// Doubles with every kind of bits, in ascending order.
    static let doubles: [Double] = {
        let positive: [Double] = [
            1, 1.5, 0.1, 0.2, 0.30000000000000004, 0.3333333333333333, 0.6666666666666666, .leastNonzeroMagnitude,
            .leastNormalMagnitude, Double.leastNormalMagnitude.nextDown, 1e-10, 9, 10, 1e15, 1e16, 1e17,
            123_456_789.123_456_78,
            1.7976931348623157e308, 0x1p53, 0x1p53 + 2, 0x1p53 - 1, 0x1p62, 0x1p63, 0x1p64, 1e300,
            3.4028234663852886e38, 1.1754943508222875e-38, 16_777_217, 0.3, 1.0000000000000002, 0.9999999999999999,
        ]
        return (positive + positive.map { -$0 } + [0]).sorted()
    }()
}
