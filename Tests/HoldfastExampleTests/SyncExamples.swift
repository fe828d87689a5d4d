import ExampleModels
import HoldfastEngine
import HoldfastInMemory
import HoldfastModel
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastSyncTestSupport
import HoldfastWire
import Testing

/// The examples in the comments and articles about synchronization, against a service in this process.
@Suite struct SyncExamples {
    private let authorization = Device.key

    @Test func synchronizing() async throws {
        let transport = try await openBlogService()
        let store = try await openBlog(("Hold fast", 5))
        let service = SyncService(transport: transport, authorization: authorization)
        let synchronizer = try Synchronizer(store, with: service)
        try await synchronizer.start()
        for try await outbox in store.observeOutbox() where outbox.isEmpty { break }  // everything was sent
        await synchronizer.close()
        #expect(try await store.explain(Post.self, "p1").service?.version == 1)
    }

    @Test func waiting() async throws {
        let (store, synchronizer) = try await openSynchronizedBlog()
        try await store.save(Post(title: "Hold fast", rating: 5))
        try await synchronizer.waitUntilSynchronized()  // the service has it
        #expect(try await store.outboxCount() == 0)
        await synchronizer.close()
    }

    @Test func refreshing() async throws {
        let (store, synchronizer) = try await openSynchronizedBlog()
        try await synchronizer.refresh()
        let posts = try await store.query(Post.self)
        #expect(posts.isEmpty)
        await synchronizer.close()
    }

    @Test func theStatus() async throws {
        let (store, synchronizer) = try await openSynchronizedBlog()
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        try await store.save(Post(title: "Hold fast"))
        for await status in synchronizer.statuses {
            switch status.state {
            case .live: show("\(status.outboxCount) changes to send")
            case .offline, .waiting: show("offline; changes are kept")
            default: show("connecting")
            }
            if status.isSynchronized { break }
        }
        #expect(!shown.isEmpty)
        await synchronizer.close()
    }

    @Test func aPartOfTheRecords() async throws {
        let transport = try await openBlogService()
        let other = try await openBlog(("Hold fast", 5), ("Let go", 2))
        try await synchronize(other, SyncService(transport: transport, authorization: authorization))
        let store = try await openBlog()
        let service = SyncService(
            transport: transport, authorization: authorization,
            expressions: [SyncExpression(Post.self) { Post.keys.rating >= 4 }])
        try await synchronize(store, service)
        #expect(try await store.query(Post.self).map(\.title) == ["Hold fast"])
    }

    @Test func aService() async throws {
        let transport = try await openBlogService()
        let store = try await openBlog(("Hold fast", 5))
        @Sendable func log(_ kind: SyncProblem.Kind) {}
        var service = SyncService(transport: transport, authorization: authorization)
        service.models = ["Post"]  // changes of comments stay in the outbox
        service.errorHandler = { problem in log(problem.kind) }
        let synchronizer = try Synchronizer(store, with: service)
        try await synchronizer.start()
        for try await outbox in store.observeOutbox() where outbox.isEmpty { break }
        await synchronizer.close()
        #expect(try await store.deadLetters() == [])
    }

    @Test func settings() async throws {
        let transport = try await openBlogService()
        let store = try await openBlog(("Hold fast", 5))
        var settings = SyncSettings()
        settings.syncPageSize = 200
        settings.syncMaxRecords = 50_000
        let service = SyncService(transport: transport, authorization: authorization, settings: settings)
        try await synchronize(store, service)
        #expect(try await store.outboxCount() == 0)
    }

    @Test func aConflict() async throws {
        let transport = try await openBlogService(.optimisticConcurrency)
        var service = SyncService(transport: transport, authorization: authorization)
        let (phone, laptop) = (try await openBlog(("Hold fast", 5)), try await openBlog())
        try await synchronize(phone, service)
        try await synchronize(laptop, service)
        try await phone.update(Post.self, "p1") { $0.title = "Hold on" }
        try await laptop.update(Post.self, "p1") { $0.title = "Hold it" }
        try await synchronize(phone, service)
        service.conflictHandler = { conflict in
            guard let local = conflict.local as? Post, var both = conflict.remote as? Post else { return .applyRemote }
            both.title += " or \(local.title)"
            return .retry(both)
        }
        try await synchronize(laptop, service)
        #expect(try await laptop.query(Post.self, byId: "p1")?.title == "Hold on or Hold it")
    }

    @Test func verifying() async throws {
        let (store, synchronizer) = try await openSynchronizedBlog()
        try await store.save(Post(title: "Hold fast"))
        try await synchronizer.waitUntilSynchronized()
        let differences = try await synchronizer.verify()
        if !differences.isEmpty { try await synchronizer.repair() }
        #expect(differences.isEmpty)
        await synchronizer.close()
    }

    @Test func repairing() async throws {
        let (store, synchronizer) = try await openSynchronizedBlog()
        try await store.save(Post(title: "Hold fast"))
        for await status in synchronizer.statuses where status.isSynchronized { break }
        try await synchronizer.repair()
        for await status in synchronizer.statuses where status.isSynchronized { break }  // every model was read again
        #expect(try await store.count(Post.self) == 1)
        await synchronizer.close()
    }

    @Test func offline() async throws {
        let (store, synchronizer) = try await openSynchronizedBlog()
        synchronizer.setNetwork(isUp: false)  // for instance from a monitor of the system
        try await store.save(Post(title: "Hold fast"))  // waits in the outbox
        synchronizer.setNetwork(isUp: true)
        for try await outbox in store.observeOutbox() where outbox.isEmpty { break }
        #expect(try await store.count(Post.self) == 1)
        await synchronizer.close()
    }

    @Test func authorizing() async throws {
        let key = "key"
        let transport = try await openBlogService()
        let store = try await openBlog(("Hold fast", 5))
        let authorization = SyncAuthorization(headers: { _, _ in
            .apiKey(key, host: "api.example.com", date: "20261121T080000Z")
        })
        let service = SyncService(transport: transport, authorization: authorization)
        try await synchronize(store, service)
        #expect(try await store.outboxCount() == 0)
    }

    @Test func aTransportInThisProcess() async throws {
        let server = try await openBlogService().server
        let store = try await openBlog(("Hold fast", 5))
        let transport = ServerTransport(server: server)
        var service = SyncService(transport: transport, authorization: authorization)
        service.subscribes = { false }
        let synchronizer = try Synchronizer(store, with: service)
        try await synchronizer.start()
        for try await status in store.observeOutbox() where status.isEmpty { break }
        await synchronizer.close()
        #expect(try await store.deadLetters() == [])
    }

    /// Synchronizes until everything is sent and read.
    private func synchronize(_ store: DataStore, _ service: SyncService) async throws {
        let synchronizer = try Synchronizer(store, with: service)
        try await synchronizer.start()
        for try await outbox in store.observeOutbox() where outbox.isEmpty { break }
        for await status in synchronizer.statuses where status.isSynchronized { break }
        await synchronizer.close()
        #expect(try await store.deadLetters() == [])
    }
}

/// Has no subscriptions.
struct ServerTransport: SyncTransport {
    let server: SyncServer

    func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        let headers = request.authorization.headers.map { ($0.name.lowercased(), $0.value) }
        let response = await server.respond(
            to: ServerRequest(headers: Dictionary(headers) { $1 }, body: request.body))
        return WireResponse(status: response.status, body: response.body)
    }

    func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        throw TransportError(.unsent, "This transport has no sockets.")
    }
}
