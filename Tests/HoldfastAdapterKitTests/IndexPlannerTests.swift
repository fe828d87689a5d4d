import HoldfastAdapterKit
import HoldfastConformance
import HoldfastStorage
import Testing

@Suite struct IndexPlannerTests {
    let schema: StorageSchema

    init() throws {
        schema = try StorageSchema(entities: [
            EntitySchema(
                "Post",
                fields: [
                    FieldSchema("id", .id), FieldSchema("author", .string), FieldSchema("rank", .int),
                    FieldSchema("slug", .string, isRequired: true), FieldSchema("alias", .string),
                ],
                indexes: [
                    IndexSchema("byAuthorRank", on: ["author", "rank"]), IndexSchema("byRank", on: ["rank"]),
                    IndexSchema("bySlug", on: ["slug"], isUnique: true),
                    IndexSchema("byAlias", on: ["alias"], isUnique: true),
                ])
        ])
    }

    private func plan(
        _ predicate: Predicate = .all, sort: [SortKey] = [], after: Cursor? = nil
    ) throws -> AccessPath {
        IndexPlanner.plan(try schema.bind(QueryPlan("Post", where: predicate, sort: sort, after: after)))
    }

    // MARK: The choice

    @Test func everythingIsReadFromThePrimaryKey() throws {
        #expect(try plan() == AccessPath(source: .primaryKey, ranges: [.all], order: .total))
        let other = try plan(.contains("author", .text("x")), sort: [SortKey("author"), SortKey("slug")])
        #expect(other == AccessPath(source: .primaryKey, ranges: [.all], order: .unordered))
    }

    @Test func aWholeKeyBeatsALongerPrefixOfAnIndex() throws {
        let path = try plan(
            .and([
                .compare("author", .equal, .text("a")), .compare("rank", .equal, .integer(1)),
                .isIn("id", [.text("x"), .text("y")]),
            ]))
        #expect(path.source == .primaryKey)
        #expect(path.ranges.count == 2)
    }

    @Test func aUniqueIndexIsAKeyUnlessNullIsWanted() throws {
        let author = Predicate.compare("author", .equal, .text("a"))
        let rank = Predicate.compare("rank", .equal, .integer(1))
        #expect(try plan(.and([author, rank, .compare("alias", .equal, .text("a"))])).source == .index(3))
        #expect(try plan(.and([author, rank, .compare("alias", .equal, .null)])).source == .index(0))
    }

    @Test func theLongestEqualityPrefixWins() throws {
        let rank = Predicate.compare("rank", .equal, .integer(1))
        #expect(try plan(rank).source == .index(1))
        #expect(try plan(.and([rank, .compare("author", .equal, .text("a"))])).source == .index(0))
    }

    @Test func aRangeFollowsTheEqualityPrefix() throws {
        let path = try plan(
            .and([.compare("author", .equal, .text("a")), .between("rank", .integer(2), .integer(4))]))
        #expect(path.source == .index(0))
        let expected = ByteRange(
            from: KeyCodec.encode([.text("a"), .integer(2)]), to: KeyCodec.encode([.text("a"), .integer(5)]))
        #expect(path.ranges == [expected])
    }

    @Test func aTextPrefixIsARange() throws {
        let path = try plan(.beginsWith("author", "ab"))
        #expect(path.source == .index(0))
        #expect(path.ranges == [ByteRange(from: [0x30, 0x61, 0x62], to: [0x30, 0x61, 0x63])])
    }

    @Test func aRangeWinsOverAnOrder() throws {
        let path = try plan(.compare("rank", .greater, .integer(1)), sort: [SortKey("author")])
        #expect(path.source == .index(1))
        #expect(path.order == .unordered)
        #expect(try plan(sort: [SortKey("author"), SortKey("rank")]).source == .index(0))
    }

    @Test func nothingIsReadForAnImpossiblePredicate() throws {
        let impossible: [Predicate] = [
            .constant(false), .isIn("rank", []), .compare("rank", .less, .null),
            .and([.compare("rank", .equal, .integer(1)), .compare("rank", .equal, .integer(2))]),
            .and([.compare("rank", .less, .integer(1)), .compare("rank", .greater, .integer(2))]),
            .between("rank", .integer(2), .integer(1)),
        ]
        for predicate in impossible { #expect(try plan(predicate).ranges == [], "\(predicate)") }
    }

    @Test func aLongListOfValuesBecomesOneRange() throws {
        let values = (0..<2_000).map { Value.integer(Int64($0)) }
        #expect(try plan(.isIn("rank", Array(values.prefix(1_000)))).ranges.count == 1_000)
        let range = ByteRange(from: KeyCodec.encode([values[0]]), to: KeyCodec.encode([.integer(2_000)]))
        #expect(try plan(.isIn("rank", values)).ranges == [range])
    }

    /// Each value compared with each of the other list would take minutes.
    @Test func valuesInTwoLongListsAreFoundInOneLook() throws {
        let common: [Int64] = [150_000, 200_000]
        func list(from first: Int64) -> Predicate {
            let own: [Int64] = (0..<49_000).map { first + 2 * $0 }
            return .isIn("rank", (common.reversed() + own + common).map { Value.integer($0) })
        }
        let path = try plan(.and([list(from: 0), list(from: 1)]))
        #expect(path.source == .index(1))
        let ranges = common.map { ByteRange(prefix: KeyCodec.encode([.integer($0)])) }
        #expect(path.ranges == ranges)
        #expect(try plan(.and([list(from: 0), .isIn("rank", [.integer(1), .integer(98_000)])])).ranges == [])
    }

    // MARK: The order

    @Test func aDescendingSortReversesRunsOfTies() throws {
        let path = try plan(sort: [SortKey("rank", .descending)])
        #expect(path.source == .index(1))
        #expect(path.isReversed)
        #expect(path.order == .totalWithReversedRuns([2]))
        #expect(try plan(sort: [SortKey("rank", .descending), SortKey("id", .descending)]).order == .total)
        #expect(try plan(sort: [SortKey("id", .descending)]).order == .total)
    }

    @Test func aRunIsInOneRange() throws {
        let authors = Predicate.isIn("author", [.text("a"), .text("b")])
        let both = Predicate.and([authors, .isIn("rank", [.integer(3), .integer(4)])])
        let runOfAuthor = [SortKey("author", .descending), SortKey("rank")]
        let path = try plan(both, sort: runOfAuthor)
        #expect(path.source == .index(0))
        #expect(path.ranges.count == 4)
        #expect(path.order == .unordered)
        // Several values of a field of the run divide no run, and neither does one range behind it.
        let runOfBoth = [SortKey("author", .descending), SortKey("rank", .descending)]
        #expect(try plan(both, sort: runOfBoth).order == .totalWithReversedRuns([1, 2]))
        let between = Predicate.and([authors, .between("rank", .integer(3), .integer(4))])
        #expect(try plan(between, sort: runOfAuthor).order == .totalWithReversedRuns([1]))
    }

    @Test func aRunOfACompositeKeyIsInOneRange() throws {
        let pair = EntitySchema(
            "Pair", fields: [FieldSchema("a", .int), FieldSchema("b", .int)], primaryKey: ["a", "b"])
        let values = [Value.integer(1), .integer(2)]
        let plan = QueryPlan(
            "Pair", where: .and([.isIn("a", values), .isIn("b", values)]), sort: [SortKey("a", .descending)])
        let path = IndexPlanner.plan(try StorageSchema(entities: [pair]).bind(plan))
        #expect(path.source == .primaryKey)
        #expect(path.ranges.count == 4)
        #expect(path.order == .unordered)
    }

    @Test func aUniqueRequiredFieldHasNoTies() throws {
        let slug = try plan(sort: [SortKey("slug", .descending)])
        #expect(slug == AccessPath(source: .index(2), ranges: [.all], isReversed: true, order: .total))
        #expect(try plan(sort: [SortKey("alias", .descending)]).order == .totalWithReversedRuns([4]))
    }

    @Test func aPinnedFieldTakesNoPartInTheOrder() throws {
        let author = Predicate.compare("author", .equal, .text("a"))
        let path = try plan(author, sort: [SortKey("rank")])
        #expect(path.source == .index(0))
        #expect(path.order == .total)
        #expect(try plan(author, sort: [SortKey("author", .descending), SortKey("rank")]).order == .total)
    }

    // MARK: The cursor

    @Test func aCursorCutsTheRange() throws {
        let key = try plan(after: Cursor([.text("m")]))
        #expect(key.ranges == [ByteRange(from: KeyCodec.encode([.text("m")]), to: nil)])
        let descending = try plan(sort: [SortKey("rank", .descending)], after: Cursor([.integer(3), .text("m")]))
        #expect(descending.ranges == [ByteRange(from: [], to: KeyCodec.encode([.integer(4)]))])
    }

    @Test func aCursorBesideAPinnedValueCutsNothing() throws {
        let path = try plan(
            .compare("author", .equal, .text("b")), sort: [SortKey("author"), SortKey("rank")],
            after: Cursor([.text("a"), .integer(7), .text("m")]))
        #expect(path.ranges == [ByteRange(prefix: KeyCodec.encode([.text("b")]))])
    }

    // MARK: Everything at once

    @Test(arguments: 1...8) func everyPathDeliversTheAnswer(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let rows = PlannerRows(schema: schema, random: &random)
        var orders: Set<String> = []
        for _ in 0..<400 {
            let query = try schema.bind(rows.randomPlan(&random))
            let path = IndexPlanner.plan(query)
            orders.insert("\(path.order)".prefix { $0 != "(" }.description)
            let scanned = rows.scan(path, query.entity)
            #expect(Set(scanned).count == scanned.count)
            let matching = scanned.filter { rows.rows[$0].withUnsafeBufferPointer(query.isAfterCursor) }
                .filter { query.predicate.matches(rows.rows[$0]) }
            let expected = rows.answer(query)
            #expect(Set(matching) == Set(expected), "\(query.predicate) by \(path)")
            if path.order != .unordered { #expect(matching == expected, "\(query) by \(path)") }
        }
        #expect(orders.count == 3)
    }
}
