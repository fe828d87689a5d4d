#if Sync
public import HoldfastEngine
public import HoldfastStorage
public import HoldfastSync

/// A transport that learns from its requests whether the service can be reached.
///
/// It is for systems that do not report the state of their network. A response with any status shows that the service
/// can be reached. After a request that could not be sent, a probe says whether it can: there are other reasons, such as
/// a header that cannot be written. If it cannot, a probe is made from time to time, since the sync engine sends nothing
/// without a network.
public final class TransportMonitor: SyncTransport, ReachabilityMonitor {
    private struct State {
        var isUp = true
        var readers: [UInt64: AsyncStream<Bool>.Continuation] = [:]
        var nextReader: UInt64 = 0
        var probing: Task<Void, Never>?
    }

    private let transport: any SyncTransport
    private let probe: @Sendable () async -> Bool
    private let interval: Duration
    private let surroundings: Surroundings
    private let state = Mutex(State())

    /// Creates a monitor of a transport; the service counts as reachable at first.
    ///
    /// - Parameters:
    ///   - transport: What carries the requests.
    ///   - interval: The time between probes; 5 seconds by default.
    ///   - surroundings: What waits between probes.
    ///   - probe: Whether a connection to the service can be made.
    public init(
        _ transport: any SyncTransport, interval: Duration = .seconds(5), surroundings: Surroundings = .system,
        probe: @escaping @Sendable () async -> Bool
    ) {
        self.transport = transport
        self.interval = interval
        self.surroundings = surroundings
        self.probe = probe
    }

    /// Creates a monitor of a transport over HTTP, which makes the probes.
    public convenience init(
        _ transport: HTTPSyncTransport, interval: Duration = .seconds(5), surroundings: Surroundings = .system
    ) {
        self.init(transport, interval: interval, surroundings: surroundings) { await transport.canConnect() }
    }

    deinit {
        state.withLock { state in
            state.probing?.cancel()
            for reader in state.readers.values { reader.finish() }
        }
    }

    /// Sends a request with the transport.
    public func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        do throws(TransportError) {
            let response = try await transport.send(request)
            note(isUp: true)
            return response
        } catch {
            note(error)
            throw error
        }
    }

    /// Opens a socket with the transport.
    public func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        do throws(TransportError) {
            let socket = try await transport.connect(request)
            note(isUp: true)
            return socket
        } catch {
            note(error)
            throw error
        }
    }

    /// Whether the service can be reached: now, and whenever that changes, until the reading task ends.
    public func changes() -> AsyncStream<Bool> {
        let (stream, reader) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.nextReader += 1
            state.readers[state.nextReader] = reader
            reader.yield(state.isUp)
            return state.nextReader
        }
        reader.onTermination = { [weak self] _ in self?.state.withLock { $0.readers[number] = nil } }
        return stream
    }

    private func note(_ error: TransportError) {
        switch error.kind {
        case .unsent:
            state.withLock { state in
                if state.probing == nil { state.probing = makeProbes() }
            }
        case .unauthorized, .tooLong: note(isUp: true)
        case .lost: break
        }
    }

    private func note(isUp: Bool, byProbe: Bool = false) {
        state.withLock { state in
            // A request was answered while the probe was made.
            if byProbe, Task.isCancelled { return }
            if isUp {
                state.probing?.cancel()
                state.probing = nil
            }
            guard state.isUp != isUp else { return }
            state.isUp = isUp
            for reader in state.readers.values { reader.yield(isUp) }
        }
    }

    /// Probes until the service can be reached.
    private func makeProbes() -> Task<Void, Never> {
        Task { [weak self, interval, surroundings, probe] in
            repeat {
                let isUp = await probe()
                guard let self else { return }
                self.note(isUp: isUp, byProbe: true)
                if isUp { return }
            } while (try? await surroundings.sleep(interval)) != nil
        }
    }
}
#endif
