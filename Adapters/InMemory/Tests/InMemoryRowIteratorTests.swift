import HoldfastAdapterKit
import HoldfastStorage
import Testing

@testable import HoldfastInMemory

/// Runs of equal values that a descending index delivers in the opposite direction.
@Suite struct InMemoryRowIteratorTests {
    private static let ranked = EntitySchema(
        "Note", fields: [FieldSchema("id", .id), FieldSchema("rank", .int)],
        indexes: [IndexSchema("byRank", on: ["rank"])])

    private func iterator(_ count: Int, distinctRanks: Int) throws -> InMemoryRowIterator {
        var table = InMemoryTable(InMemoryLayout(Self.ranked))
        for number in 0..<count {
            let cells: [Value] = [.text("k\(100_000 + number)"), .integer(Int64(number % distinctRanks))]
            try table.put(InMemoryRecord(cells: cells, version: 1), .upsert, operation: 0)
        }
        return InMemoryRowIterator(
            table,
            AccessPath(source: .index(0), ranges: [.all], isReversed: true, order: .totalWithReversedRuns([1])))
    }

    @Test func aPageOverFewDistinctValuesReadsFewRecordsAhead() throws {
        var iterator = try iterator(20_000, distinctRanks: 2)
        for number in 0..<20 {
            #expect(iterator.next()?.cells == [.text("k\(100_001 + 2 * number)"), .integer(1)])
            #expect(iterator.run.count <= 64)
        }
    }

    @Test(arguments: [1, 2, 60, 64, 65, 66, 3_000]) func runsOfAnyLengthComeInOrder(distinctRanks: Int) throws {
        var iterator = try iterator(3_000, distinctRanks: distinctRanks)
        let expected = (0..<3_000).sorted { left, right in
            let (first, second) = (left % distinctRanks, right % distinctRanks)
            return first != second ? first > second : left < right
        }
        var found: [Value] = []
        while let record = iterator.next() { found.append(record.cells[0]) }
        #expect(found == expected.map { .text("k\(100_000 + $0)") })
    }
}
