import HoldfastInMemory
import HoldfastStorage
import Testing

@testable import HoldfastServer

@Suite struct LabelPruningTests {
    /// A busy service makes a label each second; what stays of them does not depend on how many one commit takes out.
    @Test(arguments: [7, 500]) func labelsDoNotGrowWithoutBound(limit: Int) async throws {
        let store = try await Store.open(InMemoryAdapter(), schema: ServerSchema.plainModels().storage)
        let (minute, hour, day) = (Int64(60), Int64(3_600), Int64(86_400))
        let now = 1_000 * day
        let life = 30 * day
        var expected: [Int64] = []
        var labels: [Int64] = []
        // Days that are older than a tombstone becomes, minutes that are not, and seconds of the last hour.
        for start in [now - 90 * day, now - 89 * day] {
            labels += (0..<50).map { start + $0 * minute }
            expected.append(start)
        }
        for start in (0..<12).map({ now - 2 * hour + $0 * minute }) {
            labels += start..<(start + 60)
            expected.append(start)
        }
        labels += (now - minute)..<now
        expected += (now - minute)..<now
        for (index, label) in labels.enumerated() {
            let label = Labels.Label(label: label * 1_000, sequence: UInt64(index))
            _ = try await store.commit(CommitRequest(operations: Labels.operations(label)))
        }
        try await LabelPruning(store: store, now: now).run(tombstoneLife: life, limit: limit)
        #expect(try await Self.labels(store) == expected)
        try await LabelPruning(store: store, now: now + 60 * day).run(tombstoneLife: life, limit: limit)
        #expect(
            try await Self.labels(store) == [now - 90 * day, now - 89 * day, now - 2 * hour, now - 1])
        try await store.close()
    }

    /// An operator who never wants to lose a tombstone may give the greatest duration.
    @Test func aLifeWithoutEndCanBeAddedToTheTime() async throws {
        let options = ServerOptions(tombstoneLife: .seconds(Int64.max))
        #expect(options.tombstoneSeconds > 900 * 365 * 86_400)
        #expect(ServerOptions(tombstoneLife: .seconds(-1)).tombstoneSeconds == 0)
        let store = try await Store.open(InMemoryAdapter(), schema: ServerSchema.plainModels().storage)
        let pruning = LabelPruning(store: store, now: 1_700_000_000)
        try await pruning.run(tombstoneLife: options.tombstoneSeconds, limit: 10)
        try await store.close()
    }

    /// The labels in seconds.
    private static func labels(_ store: Store) async throws -> [Int64] {
        try await store.read { snapshot async throws(StorageError) in
            var scan = try await snapshot.query(QueryPlan(SystemEntity.label.name, sort: [SortKey("label")]))
            var labels: [Int64] = []
            var rows = RowBuffer()
            repeat {
                try await scan.next(into: &rows)
                for row in 0..<rows.rowCount {
                    if case .integer(let label) = rows[row, 0] { labels.append(label / 1_000) }
                }
            } while !rows.isEmpty
            return labels
        }
    }
}
