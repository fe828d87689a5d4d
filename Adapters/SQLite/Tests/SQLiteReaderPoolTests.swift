#if SQLite
import HoldfastAdapterTestSupport
@testable import HoldfastSQLite
import HoldfastStorage
import Testing

/// More readers at once than snapshots may be open.
@Suite struct SQLiteReaderPoolTests {
    private let configuration = SQLiteConfiguration(.temporary, busyTimeout: .seconds(600))

    @Test func aBurstOfQueriesIsAnswered() async throws {
        let store = try await Store.open(SQLiteAdapter(configuration), schema: try StorageSchema(entities: [note]))
        try await store.put("Note", (0..<10).map { noteRow("k\($0)") })
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<300 { group.addTask { try await store.rows(QueryPlan("Note")).count } }
            return try await group.reduce(0, +)
        }
        #expect(count == 3_000)
        try await store.close()
    }

    @Test func oneSnapshotTooManyWaitsUntilAnotherIsClosed() async throws {
        let schema = try StorageSchema(entities: [note])
        let store = try SQLiteStore(configuration, OpenRequest(schema: schema))
        var snapshots: [SQLiteSnapshot] = []
        for _ in 0..<SQLiteReaderPool.maximumSnapshotCount { snapshots.append(try await store.snapshot()) }

        let cancelled = Task { try await store.snapshot() }
        while store.readers.waitingCount < 1 { await Task.yield() }
        let next = Task { try await store.snapshot() }
        while store.readers.waitingCount < 2 { await Task.yield() }
        cancelled.cancel()
        #expect(await storageError { _ = try await cancelled.value }?.kind == .cancelled)

        // A caller who holds a snapshot reads as before.
        var rows = RowBuffer()
        try await store.get(GetRequest("Note", keys: [RecordKey("a")]), into: &rows)
        try await store.get(GetRequest("Note", keys: (0..<100).map { RecordKey("k\($0)") }), into: &rows)
        #expect(rows.rowCount == 100)
        try await store.page(schema.bind(QueryPlan("Note", limit: 10)), into: &rows)
        try await store.page(schema.bind(QueryPlan("Note", limit: 1_000)), into: &rows)
        #expect(rows.isEmpty)
        #expect(try await store.verify() == [])
        #expect(store.readers.waitingCount == 1)

        await snapshots[0].close()
        let taken = try await next.value
        let last = Task { try await store.snapshot() }
        while store.readers.waitingCount < 1 { await Task.yield() }
        await store.close()
        #expect(await storageError { _ = try await last.value }?.kind == .closed)
        #expect(taken.isClosed && snapshots[1].isClosed)
    }
}
#endif
