import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastGraphQL
import HoldfastSQLite
import HoldfastServer
import HoldfastStorage
import HoldfastTestSupport
import Testing

/// How a service opens its store.
@Suite struct OpeningTests {
    @Test func aServiceThatCannotStartClosesItsStore() async throws {
        let adapter = RefusingAdapter()
        // The first commit stores the secret that page tokens are signed with.
        adapter.loseNextAnswer()
        await #expect(throws: StorageError.self) {
            _ = try await TestServer.open(MutationTests.schema, adapter: adapter)
        }
        #expect(adapter.isClosed)
    }

    /// A copy has the labels of its source, which a service that gives out labels replaces.
    @Test(arguments: [false, true]) func aCopyThatIsOnlyReadDoesNotChange(isReadOnly: Bool) async throws {
        let directory = TemporaryDirectory()
        @Sendable func adapter(_ name: String, isReadOnly: Bool = false) -> SQLiteAdapter {
            SQLiteAdapter(SQLiteConfiguration(.file(directory.file(name)), isReadOnly: isReadOnly))
        }
        let test = try await TestServer.open(SyncTests.schema, adapter: adapter("source"))
        for id in ["a", "b", "c"] { try await SyncTests.create(test, id) }
        _ = try await SyncTests.page(test)
        try await test.server.close()
        let source = try await Store.openAsStored { adapter("source") }
        let target = try await StoreCopy(from: source) { adapter("copy") }.run().target
        let sequence = try await target.withSnapshot { $0.sequence }
        try await target.close()
        try await source.close()

        func open(resetsLabels: Bool) async throws -> SyncServer {
            try await SyncServer.open(
                schemas: ServerSchemas([Source(SyncTests.schema)]), options: ServerOptions(apiKeys: ["key"]),
                surroundings: test.world.surroundings, resetsLabels: resetsLabels
            ) { adapter("copy", isReadOnly: isReadOnly) }
        }
        let server = try await open(resetsLabels: false)
        #expect(try await DataTests.export(TestServer(server: server, world: test.world)).count == 3)
        try await server.close()
        let copy = try await Store.openAsStored { adapter("copy") }
        let after = try await copy.withSnapshot { $0.sequence }
        #expect(after == sequence)
        try await copy.close()
        // It still has the source's labels.
        if isReadOnly {
            let error = await #expect(throws: StorageError.self) { _ = try await open(resetsLabels: true) }
            #expect(error?.kind == .readOnly)
        }
    }
}
