#if SQLite
import Foundation
import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastSQLite
import HoldfastStorage
import HoldfastTestSupport
import Testing

struct StoreCopyTests {
    /// From SQLite to one adapter, from there to another, and back to SQLite.
    @Test(arguments: TestedAdapter.local, TestedAdapter.local)
    func everythingIsTheSameAfterEveryMove(_ first: TestedAdapter, _ second: TestedAdapter) async throws {
        try await checkMoves(first, second)
    }

    @Test(.enabled(if: PostgreSQLServer.url != nil, "\(PostgreSQLServer.absence)"))
    func everythingIsTheSameAfterEveryMoveWithAServer() async throws {
        let server = try #require(TestedAdapter(rawValue: "postgresql"))
        for other in TestedAdapter.local {
            try await checkMoves(server, other)
            try await checkMoves(other, server)
        }
        try await checkMoves(server, server)
    }

    private func checkMoves(_ first: TestedAdapter, _ second: TestedAdapter) async throws {
        let locations = [.sqlite, first, second, .sqlite].map { TestLocation($0) }
        try await ShopStore.fill(locations[0])
        let files = try locations[0].storeFiles()
        let source = try await Store.openAsStored { locations[0].make(isReadOnly: true) }
        let content = try await source.content()
        #expect(content["Post"]?.count == ShopStore.postCount - 1)
        #expect(content["__outbox"]?.count == 3)
        #expect(content["__record_metadata"]?.count == ShopStore.sentCount)
        var store = source
        for location in locations.dropFirst() {
            store = try await store.moved(to: location)
            #expect(try await store.content() == content)
            #expect(!store.schema.isUnfinishedCopy)
            #expect(SchemaVersion(of: store.schema.entities) == SchemaVersion(of: source.schema.entities))
        }
        try await store.close()
        #expect(try locations[0].storeFiles() == files)
        let application = try await DataStore.open(locations[3].make(), models: ShopStore.models)
        #expect(try await application.query(Post.self, byId: "p2")?.title == "Changed")
        #expect(try await application.query(Post.self, byId: "p1") == nil)
        #expect(try await application.outboxEntries().map(\.model) == ["Post", "Post", "Blog"])
        #expect(try await application.verify() == [])
        try await application.close()
    }

    /// Random schemas and histories: every type, boundary values, awkward names, unique indexes.
    @Test(arguments: TestedAdapter.local)
    func randomStoresAreTheSameAfterAMove(_ adapter: TestedAdapter) async throws {
        try await checkRandomStores(on: adapter)
    }

    @Test(.enabled(if: PostgreSQLServer.url != nil, "\(PostgreSQLServer.absence)"))
    func randomStoresAreTheSameAfterAMoveToAServer() async throws {
        try await checkRandomStores(on: try #require(TestedAdapter(rawValue: "postgresql")))
    }

    private func checkRandomStores(on adapter: TestedAdapter) async throws {
        var recordCount = 0
        let seeds = DifferentialRun.seeds(0..<12, ProcessInfo.processInfo.environment)
        for seed in seeds { recordCount += try await checkRandomStore(seed, on: adapter) }
        #expect(recordCount > 5 * seeds.count)
    }

    /// Moves the store of a seed there and back.
    ///
    /// - Returns: How many records it has.
    private func checkRandomStore(_ seed: UInt64, on adapter: TestedAdapter) async throws -> Int {
        let locations = [.sqlite, adapter, .sqlite].map { TestLocation($0) }
        let history = try DifferentialCase.random(seed: seed)
        let source = try await Store.open(locations[0].make(), schema: StorageSchema(entities: history.entities))
        for case .commit(let request) in history.steps {
            _ = try? await source.commit(CommitRequest(operations: request.operations))
        }
        let content = try await source.content()
        var store = source
        for location in locations.dropFirst() {
            store = try await store.moved(to: location)
            #expect(try await store.content() == content, "HOLDFAST_SEED=\(seed)")
        }
        try await store.close()
        // The schema is the application's own, too.
        let again = try await Store.open(locations[2].make(), schema: source.schema)
        #expect(try await again.content() == content)
        #expect(try await again.verify() == [])
        try await again.close()
        return content.values.reduce(0) { $0 + $1.count }
    }

    @Test func aDigestDetectsEveryDifferenceAndNoOther() throws {
        let entity = EntitySchema("E", fields: [FieldSchema("id", .string), FieldSchema("list", .json)])
        let turned = EntitySchema("E", fields: [FieldSchema("list", .json), FieldSchema("id", .string)])
        func hash(_ rows: [[Value]], _ entity: EntitySchema = entity) -> String {
            var digest = EntityDigest(entity)
            for row in rows { digest.add(RowBuffer(row: row, version: 7)) }
            return digest.hash
        }
        let instant = Timestamp(secondsSinceEpoch: 0, nanoseconds: 0, tail: WrittenForm(offset: 0))
        var shifted = instant
        shifted.tail = WrittenForm(offset: 3_600)
        let values: [Value] = [
            .null, .text(""), .text("a"), .bytes([]), .bytes([0]), .list([]), .list([.null]), .list([.list([])]),
            .integer(0), .double(0), .boolean(false), .boolean(true), .timestamp(instant), .timestamp(shifted),
            .text("e\u{301}"), .text("é"), .date(CalendarDate(daysSinceEpoch: 0)),
            .date(CalendarDate(daysSinceEpoch: 0, tail: WrittenForm(offset: 0))),
            .time(ClockTime(nanosecondsSinceMidnight: 0, tail: WrittenForm(offset: nil, fractionDigits: 3))),
            .time(ClockTime(nanosecondsSinceMidnight: 0, tail: WrittenForm(offset: nil, fractionDigits: 0))),
        ]
        let hashes = Set(values.map { hash([[.text("k"), $0]]) })
        #expect(hashes.count == values.count)
        #expect(hash([[.text("a"), .text("b")]]) != hash([[.text("ab"), .text("")]]))
        #expect(hash([]) != hash([[.null, .null]]))
        #expect(hash([[.text("a"), .text("b")]]) == hash([[.text("b"), .text("a")]], turned))
        // 128-bit FNV-1a of no bytes.
        #expect(hash([]) == "6c62272e07bb014262b821756295c58d")
    }
}
#endif
