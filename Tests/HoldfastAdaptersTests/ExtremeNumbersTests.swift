import HoldfastAdapterTestSupport
import HoldfastStorage
import Testing

/// Numbers that no application needs, but that anybody can ask for.
struct ExtremeNumbersTests {
    /// The adapters that have a change feed without being told so.
    private static let withFeed = TestedAdapter.available.filter { ["sqlite", "postgresql"].contains($0.rawValue) }

    private func open(_ adapter: any StorageAdapter) async throws -> Store {
        let store = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
        for number in 0..<3 { try await store.put("Note", [noteRow("k\(number)")]) }
        return store
    }

    @Test(arguments: TestedAdapter.available, [Int.max - 1, .max])
    func aPageAfterTheEndIsEmpty(_ adapter: TestedAdapter, offset: Int) async throws {
        let store = try await open(adapter.make())
        let cursor = Cursor([.text("k0")])
        for limit in [nil, 1, Int.max] {
            let plan = QueryPlan("Note", limit: limit, offset: offset, after: cursor)
            #expect(try await store.rows(plan).isEmpty)
        }
        try await store.close()
    }

    @Test(arguments: Self.withFeed, [UInt64(Int64.max), 1 << 63, .max - 1, .max])
    func aFeedAfterTheLastCommitDeliversNoEarlierOne(_ adapter: TestedAdapter, sequence: UInt64) async throws {
        let store = try await open(adapter.make())
        var control = try await store.changes()
        var feed = try await store.changes(after: sequence)
        async let element = feed.next()
        try await store.put("Note", [noteRow("later")])
        // The feed reads the log when it begins, and once more after a commit.
        _ = try await control.next()
        try await store.close()
        #expect(try await element == nil)
    }
}
