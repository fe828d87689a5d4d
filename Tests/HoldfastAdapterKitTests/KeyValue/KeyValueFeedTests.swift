import Dispatch
import HoldfastAdapterKit
import HoldfastStorage
import Testing

/// What a change feed reads while commits continue.
@Suite struct KeyValueFeedTests {
    private static let note = EntitySchema("Note", fields: [FieldSchema("id", .id)])

    private static func put(_ id: String) -> CommitRequest {
        CommitRequest(operations: [.put(entity: "Note", rows: RowBuffer(row: [.text(id)]), mode: .upsert)])
    }

    @Test func aCommitBetweenTheViewAndItsReadingIsNotAGap() async throws {
        let adapter = OrderedAdapter()
        let store = try await Store.open(adapter, schema: StorageSchema(entities: [Self.note]))
        let first = try await store.commit(Self.put("a")).sequence
        var feed = try await store.changes(after: first)
        try adapter.engine.afterNextView {
            let isDone = DispatchSemaphore(value: 0)
            Task {
                _ = try? await store.commit(Self.put("b"))
                isDone.signal()
            }
            isDone.wait()
        }
        guard case .commits(let commits)? = try await feed.next() else {
            Issue.record("The feed must deliver the commit.")
            return
        }
        #expect(commits.map(\.sequence) == [first + 1])
    }
}
