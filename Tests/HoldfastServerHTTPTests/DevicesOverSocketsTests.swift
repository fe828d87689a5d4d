#if Server && Sync
import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastInMemory
import HoldfastServer
import HoldfastServerHTTP
import HoldfastStorage
import HoldfastSyncHTTP
import HoldfastSyncTestSupport
import Testing

/// Devices and the service on real sockets.
@Suite struct DevicesOverSocketsTests {
    @Test(arguments: TestedAdapter.available, [ConflictStrategy.optimisticConcurrency, .automerge, .handler])
    func devicesThatEditedOfflineConverge(adapter: TestedAdapter, strategy: ConflictStrategy) async throws {
        // On a busy machine anything may take longer than a service and an application wait.
        let timeout = Duration.seconds(600)
        try await RunningServer.use(
            schema: LocalService.schema, options: OfflineEdits.options(strategy),
            configuration: SyncHTTPServer.Configuration(port: 0, idleTimeout: timeout, requestTimeout: timeout),
            surroundings: .system
        ) { server in
            var configuration = HTTPSyncConfiguration(endpoint: "http://127.0.0.1:\(server.port)/graphql")
            configuration.timeouts = HTTPSyncConfiguration.Timeouts(
                connect: timeout, request: timeout, handshake: timeout, silence: timeout)
            let transports = try (0..<3).map { _ in try HTTPSyncTransport(configuration) }
            let a = try await Device.open(adapter.make(), transports[0], .system)
            let b = try await Device.open(InMemoryAdapter(), transports[1], .system)
            let content = try await OfflineEdits.meet(a, b) {
                try await Device.open(InMemoryAdapter(), transports[2], .system)
            }
            #expect(content == OfflineEdits.outcome)
        }
    }
}
#endif
