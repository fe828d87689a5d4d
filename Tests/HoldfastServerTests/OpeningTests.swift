import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastGraphQL
import HoldfastSQLite
import HoldfastSchema
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastServer

/// How a service opens its store.
@Suite struct OpeningTests {
    private struct Unexpected: Error { var value = "secret" }

    @Test func aServiceThatCannotStartClosesItsStore() async throws {
        let adapter = RefusingAdapter()
        // The first commit stores the secret that page tokens are signed with.
        adapter.loseNextAnswer()
        await #expect(throws: StorageError.self) {
            _ = try await TestServer.open(MutationTests.schema, adapter: adapter)
        }
        #expect(adapter.isClosed)
    }

    /// Each looks like one where a schema is read.
    @Test(arguments: [
        ("AWSDateTime", "2024-01-01T00:00:00"), ("AWSDate", "2024-02-30"), ("AWSTime", "25:00"), ("AWSJSON", "{x}"),
        ("AWSIPAddress", "1.2.3"),
    ])
    func aDefaultThatRecordsCannotHaveIsRefused(type: String, value: String) async throws {
        func schema(_ value: String) -> String {
            "type Post @model @auth(rules: [{ allow: public }]) {\n  x: \(type) @default(value: \"\(value)\")\n}"
        }
        let error = await #expect(throws: SchemaError.self) { _ = try await TestServer.open(schema(value)) }
        let problem = try #require(error?.problems.first)
        #expect(error?.problems.count == 1)
        #expect(problem.location.description == "2:3")
        #expect(problem.message.hasPrefix("the default of \"Post.x\" is not a value of \"\(type)\": "))
        #expect(!problem.message.contains(value))
    }

    @Test func errorsThatNothingExpectsAreReportedWithoutWhatTheySay() async throws {
        let reports = Mutex<[String]>([])
        let options = ServerOptions(apiKeys: ["key"], report: { report in reports.withLock { $0.append(report) } })
        let test = try await TestServer.open(MutationTests.schema, options: options)
        for error in [Unexpected(), CancellationError(), RequestFault.conditionFailed] as [any Error] {
            _ = test.server.gate.service.fault(error)
        }
        #expect(reports.load() == ["A request failed with an error of the type Unexpected."])
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
