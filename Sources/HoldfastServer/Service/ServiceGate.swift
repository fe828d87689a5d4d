import HoldfastStorage

/// Lets requests in to the service, and none while another one takes its place.
final class ServiceGate: Sendable {
    private struct State {
        var service: Service
        var isOpen = true
        var insideCount = 0
        /// Those who wait until it is open.
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// Waits until nothing is inside.
        var leaving: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(_ service: Service) { state = Mutex(State(service: service)) }

    /// The service of the moment.
    var service: Service { state.withLock { $0.service } }

    /// Whether nothing waits for the service to be left.
    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Uses the service; waits while another one takes its place.
    func use<Result, Failure: Error>(
        _ body: (Service) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let service = await enter()
        defer { leave() }
        return try await body(service)
    }

    /// No longer lets anything in, and waits until all that is inside has ended.
    ///
    /// - Throws: `.busy` if it is closed already.
    func close() async throws(StorageError) {
        let isClosed = state.withLock { state in
            defer { state.isOpen = false }
            return !state.isOpen
        }
        guard !isClosed else { throw StorageError(.busy, "The schema is being changed already; try again.") }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isEmpty = state.withLock { state in
                if state.insideCount > 0 { state.leaving = continuation }
                return state.insideCount == 0
            }
            if isEmpty { continuation.resume() }
        }
    }

    /// Lets requests in again.
    func open(_ service: Service) {
        let waiting = state.withLock { state in
            state.service = service
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    private func enter() async -> Service {
        while true {
            let service = state.withLock { state -> Service? in
                guard state.isOpen else { return nil }
                state.insideCount += 1
                return state.service
            }
            if let service { return service }
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }
    }

    private func leave() {
        let leaving = state.withLock { state in
            state.insideCount -= 1
            guard state.insideCount == 0 else { return nil as CheckedContinuation<Void, Never>? }
            defer { state.leaving = nil }
            return state.leaving
        }
        leaving?.resume()
    }
}
