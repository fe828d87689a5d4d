import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Testing

struct BoundPredicateTests {
    private func holds(_ predicate: Predicate, _ position: Int, _ value: Value) throws -> Bool {
        try BindFixture.predicate(predicate).matches(BindFixture.row(position, value))
    }

    @Test(arguments: Predicate.Comparison.allCases, [Value.null, .integer(1), .integer(2), .integer(3)])
    func comparisonWithNullIsNeverUnknown(_ comparison: Predicate.Comparison, cell: Value) throws {
        let isEqual = cell.isNull
        let expected = comparison == .equal ? isEqual : comparison == .notEqual ? !isEqual : false
        #expect(try holds(.compare("n", comparison, .null), 1, cell) == expected)
        let other = try holds(.compare("n", comparison, .integer(2)), 1, .null)
        #expect(other == (comparison == .notEqual))
    }

    @Test(arguments: [
        (Predicate.between("n", .integer(1), .integer(3)), Value.integer(1), true),
        (.between("n", .integer(1), .integer(3)), .integer(3), true),
        (.between("n", .integer(1), .integer(3)), .integer(4), false),
        (.between("n", .integer(3), .integer(1)), .integer(2), false),
        (.between("n", .null, .integer(3)), .integer(2), false),
        (.between("n", .integer(1), .null), .integer(2), false),
        (.between("n", .null, .null), .null, false),
        (.isIn("n", []), .null, false), (.isIn("n", []), .integer(1), false),
        (.isIn("n", [.null]), .null, true), (.isIn("n", [.integer(1), .null]), .integer(2), false),
        (.not(.isIn("n", [.integer(1), .null])), .integer(2), true),
        (.not(.isIn("n", [.integer(1), .null])), .null, false),
        (.not(.isIn("n", [])), .null, true),
        (.and([]), .null, true), (.or([]), .null, false), (.not(.or([])), .integer(1), true),
        (.constant(true), .null, true), (.not(.constant(true)), .null, false),
    ])
    func everyPredicateIsTrueOrFalse(_ predicate: Predicate, _ cell: Value, _ expected: Bool) throws {
        #expect(try holds(predicate, 1, cell) == expected)
    }

    @Test(arguments: [
        ("", "", true, true), ("abc", "", true, true), ("abc", "ab", true, true), ("abc", "bc", false, true),
        ("abc", "abcd", false, false), ("100%", "%", false, true), ("100", "%", false, false), ("a", "_", false, false),
        ("A", "a", false, false), ("e\u{301}x", "e", true, true), ("\u{E9}x", "e", false, false),
        ("e\u{301}", "\u{301}", false, true), ("a\r\n", "\n", false, true), ("aab", "ab", false, true),
        ("😀😁", "😁", false, true), ("a\\", "\\", false, true),
    ])
    func needlesAreBytes(_ text: String, _ needle: String, _ begins: Bool, _ contains: Bool) throws {
        #expect(try holds(.beginsWith("t", needle), 3, .text(text)) == begins)
        #expect(try holds(.contains("t", .text(needle)), 3, .text(text)) == contains)
    }

    @Test func nothingBeginsWithOrContainsWhenNull() throws {
        #expect(try !holds(.beginsWith("t", ""), 3, .null))
        #expect(try !holds(.contains("t", .text("")), 3, .null))
        #expect(try holds(.not(.contains("t", .text(""))), 3, .null))
        #expect(try !holds(.contains("l", .null), 7, .null))
    }

    @Test func listContainsEqualElements() throws {
        let list = Value.list([.integer(1), .null, .integer(1)])
        #expect(try holds(.contains("l", .integer(1)), 7, list))
        #expect(try holds(.contains("l", .null), 7, list))
        #expect(try !holds(.contains("l", .integer(2)), 7, list))
        #expect(try !holds(.contains("l", .null), 7, .list([])))
        #expect(try holds(.compare("l", .equal, list), 7, list))
        #expect(try holds(.compare("l", .notEqual, .list([])), 7, .null))
    }

    /// Random predicates over random rows of random schemas.
    private func forEachSample(
        _ body: (PlanGenerator, StorageSchema, [[Value]], inout SplitMix64) throws -> Void
    ) throws {
        for seed in 0..<UInt64(40) {
            var random = SplitMix64(seed: seed)
            let entity = try #require(
                SchemaGenerator.entities(DifferentialConfiguration(), using: &random).first)
            let rows = (0..<20).map { _ in
                entity.fields.map { ValuePool.value(of: $0.type, isRequired: $0.isRequired, using: &random) }
            }
            let generator = PlanGenerator(entity: entity, rows: rows)
            try body(generator, StorageSchema(entities: [entity]), rows, &random)
        }
    }

    @Test func predicateAndItsComplementPartitionTheRows() throws {
        try forEachSample { generator, schema, rows, random in
            for _ in 0..<25 {
                let predicate = generator.predicate(depth: 3, using: &random)
                let name = generator.entity.name
                let plain = try schema.bind(QueryPlan(name, where: predicate)).predicate
                let complement = try schema.bind(QueryPlan(name, where: .not(predicate))).predicate
                for row in rows { #expect(plain.matches(row) != complement.matches(row), "\(predicate)") }
            }
        }
    }

    @Test func deMorganHolds() throws {
        try forEachSample { generator, schema, rows, random in
            for _ in 0..<15 {
                let parts = (0..<random.below(4)).map { _ in generator.predicate(depth: 2, using: &random) }
                let name = generator.entity.name
                let left = try schema.bind(QueryPlan(name, where: .not(.and(parts)))).predicate
                let right = try schema.bind(QueryPlan(name, where: .or(parts.map(Predicate.not)))).predicate
                for row in rows { #expect(left.matches(row) == right.matches(row), "\(parts)") }
            }
        }
    }

    @Test func coveringRangeNeverLosesAMatch() throws {
        try forEachSample { generator, schema, rows, random in
            let entity = generator.entity
            for _ in 0..<40 {
                var predicate = generator.predicate(depth: 2, using: &random)
                if random.chance(50) {
                    predicate = .and((0..<3).map { _ in generator.keyComparison(using: &random) })
                }
                let query = try schema.bind(QueryPlan(entity.name, where: predicate))
                for row in rows where query.predicate.matches(row) {
                    #expect(query.keyRange.contains(entity.key(of: row).components), "\(predicate) \(row)")
                }
            }
        }
    }
}

struct KeyRangeTests {
    private static let entity = EntitySchema(
        "E", fields: [FieldSchema("a", .int), FieldSchema("b", .string), FieldSchema("n", .int)],
        primaryKey: ["a", "b"])

    private func range(_ predicate: Predicate) throws -> KeyRange {
        try StorageSchema(entities: [Self.entity]).bind(QueryPlan("E", where: predicate)).keyRange
    }

    @Test func prefixesBoundRanges() {
        let key: [Value] = [.integer(2), .text("m")]
        #expect(KeyRange("E").contains(key))
        #expect(KeyRange("E", from: .included([.integer(2)]), to: .included([.integer(2)])).contains(key))
        #expect(!KeyRange("E", from: .excluded([.integer(2)])).contains(key))
        #expect(!KeyRange("E", to: .excluded([.integer(2)])).contains(key))
        #expect(KeyRange("E", from: .excluded([.integer(1)]), to: .excluded([.integer(3)])).contains(key))
        #expect(KeyRange("E", from: .included(key), to: .included(key)).contains(key))
        #expect(!KeyRange("E", from: .included([.integer(2), .text("n")])).contains(key))
        #expect(!KeyRange("E", from: .included([.integer(3)]), to: .included([.integer(1)])).contains(key))
    }

    @Test func coveringRangeIsNarrow() throws {
        let one: [Value] = [.integer(1)]
        #expect(try range(.all) == KeyRange("E"))
        #expect(try range(.compare("n", .equal, .integer(1))) == KeyRange("E"))
        #expect(
            try range(.compare("a", .equal, .integer(1))) == KeyRange("E", from: .included(one), to: .included(one)))
        #expect(
            try range(.and([.compare("b", .less, .text("x")), .compare("a", .equal, .integer(1))]))
                == KeyRange("E", from: .included(one), to: .excluded(one + [.text("x")])))
        #expect(
            try range(.and([.compare("b", .equal, .text("x")), .compare("a", .equal, .double(1))]))
                == KeyRange("E", from: .included(one + [.text("x")]), to: .included(one + [.text("x")])))
        #expect(
            try range(.isIn("a", [.integer(5), .integer(1)]))
                == KeyRange("E", from: .included(one), to: .included([.integer(5)])))
        #expect(try range(.or([.compare("a", .equal, .integer(1))])) == KeyRange("E"))
        #expect(try range(.not(.compare("a", .equal, .integer(1)))) == KeyRange("E"))
    }
}
