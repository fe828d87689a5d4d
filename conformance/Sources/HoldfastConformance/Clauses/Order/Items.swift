package import HoldfastStorage

extension EntitySchema {
    /// `Item(id, rank, title, price, done)`: what checks of order, aggregates and writes need.
    ///
    /// - Parameters:
    ///   - name: `Item` by default.
    ///   - indexed: Whether rank, title, and rank with title have an index each.
    /// - Returns: The entity, with `id` as its key.
    package static func items(_ name: String = "Item", indexed: Bool = false) -> EntitySchema {
        EntitySchema(
            name,
            fields: [
                FieldSchema("id", .id), FieldSchema("rank", .int), FieldSchema("title", .string),
                FieldSchema("price", .float), FieldSchema("done", .boolean),
            ],
            indexes: indexed
                ? [
                    IndexSchema("byRank", on: ["rank"]), IndexSchema("byTitle", on: ["title"]),
                    IndexSchema("byTitleAndRank", on: ["title", "rank"]),
                ] : [])
    }

    /// `Pair(a, b, text)` with the key (a, b).
    static let pairs = EntitySchema(
        "Pair", fields: [FieldSchema("text", .string), FieldSchema("a", .string), FieldSchema("b", .int)],
        primaryKey: ["a", "b"])
}

/// Rows for ``EntitySchema/items(_:indexed:)``.
package enum Items {
    /// The key of the item of a number; keys of greater numbers come later.
    static func key(_ number: Int) -> RecordKey { RecordKey(id(number)) }

    /// The id of the item of a number.
    package static func id(_ number: Int) -> String { "i\(2_000_000 + number)" }

    /// An item with a rank and nothing else.
    static func row(_ number: Int, rank: Int? = nil, title: String? = nil) -> [Value] {
        [
            .text(id(number)), rank.map { .integer(Int64($0)) } ?? .null, title.map { .text($0) } ?? .null, .null,
            .null,
        ]
    }

    /// So many items whose rank is their number.
    static func numbered(_ range: Range<Int>) -> [[Value]] { range.map { row($0, rank: $0) } }

    /// Items with many nulls and equal cells, in key order.
    static func mixed(_ count: Int, seed: UInt64) -> [[Value]] {
        var random = SplitMix64(seed: seed)
        let titles = ["", "a", "A", "ab", "B", "b", "é", "e\u{301}", "z", "😀", "\u{FB00}"]
        let prices: [Double] = [0, -1.5, 2.25, 1e300, -1e300, 0.1]
        return (0..<count).map { number in
            [
                .text(id(number)),
                random.chance(20) ? .null : .integer(Int64(random.below(5) - 2)),
                random.chance(20) ? .null : .text(random.pick(titles)),
                random.chance(20) ? .null : .double(random.pick(prices)),
                random.chance(20) ? .null : .boolean(random.chance(50)),
            ]
        }
    }

    /// Every sort that checks of order try: one criterion in both directions, and mixtures.
    static let sorts: [[SortKey]] =
        ["rank", "title", "price", "done"].flatMap { [[SortKey($0)], [SortKey($0, .descending)]] } + [
            [SortKey("title"), SortKey("rank")], [SortKey("title", .descending), SortKey("rank")],
            [SortKey("title"), SortKey("rank", .descending)],
            [SortKey("title", .descending), SortKey("rank", .descending)],
            [SortKey("done"), SortKey("rank", .descending), SortKey("id", .descending)],
            [SortKey("id", .descending)], [SortKey("rank", .descending), SortKey("id", .descending)],
        ]
}

extension TestStore {
    /// Writes rows in a random order, a few per commit.
    func putShuffled(_ entity: String, _ rows: [[Value]], seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let shuffled = rows.shuffled(using: &random)
        for start in stride(from: 0, to: shuffled.count, by: 64) {
            try await put(entity, Array(shuffled[start..<min(start + 64, shuffled.count)]))
        }
    }

    /// Compares the answer to a query with what the contract's definitions say of the records.
    ///
    /// - Parameters:
    ///   - plan: The question.
    ///   - records: Every record of the entity, in key order.
    ///   - subject: The beginning of the message if the answer is wrong.
    /// - Returns: The number of rows.
    /// - Throws: ``ClauseFailure`` if the rows differ, or the error of the query.
    @discardableResult
    func expectAnswer(
        _ plan: QueryPlan, of records: [[Value]], _ subject: @autoclosure () -> String = ""
    ) async throws -> Int {
        let query = try store.schema.bind(plan)
        let expected = query.results(of: records.map { StoredRow($0, version: 1) }).map { query.projected($0).cells }
        let found = try await rows(plan)
        if found != expected {
            throw ClauseFailure(
                "\(subject()) \(SwiftText.query(plan)): \(SwiftText.difference(found, expected))",
                example: "let rows = try await store.rows(\(SwiftText.query(plan)))")
        }
        return found.count
    }
}

extension SwiftText {
    /// The first place where two results differ.
    static func difference(_ found: [[Value]], _ expected: [[Value]]) -> String {
        if found.count != expected.count {
            let keys = Set(found)
            let missing = expected.filter { !keys.contains($0) }
            return "expected \(expected.count) rows, got \(found.count)"
                + (missing.first.map { "; the first one missing is \(list($0))" } ?? "")
        }
        for (index, (found, expected)) in zip(found, expected).enumerated() where found != expected {
            return "row \(index): expected \(list(expected)), got \(list(found))"
        }
        return "no difference"
    }
}
