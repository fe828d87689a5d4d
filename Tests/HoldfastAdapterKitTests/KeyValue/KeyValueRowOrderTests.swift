import HoldfastStorage
import Testing

@testable import HoldfastAdapterKit

/// In which order rows are put.
@Suite struct KeyValueRowOrderTests {
    private static let seat = EntitySchema(
        "Seat",
        fields: [FieldSchema("hall", .string, isRequired: true), FieldSchema("number", .int, isRequired: true)],
        primaryKey: ["hall", "number"])

    /// Short texts, so that many keys have the same beginning or are equal.
    private func seats(_ count: Int, _ random: inout SplitMix64) -> RowBuffer {
        var rows = RowBuffer(columnCount: 2)
        for _ in 0..<count {
            let hall = (0..<Int.random(in: 0...9, using: &random)).map { _ in "ab".randomElement(using: &random) ?? "a"
            }
            rows.append([.text(String(hall)), .integer(Int64.random(in: -1...1, using: &random))])
        }
        return rows
    }

    private func table() throws -> KeyValueTable {
        let options = KeyValueStore.Options(mark: "test", changeLogCommitCount: 0, hasIndexes: true, isShared: false)
        let request = OpenRequest(schema: try StorageSchema(entities: [Self.seat]))
        let opening = KeyValueOpening(engine: try OrderedEngine(), options: options, log: nil, request: request)
        return try #require(try opening.run().tables["Seat"])
    }

    @Test func rowsAreInTheOrderOfTheirKeysAndEqualOnesAsTheyCame() throws {
        let table = try table()
        var random = SplitMix64(seed: 1)
        var strictCount = 0
        for _ in 0..<500 {
            let rows = seats(Int.random(in: 0...12, using: &random), &random)
            let expected = (0..<rows.rowCount).sorted { left, right in
                let order = ValueOrder.compareLists(rows[left], rows[right])
                return order == .equal ? left < right : order == .ascending
            }
            let isStrict = zip(expected, expected.dropFirst()).allSatisfy { rows[$0] != rows[$1] }
            let order = KeyValueRowOrder(rows, in: table)
            #expect(order.rows == expected)
            #expect(order.isStrict == isStrict)
            if isStrict { strictCount += 1 }
        }
        #expect((100..<450).contains(strictCount), "Both kinds were tried.")
    }
}
