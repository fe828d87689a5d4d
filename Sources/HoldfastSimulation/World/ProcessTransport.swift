import HoldfastSync

/// The way to the network of one life of an application; nothing goes through it after a death.
///
/// Unchecked because everything happens on one thread.
final class ProcessTransport: SyncTransport, @unchecked Sendable {
    private let network: SimulatedNetwork
    var isDead = false

    init(_ network: SimulatedNetwork) { self.network = network }

    func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        if isDead { throw TransportError(.unsent, "the process is gone") }
        return try await network.send(request)
    }

    func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        if isDead { throw TransportError(.unsent, "the process is gone") }
        return try await network.connect(request)
    }
}
