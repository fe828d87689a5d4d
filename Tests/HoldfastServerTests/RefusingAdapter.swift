import HoldfastInMemory
import HoldfastStorage

/// An adapter in memory whose commits fail when a test says so.
final class RefusingAdapter: StorageAdapter {
    private let store = InMemoryAdapter()
    private let state = Mutex((refusals: 0, kind: StorageError.Kind.preconditionFailed, losesAnswer: false))
    private let closed = Mutex(false)

    var capabilities: Capabilities { store.capabilities }
    /// Whether the store was closed.
    var isClosed: Bool { closed.load() }

    /// Makes the next commits fail, by default as if another one had come first.
    func refuse(_ count: Int, with kind: StorageError.Kind = .preconditionFailed) {
        state.withLock { ($0.refusals, $0.kind) = (count, kind) }
    }

    /// Makes the next commit succeed with an error that leaves the outcome unknown.
    func loseNextAnswer() { state.withLock { $0.losesAnswer = true } }

    func open(_ request: OpenRequest) async throws(StorageError) { try await store.open(request) }
    func snapshot() async throws(StorageError) -> any AdapterSnapshot { try await store.snapshot() }
    func close() async throws(StorageError) {
        try await store.close()
        closed.store(true)
    }

    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        let (refusal, losesAnswer) = state.withLock { state -> (StorageError.Kind?, Bool) in
            let losesAnswer = state.losesAnswer
            state.losesAnswer = false
            guard state.refusals > 0 else { return (nil, losesAnswer) }
            state.refusals -= 1
            return (state.kind, losesAnswer)
        }
        if let refusal { throw StorageError(refusal, "The commit was refused.") }
        let receipt = try await store.commit(request)
        if losesAnswer { throw StorageError(.connectionLost, "The answer was lost.", transaction: .outcomeUnknown) }
        return receipt
    }
}
