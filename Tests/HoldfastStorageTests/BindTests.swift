import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Testing

/// An entity with a field of every shape that predicates treat differently.
enum BindFixture {
    static let entity = EntitySchema(
        "E",
        fields: [
            FieldSchema("id", .id), FieldSchema("n", .int), FieldSchema("x", .float), FieldSchema("t", .string),
            FieldSchema("j", .json), FieldSchema("b", .boolean), FieldSchema("at", .dateTime),
            FieldSchema("l", .list(of: .int, elementsAreRequired: false)), FieldSchema("d", .bytes),
        ])

    static func schema() throws -> StorageSchema { try StorageSchema(entities: [entity]) }

    static func predicate(
        _ predicate: Predicate, limits: Capabilities.Limits = Capabilities.Limits()
    ) throws -> BoundPredicate {
        try schema().bind(QueryPlan("E", where: predicate), limits: limits).predicate
    }

    /// A row whose field at a position is a value, all others null.
    static func row(_ position: Int, _ value: Value) -> [Value] {
        var row = Array(repeating: Value.null, count: entity.fields.count)
        row[position] = value
        return row
    }
}

struct PredicateBinderTests {
    @Test(arguments: [
        Predicate.compare("nope", .equal, .integer(1)), .between("nope", .null, .null), .isIn("nope", []),
        .beginsWith("nope", ""), .contains("nope", .text("")), .not(.compare("N", .equal, .null)),
        .and([.constant(true), .or([.compare("nope", .less, .null)])]), .constant(false).and("nope"),
    ])
    func unknownFieldIsASchemaMismatch(_ predicate: Predicate) {
        #expect(throws: StorageError(.schemaMismatch, "")) { try BindFixture.predicate(predicate) }
    }

    @Test(arguments: [
        Predicate.beginsWith("n", "1"), .contains("x", .text("1")), .beginsWith("d", "a"), .beginsWith("l", "a"),
        .compare("l", .less, .list([])), .compare("l", .greaterOrEqual, .list([])), .between("l", .null, .null),
        .contains("b", .boolean(true)), .contains("at", .text("2024")),
    ])
    func operatorThatTheTypeDoesNotHaveIsASchemaMismatch(_ predicate: Predicate) {
        #expect(throws: StorageError(.schemaMismatch, "")) { try BindFixture.predicate(predicate) }
    }

    @Test func anyTextIsAnOperandOfAFieldKeptAsText() throws {
        #expect(
            try BindFixture.predicate(.compare("j", .less, .text("no json"))) == .compare(4, .less, .text("no json")))
        #expect(throws: StorageError(.unrepresentable, "")) {
            try BindFixture.predicate(.compare("j", .less, .text("a\u{0}")))
        }
    }

    @Test func elementsAreFoundByValueForAnyKindOfNumber() throws {
        #expect(try BindFixture.predicate(.contains("l", .double(2))) == .containsElement(7, .integer(2)))
        #expect(try BindFixture.predicate(.contains("l", .double(2.5))) == .constant(false))
    }

    @Test func aBoundIsCheckedAlsoWhereTheOtherDecides() {
        #expect(throws: StorageError(.unrepresentable, "")) {
            try BindFixture.predicate(.between("n", .double(1e300), .text("x")))
        }
    }

    @Test(arguments: [
        Predicate.compare("n", .equal, .text("1")), .compare("t", .equal, .integer(1)),
        .compare("b", .equal, .integer(1)), .between("n", .integer(1), .text("2")), .isIn("t", [.null, .integer(1)]),
        .contains("t", .integer(1)), .contains("t", .null), .contains("l", .text("1")),
        .compare("at", .equal, .text("yesterday")), .compare("x", .less, .double(.nan)),
        .compare("n", .less, .double(.infinity)), .beginsWith("t", "a\u{0}"), .contains("t", .text("\u{0}")),
        .compare("t", .equal, .text("a\u{0}b")), .compare("l", .equal, .list([.text("1")])),
    ])
    func operandThatTheFieldCannotHoldIsUnrepresentable(_ predicate: Predicate) {
        #expect(throws: StorageError(.unrepresentable, "")) { try BindFixture.predicate(predicate) }
    }

    @Test func textIsComparedAsTheInstantItNames() throws {
        let bound = try BindFixture.predicate(.compare("at", .equal, .text("2024-01-01T01:00:00+01:00")))
        let cell = try FieldType.dateTime.canonical(.text("2024-01-01T00:00:00Z"))
        #expect(bound.matches(BindFixture.row(6, cell)))
    }

    @Test func elementsOfAnInListAreSortedAndDistinct() throws {
        let bound = try BindFixture.predicate(
            .isIn("n", [.integer(3), .double(1), .null, .integer(3), .double(2.5), .integer(1)]))
        #expect(bound == .isIn(1, [.null, .integer(1), .integer(3)]))
    }

    @Test(arguments: [0, 1, 2])
    func depthIsLimitedExactly(_ excess: Int) throws {
        let limits = Capabilities.Limits(predicateDepth: 10)
        var predicate = Predicate.constant(true)
        for _ in 0..<8 + excess { predicate = .not(predicate) }
        if excess < 2 {
            _ = try BindFixture.predicate(predicate, limits: limits)
        } else {
            #expect(throws: StorageError(.limitExceeded, "")) { try BindFixture.predicate(predicate, limits: limits) }
        }
    }

    @Test func partsAreLimitedExactly() throws {
        let limits = Capabilities.Limits(predicateNodeCount: 10)
        let list = { (count: Int) in Predicate.isIn("n", Array(repeating: .integer(1), count: count)) }
        let group = { (count: Int) in Predicate.or(Array(repeating: .constant(true), count: count)) }
        _ = try BindFixture.predicate(list(9), limits: limits)
        _ = try BindFixture.predicate(group(9), limits: limits)
        #expect(throws: StorageError(.limitExceeded, "")) { try BindFixture.predicate(list(10), limits: limits) }
        #expect(throws: StorageError(.limitExceeded, "")) { try BindFixture.predicate(group(10), limits: limits) }
    }

    @Test func deepPredicateIsRefusedBeforeItExhaustsTheStack() {
        var predicate = Predicate.constant(true)
        for _ in 0..<2_000 { predicate = .not(predicate) }
        #expect(throws: StorageError(.limitExceeded, "")) { try BindFixture.predicate(predicate) }
    }
}

extension Predicate {
    fileprivate func and(_ field: String) -> Predicate { .and([self, .compare(field, .equal, .null)]) }
}

struct NumericOperandTests {
    private static let integers: [Int64] = ValuePool.integers + [3, -3, (1 << 53) + 2, -(1 << 53) + 1]
    private static let doubles: [Double] =
        ValuePool.doubles + [
            -0.0, 0.5, -0.5, 2.5, -2.5, 6.999999999999999, 0x1p63.nextDown, (-0x1p63).nextDown, (-0x1p63).nextUp,
            0x1p53 + 2, 1e19, -1e19, 1e-300,
        ]

    /// Compares by splitting the double into whole and fraction; independent of `ValueOrder`.
    private static func exactly(_ integer: Int64, _ double: Double) -> Ordering {
        let whole = double.rounded(.down)
        guard let wholeInteger = Int64(exactly: whole) else { return double > 0 ? .ascending : .descending }
        let ordering = Ordering(integer, wholeInteger)
        return ordering == .equal && double > whole ? .ascending : ordering
    }

    private static func holds(_ ordering: Ordering, _ comparison: Predicate.Comparison) -> Bool {
        switch comparison {
        case .equal: ordering == .equal
        case .notEqual: ordering != .equal
        case .less: ordering == .ascending
        case .lessOrEqual: ordering != .descending
        case .greater: ordering == .descending
        case .greaterOrEqual: ordering != .ascending
        }
    }

    @Test(arguments: Predicate.Comparison.allCases)
    func integerFieldComparesExactlyWithADouble(_ comparison: Predicate.Comparison) throws {
        for double in Self.doubles {
            let bound = try BindFixture.predicate(.compare("n", comparison, .double(double)))
            for integer in Self.integers {
                #expect(
                    bound.matches(BindFixture.row(1, .integer(integer)))
                        == Self.holds(Self.exactly(integer, double), comparison),
                    "\(integer) \(comparison) \(double)")
            }
            #expect(bound.matches(BindFixture.row(1, .null)) == (comparison == .notEqual))
        }
    }

    @Test(arguments: Predicate.Comparison.allCases)
    func doubleFieldComparesExactlyWithAnInteger(_ comparison: Predicate.Comparison) throws {
        for integer in Self.integers {
            let bound = try BindFixture.predicate(.compare("x", comparison, .integer(integer)))
            for double in Self.doubles {
                #expect(
                    bound.matches(BindFixture.row(2, .double(double)))
                        == Self.holds(Self.exactly(integer, double).reversed, comparison),
                    "\(double) \(comparison) \(integer)")
            }
            #expect(bound.matches(BindFixture.row(2, .null)) == (comparison == .notEqual))
        }
    }

    @Test func boundsAndListsOfTheOtherKindAreExact() throws {
        for low in Self.doubles {
            for high in Self.doubles {
                let between = try BindFixture.predicate(.between("n", .double(low), .double(high)))
                let isIn = try BindFixture.predicate(.isIn("n", [.double(low), .double(high)]))
                for integer in Self.integers {
                    let (toLow, toHigh) = (Self.exactly(integer, low), Self.exactly(integer, high))
                    let row = BindFixture.row(1, .integer(integer))
                    #expect(between.matches(row) == (toLow != .ascending && toHigh != .descending))
                    #expect(isIn.matches(row) == (toLow == .equal || toHigh == .equal))
                }
            }
        }
    }
}

struct QueryPlanBindTests {
    private func error(_ plan: QueryPlan) -> StorageError? {
        do {
            _ = try BindFixture.schema().bind(plan)
            return nil
        } catch {
            return error as? StorageError
        }
    }

    @Test(arguments: [
        QueryPlan("E", limit: -1), QueryPlan("E", offset: -1),
        QueryPlan("E", sort: [SortKey("n"), SortKey("n", .descending)]), QueryPlan("E", projection: ["n", "n"]),
        QueryPlan("E", after: Cursor([])), QueryPlan("E", sort: [SortKey("n")], after: Cursor([.text("1")])),
        QueryPlan("E", after: Cursor([.text("1"), .null])),
    ])
    func planThatBreaksTheContractIsAMisuse(_ plan: QueryPlan) {
        #expect(error(plan) == StorageError(.misuse, ""))
    }

    @Test(arguments: [
        QueryPlan("F"), QueryPlan("e"), QueryPlan("E", sort: [SortKey("l")]), QueryPlan("E", sort: [SortKey("nope")]),
        QueryPlan("E", projection: ["id", "nope"]),
    ])
    func planThatNamesWhatIsNotThereIsASchemaMismatch(_ plan: QueryPlan) {
        #expect(error(plan) == StorageError(.schemaMismatch, ""))
    }

    @Test func cursorOfAnotherTypeIsUnrepresentable() {
        #expect(error(QueryPlan("E", after: Cursor([.integer(1)]))) == StorageError(.unrepresentable, ""))
    }

    @Test func keyCompletesTheOrderAscending() throws {
        let query = try BindFixture.schema().bind(QueryPlan("E", sort: [SortKey("n", .descending)]))
        #expect(query.order.map(\.position) == [1, 0])
        #expect(query.order.map(\.isDescending) == [true, false])
        #expect(!query.isKeyOrder)
    }

    @Test func keyOrderIsRecognized() throws {
        let schema = try BindFixture.schema()
        #expect(try schema.bind(QueryPlan("E")).isKeyOrder)
        #expect(try schema.bind(QueryPlan("E", sort: [SortKey("id")])).isKeyOrder)
        #expect(try !schema.bind(QueryPlan("E", sort: [SortKey("id", .descending)])).isKeyOrder)
        #expect(try !schema.bind(QueryPlan("E", sort: [SortKey("id"), SortKey("n")])).isKeyOrder)
    }

    @Test func projectionKeepsItsOrder() throws {
        let schema = try BindFixture.schema()
        #expect(try schema.bind(QueryPlan("E", projection: ["t", "id"])).projection == [3, 0])
        #expect(try !schema.bind(QueryPlan("E", projection: ["t", "id"])).projectsAllFields)
        #expect(try schema.bind(QueryPlan("E")).projectsAllFields)
    }
}
