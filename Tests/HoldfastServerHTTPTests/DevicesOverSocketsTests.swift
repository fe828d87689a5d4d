#if Server && Sync
import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastInMemory
import HoldfastServer
import HoldfastStorage
import HoldfastSyncHTTP
import HoldfastSyncTestSupport
import Testing

/// Devices and the service on real sockets.
@Suite struct DevicesOverSocketsTests {
    @Test(arguments: TestedAdapter.available, [ConflictStrategy.optimisticConcurrency, .automerge, .handler])
    func devicesThatEditedOfflineConverge(adapter: TestedAdapter, strategy: ConflictStrategy) async throws {
        try await RunningServer.use(
            schema: LocalService.schema, options: OfflineEdits.options(strategy), surroundings: .system
        ) { server in
            let endpoint = "http://127.0.0.1:\(server.port)/graphql"
            let transports = try (0..<3).map { _ in try HTTPSyncTransport(HTTPSyncConfiguration(endpoint: endpoint)) }
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
