#if Sync && Server
import HoldfastEngine
import HoldfastGraphQL
import HoldfastInMemory
import HoldfastModel
import HoldfastServer
import HoldfastServerHTTP
import HoldfastStorage
import HoldfastSync
import HoldfastSyncHTTP
import Logging
import Testing

/// The examples that name an address.
///
/// Those that connect are compiled only; the app of the tutorial and `holdfast serve` run the same code.
@Suite struct NetworkExamples {
    private let endpoint = "https://api.example.com/graphql"
    private let key = "da2-key"
    private let surroundings = Surroundings.system

    private struct Session: Sendable {
        func token(refreshing isRefused: Bool) async throws -> String { isRefused ? "newer" : "token" }
    }

    @Test func authorizing() async throws {
        let session = Session()
        let authorizer = try RequestAuthorizer(
            endpoint: endpoint,
            modes: [.userPools { isRefused in try await session.token(refreshing: isRefused) }, .apiKey(key)],
            order: .rules)
        let authorization = authorizer.authorization
        #expect(authorization.modeCount == 3)
    }

    @Test func aTransport() async throws {
        var configuration = HTTPSyncConfiguration(endpoint: endpoint)
        configuration.timeouts.connect = .seconds(5)
        let transport = try HTTPSyncTransport(configuration)
        #expect(transport.configuration.timeouts.connect == .seconds(5))
        await transport.shutdown()
    }

    private func synchronize(_ store: DataStore) async throws {
        let authorization = try RequestAuthorizer(endpoint: endpoint, modes: [.apiKey(key)]).authorization
        let transport = try HTTPSyncTransport(HTTPSyncConfiguration(endpoint: endpoint))
        let synchronizer = try Synchronizer(
            store, with: SyncService(transport: transport, authorization: authorization))
        try await synchronizer.start()
        for await status in synchronizer.statuses { show(status.state, status.outboxCount) }
    }

    private func synchronizeOnce(_ store: DataStore) async throws {
        let authorization = try RequestAuthorizer(endpoint: endpoint, modes: [.apiKey(key)]).authorization
        let transport = try HTTPSyncTransport(HTTPSyncConfiguration(endpoint: endpoint))
        let synchronizer = try Synchronizer(
            store, with: SyncService(transport: transport, authorization: authorization))
        try await synchronizer.start()
        try await synchronizer.waitUntilSynchronized()
        await synchronizer.close()
    }

    private func show(_ state: SyncState, _ outboxCount: Int) {}

    #if canImport(Network)
    private func watchNetwork(for synchronizer: Synchronizer) -> Task<Void, Never> {
        let watching = Task { [weak synchronizer] in
            for await isUp in PathMonitor().changes() { synchronizer?.setNetwork(isUp: isUp) }
        }
        return watching
    }
    #endif

    private func watchTransport(of store: DataStore) async throws -> Task<Void, Never> {
        let authorization = try RequestAuthorizer(endpoint: endpoint, modes: [.apiKey(key)]).authorization
        let monitor = TransportMonitor(try HTTPSyncTransport(HTTPSyncConfiguration(endpoint: endpoint)))
        let synchronizer = try Synchronizer(
            store, with: SyncService(transport: monitor, authorization: authorization))
        let watching = Task { [weak synchronizer] in
            for await isUp in monitor.changes() { synchronizer?.setNetwork(isUp: isUp) }
        }
        try await synchronizer.start()
        return watching
    }

    @Test func verifying() async throws {
        let issuer = "https://login.example.com"
        let keys = TokenKeys.url(issuer + "/.well-known/jwks.json")
        let verifier = CredentialVerifier(
            tokens: [TokenVerifier(issuer: issuer, keys: keys, surroundings: surroundings)])
        let options = ServerOptions(verify: verifier.verify)
        guard case .refused = await options.verify(Credentials(headers: ["authorization": "no token"])) else {
            Issue.record("What is not a token was accepted.")
            return
        }
    }

    private func serve(_ server: SyncServer) async throws {
        let http = SyncHTTPServer(server, surroundings: surroundings, logger: Logger(label: "service"))
        try await http.runUntilTerminated()
        try await server.close()
    }

    private func watch(
        _ server: SyncServer, _ sources: [Source], read: @escaping @Sendable () throws -> [Source]
    ) async throws {
        let watch = SchemaWatch(server, surroundings: .system, read: { try read() }, report: { log($0) })
        let task = Task { await watch.run(from: sources) }
        await task.value
    }

    @Sendable private func log(_ outcome: SchemaWatch.Outcome) {}
}
#endif
