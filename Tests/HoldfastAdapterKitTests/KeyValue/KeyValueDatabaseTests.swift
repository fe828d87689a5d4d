import Dispatch
import HoldfastAdapterKit
import HoldfastStorage
import Testing

/// When the engine is closed.
@Suite struct KeyValueDatabaseTests {
    private static let note = EntitySchema("Note", fields: [FieldSchema("id", .id)])

    /// Its thread is still in the engine, which may wait for the lock of another process.
    @Test func anAdapterThatIsDroppedAfterACancelledCommitClosesTheEngineLater() async throws {
        let mayBegin = DispatchSemaphore(value: 0)
        let (closings, closing) = AsyncStream<Bool>.makeStream()
        try await dropWhileACommitWaits(for: mayBegin, closing)
        mayBegin.signal()
        for await wasInside in closings {
            #expect(!wasInside)
            break
        }
    }

    /// Cancels a commit that waits for its transaction, and drops the adapter.
    ///
    /// `closing` delivers whether the engine was beginning a transaction when it was closed.
    private func dropWhileACommitWaits(
        for mayBegin: DispatchSemaphore, _ closing: AsyncStream<Bool>.Continuation
    ) async throws {
        let adapter = OrderedAdapter(hasTransactions: true)
        try await adapter.open(OpenRequest(schema: StorageSchema(entities: [Self.note])))
        let isInside = Mutex(false)
        let (begins, begin) = AsyncStream<Void>.makeStream()
        try adapter.engine.beforeNextBegin {
            isInside.store(true)
            begin.yield()
            mayBegin.wait()
            isInside.store(false)
        }
        try adapter.engine.onClose { closing.yield(isInside.load()) }
        let commit = Task { try await adapter.commit(CommitRequest(operations: [.clear(entity: "Note")])) }
        for await _ in begins { break }
        commit.cancel()
        await #expect(throws: StorageError(.cancelled, "")) { _ = try await commit.value }
    }
}
