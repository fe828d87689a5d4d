package import HoldfastStorage

/// An adapter that lets a test step in before every snapshot and every reading by key, and before and after every commit
/// but those of settings.
package final class InterceptedAdapter: StorageAdapter {
    package typealias BeforeSnapshot = @Sendable () async throws(StorageError) -> Void
    package typealias BeforeCommit = @Sendable (_ attempt: Int, CommitRequest) async throws(StorageError) -> Void
    package typealias AfterCommit = @Sendable (_ attempt: Int, StorageError?) async -> Void

    private let base: any StorageAdapter
    private let beforeSnapshot: BeforeSnapshot
    private let beforeCommit: BeforeCommit
    private let afterCommit: AfterCommit
    private let beforeGet: BeforeSnapshot
    private let attempts = Mutex(0)
    private let inProgress = ActivityCount()

    package init(
        _ base: any StorageAdapter, beforeCommit: @escaping BeforeCommit = { _, _ in },
        afterCommit: @escaping AfterCommit = { _, _ in }, beforeGet: @escaping BeforeSnapshot = {},
        beforeSnapshot: @escaping BeforeSnapshot = {}
    ) {
        self.base = base
        self.beforeSnapshot = beforeSnapshot
        self.beforeCommit = beforeCommit
        self.afterCommit = afterCommit
        self.beforeGet = beforeGet
    }

    /// Makes the first commit that touches an entity open one gate and wait for another.
    package convenience init(_ base: any StorageAdapter, pausingAt entity: String, _ reached: Gate, until gate: Gate) {
        let isFirst = Mutex(true)
        self.init(base) { _, request async throws(StorageError) in
            guard request.operations.contains(where: { $0.entity == entity }), isFirst.exchange(false) else { return }
            reached.open()
            await gate.wait()
        }
    }

    /// How often a commit was asked for.
    package var commitCount: Int { attempts.withLock { $0 } }

    package var capabilities: Capabilities { base.capabilities }
    package func open(_ request: OpenRequest) async throws(StorageError) { try await base.open(request) }
    package func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        try await beforeSnapshot()
        return try await base.snapshot()
    }
    package func changes(after sequence: UInt64?) async throws(StorageError) -> any ChangeFeed {
        try await base.changes(after: sequence)
    }
    package func close() async throws(StorageError) {
        await inProgress.waitUntilNone()
        try await base.close()
    }
    package func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try await beforeGet()
        try await base.get(request, into: &rows)
    }

    package func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        if request.operations.allSatisfy({ $0.entity == "__settings" }) && !request.operations.isEmpty {
            return try await base.commit(request)
        }
        let attempt = attempts.withLock { count in
            count += 1
            return count
        }
        inProgress.enter()
        defer { inProgress.leave() }
        do throws(StorageError) {
            try await beforeCommit(attempt, request)
            let receipt = try await base.commit(request)
            await afterCommit(attempt, nil)
            return receipt
        } catch {
            await afterCommit(attempt, error)
            throw error
        }
    }
}

/// Counts what is in progress; those who wait continue when nothing is.
private final class ActivityCount: Sendable {
    private let state = Mutex<(count: Int, waiters: [CheckedContinuation<Void, Never>])>((0, []))

    func enter() { state.withLock { $0.count += 1 } }

    func leave() {
        let waiters = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func waitUntilNone() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.count > 0 { state.waiters.append(continuation) }
                return state.count == 0
            }
            if isIdle { continuation.resume() }
        }
    }
}
