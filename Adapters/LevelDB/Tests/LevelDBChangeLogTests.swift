#if LevelDB
import HoldfastAdapterTestSupport
import HoldfastLevelDB
import HoldfastStorage
import Testing

@Suite struct LevelDBChangeLogTests {
    private let directory = TemporaryDirectory()

    private func opened(keeping count: Int, _ entity: EntitySchema = note) async throws -> Store {
        let configuration = LevelDBConfiguration(.directory(directory.file()), changeLogCommitCount: count)
        return try await Store.open(LevelDBAdapter(configuration), schema: StorageSchema(entities: [entity]))
    }

    /// What a feed from the beginning reports first.
    private func firstNews(_ store: Store) async throws -> ChangeFeedElement? {
        var feed = try await store.changes(after: 0)
        return try await feed.next()
    }

    private func entryCount() -> Int {
        RawDatabase(directory.file()).keys().count { $0.starts(with: [0, 0, 0, 0, 3]) }
    }

    @Test func onlyTheLastCommitsAreKept() async throws {
        var store = try await opened(keeping: 20)
        for number in 0..<30 { try await store.put("Note", [noteRow("k\(number)")]) }
        #expect(try await firstNews(store) == .gap(through: 10))
        try await store.close()
        #expect(entryCount() == 20)
        store = try await opened(keeping: 5)
        #expect(try await firstNews(store) == .gap(through: 25))
        try await store.close()
        #expect(entryCount() == 5)
    }

    @Test func commitsWithoutALogAreReportedAsAGap() async throws {
        var store = try await opened(keeping: 10)
        try await store.put("Note", [noteRow("a")])
        try await store.close()
        store = try await opened(keeping: 0)
        await expectFailure(.unsupported) { [store] in _ = try await store.changes() }
        try await store.put("Note", [noteRow("b")])
        try await store.close()
        store = try await opened(keeping: 10)
        try await store.put("Note", [noteRow("c")])
        var feed = try await store.changes(after: 0)
        let first = CommittedChange.Record("Note", RecordKey("a"), .put)
        #expect(try await feed.next() == .commits([CommittedChange(sequence: 1, records: [first])]))
        #expect(try await feed.next() == .gap(through: 2))
        let third = CommittedChange.Record("Note", RecordKey("c"), .put)
        #expect(try await feed.next() == .commits([CommittedChange(sequence: 3, records: [third])]))
        try await store.close()
    }

    @Test func migrationsEmptyTheLogAndAdditionsKeepIt() async throws {
        var store = try await opened(keeping: 10)
        try await store.put("Note", [noteRow("a")])
        try await store.close()
        let more = EntitySchema("Note", fields: note.fields + [FieldSchema("more", .int)])
        store = try await opened(keeping: 10, more)
        guard case .commits = try await firstNews(store) else {
            Issue.record("An added field made the log forget.")
            return
        }
        try await store.close()
        let fewer = EntitySchema("Note", fields: [FieldSchema("id", .id)])
        let adapter = LevelDBAdapter(
            LevelDBConfiguration(.directory(directory.file()), changeLogCommitCount: 10))
        store = try await Store.open(adapter, schema: StorageSchema(entities: [fewer])) { _ throws(StorageError) in
            SchemaMigration(steps: [SchemaMigration.Step(from: more, to: fewer) { [$0[0]] }])
        }
        #expect(try await firstNews(store) == .gap(through: 1))
        try await store.close()
    }
}
#endif
