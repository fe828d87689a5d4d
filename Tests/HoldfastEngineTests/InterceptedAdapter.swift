import HoldfastStorage
import HoldfastTestSupport
import Synchronization

/// An adapter that lets a test step in before every commit but those of settings.
final class InterceptedAdapter: StorageAdapter {
    typealias BeforeCommit = @Sendable (_ attempt: Int, CommitRequest) async throws(StorageError) -> Void

    private let base: any StorageAdapter
    private let beforeCommit: BeforeCommit
    private let attempts = Mutex(0)
    private let underWay = Countdown()

    init(_ base: any StorageAdapter, beforeCommit: @escaping BeforeCommit) {
        self.base = base
        self.beforeCommit = beforeCommit
    }

    /// How often a commit was asked for.
    var commitCount: Int { attempts.withLock { $0 } }

    var capabilities: Capabilities { base.capabilities }
    func open(_ request: OpenRequest) async throws(StorageError) { try await base.open(request) }
    func snapshot() async throws(StorageError) -> any AdapterSnapshot { try await base.snapshot() }
    func close() async throws(StorageError) {
        await underWay.waitUntilNone()
        try await base.close()
    }
    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.get(request, into: &rows)
    }

    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        if request.operations.allSatisfy({ $0.entity == "__settings" }) && !request.operations.isEmpty {
            return try await base.commit(request)
        }
        let attempt = attempts.withLock { count in
            count += 1
            return count
        }
        underWay.enter()
        defer { underWay.leave() }
        try await beforeCommit(attempt, request)
        return try await base.commit(request)
    }
}

/// Counts what is under way; those who wait go on when nothing is.
final class Countdown: Sendable {
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
