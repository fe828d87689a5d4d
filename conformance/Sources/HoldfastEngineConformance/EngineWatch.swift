import HoldfastConformance
import HoldfastStorage

/// What is between the engine and the adapter in some checks: counts reads, and steps in before a commit.
final class EngineWatch: Sendable {
    private struct State {
        var reads: [String: Int] = [:]
        var commitCount = 0
        var step: (@Sendable () async throws -> Void)?
    }
    private let state = Mutex(State())

    /// How often records of an entity were asked for since ``reset()``, one for each call.
    subscript(entity: String) -> Int { state.withLock { $0.reads[entity] ?? 0 } }
    /// Commits since ``reset()``.
    var commitCount: Int { state.withLock { $0.commitCount } }

    /// Counts from 0 again.
    func reset() { state.withLock { $0 = State(step: $0.step) } }

    /// Does something once, before the next commit of the engine reaches the adapter.
    func beforeNextCommit(_ step: @escaping @Sendable () async throws -> Void) { state.withLock { $0.step = step } }

    fileprivate func note(_ entity: String) { state.withLock { $0.reads[entity, default: 0] += 1 } }

    fileprivate func commits() async throws(StorageError) {
        let step = state.withLock { state in
            defer { state.step = nil }
            state.commitCount += 1
            return state.step
        }
        do {
            try await step?()
        } catch {
            throw error as? StorageError ?? StorageError(.io, "What another writer did in between failed: \(error)")
        }
    }
}

/// The adapter under test with an ``EngineWatch`` before it.
struct WatchedAdapter: StorageAdapter {
    let base: any StorageAdapter
    let watch: EngineWatch

    var capabilities: Capabilities { base.capabilities }
    func open(_ request: OpenRequest) async throws(StorageError) { try await base.open(request) }
    func close() async throws(StorageError) { try await base.close() }
    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try await watch.commits()
        return try await base.commit(request)
    }
    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        watch.note(request.entity)
        try await base.get(request, into: &rows)
    }
    func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        WatchedSnapshot(base: try await base.snapshot(), watch: watch)
    }
    func changes(after sequence: UInt64?) async throws(StorageError) -> any ChangeFeed {
        try await base.changes(after: sequence)
    }
}

private struct WatchedSnapshot: AdapterSnapshot {
    let base: any AdapterSnapshot
    let watch: EngineWatch

    var sequence: UInt64 { base.sequence }
    func close() async { await base.close() }
    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        watch.note(request.entity)
        try await base.get(request, into: &rows)
    }
    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan {
        watch.note(range.entity)
        return try await base.scan(range)
    }
    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
        watch.note(query.entity.name)
        return try await base.query(query)
    }
    func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        watch.note(aggregate.query.entity.name)
        return try await base.aggregate(aggregate)
    }
}
