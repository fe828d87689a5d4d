#if Sync
import HoldfastEngine
import HoldfastStorage
import HoldfastSync
import HoldfastSyncHTTP
import HoldfastWire
import Testing

@Suite struct ReachabilityTests {
    /// A transport that does what it is set to.
    private final class FakeTransport: SyncTransport {
        let outcome: Mutex<Result<WireResponse, TransportError>>

        init(_ outcome: Result<WireResponse, TransportError>) { self.outcome = Mutex(outcome) }

        func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
            try outcome.withLock { $0 }.get()
        }

        func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
            _ = try outcome.withLock { $0 }.get()
            throw TransportError(.lost, "no sockets here")
        }
    }

    private static let request = WireRequest(authorization: AuthHeaders(), body: [])

    /// Surroundings in which every pause ends at once.
    private static let restless: Surroundings = {
        var surroundings = Surroundings.system
        surroundings.sleep = { _ in try Task.checkCancellation() }
        return surroundings
    }()

    @Test(arguments: [
        (Result<WireResponse, TransportError>.success(WireResponse(status: 503, body: [])), true),
        (.failure(TransportError(.unauthorized, "")), true), (.failure(TransportError(.lost, "")), true),
        (.failure(TransportError(.tooLong, "")), true),
        (.failure(TransportError(.unsent, "")), false),
    ])
    func outcomesSayWhetherTheServiceIsThere(
        _ outcome: Result<WireResponse, TransportError>, _ isUp: Bool
    ) async throws {
        // The second probe never ends, so that nothing else changes the answer.
        let (forever, keep) = AsyncStream.makeStream(of: Never.self)
        let isFirst = Mutex(true)
        let monitor = TransportMonitor(FakeTransport(outcome), surroundings: Self.restless) {
            if isFirst.exchange(false) { return false }
            for await _ in forever {}
            return false
        }
        var changes = monitor.changes().makeAsyncIterator()
        #expect(await changes.next() == true)
        _ = try? await monitor.send(Self.request)
        _ = try? await monitor.connect(RealtimeRequest(authorization: AuthHeaders()))
        if !isUp { #expect(await changes.next() == false) }
        var later = monitor.changes().makeAsyncIterator()
        #expect(await later.next() == isUp)
        keep.finish()
    }

    /// There may be no connection free, or a header that cannot be written.
    @Test func whatCannotBeSentIsNotTakenForAMissingNetwork() async {
        let (probes, probing) = AsyncStream.makeStream(of: Void.self)
        let (forever, keep) = AsyncStream.makeStream(of: Never.self)
        let monitor = TransportMonitor(
            FakeTransport(.failure(TransportError(.unsent, ""))), surroundings: Self.restless
        ) {
            probing.yield()
            for await _ in forever {}
            return true
        }
        _ = try? await monitor.send(Self.request)
        for await _ in probes { break }
        var changes = monitor.changes().makeAsyncIterator()
        #expect(await changes.next() == true)
        keep.finish()
    }

    @Test func probesFindTheServiceAgain() async throws {
        let probes = Mutex(0)
        let transport = FakeTransport(.failure(TransportError(.unsent, "")))
        let monitor = TransportMonitor(transport, surroundings: Self.restless) {
            probes.withLock { count in
                count += 1
                return count == 3
            }
        }
        var changes = monitor.changes().makeAsyncIterator()
        #expect(await changes.next() == true)
        _ = try? await monitor.send(Self.request)
        // The newest state is delivered, so that the short absence may go unseen.
        while await changes.next() == false {}
        #expect(probes.withLock { $0 } == 3)
    }

    @Test func requestThatArrivesEndsTheProbes() async throws {
        let transport = FakeTransport(.failure(TransportError(.unsent, "")))
        let (cancellations, cancelled) = AsyncStream.makeStream(of: Void.self)
        let (probes, probing) = AsyncStream.makeStream(of: Void.self)
        let monitor = TransportMonitor(transport, surroundings: Self.restless) {
            await withTaskCancellationHandler {
                probing.yield()
                let (forever, keep) = AsyncStream.makeStream(of: Never.self)
                for await _ in forever {}
                keep.finish()
            } onCancel: {
                cancelled.yield()
            }
            return true
        }
        _ = try? await monitor.send(Self.request)
        for await _ in probes { break }
        transport.outcome.withLock { $0 = .success(WireResponse(status: 200, body: [])) }
        _ = try await monitor.send(Self.request)
        for await _ in cancellations { break }
        var changes = monitor.changes().makeAsyncIterator()
        #expect(await changes.next() == true)
    }

    @Test func readersEndWithTheMonitor() async {
        var monitor: TransportMonitor? = TransportMonitor(
            FakeTransport(.failure(TransportError(.lost, "")))
        ) { true }
        let changes = monitor?.changes()
        monitor = nil
        var count = 0
        if let changes { for await _ in changes { count += 1 } }
        #expect(count == 1)
    }
}
#endif
