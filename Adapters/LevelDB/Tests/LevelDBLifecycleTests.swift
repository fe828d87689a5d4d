#if LevelDB
import HoldfastAdapterTestSupport
import HoldfastLevelDB
import HoldfastStorage
import Testing

@Suite struct LevelDBLifecycleTests {
    @Test func aRecordThatHasGoneWhileItsEntryStaysIsDamage() async throws {
        let directory = TemporaryDirectory()
        let indexed = EntitySchema("Note", fields: note.fields, indexes: [IndexSchema("byRank", on: ["rank"])])
        var store = try await Store.open(directory.file(), indexed)
        try await store.put("Note", [noteRow("a", nil, 1), noteRow("b", nil, 2)])
        try await store.close()
        RawDatabase(directory.file()).deleteFirst { $0.starts(with: [0, 0, 0, 1]) }
        store = try await Store.open(directory.file(), indexed)
        await expectFailure(.corruption) { [store] in
            _ = try await store.rows(QueryPlan("Note", sort: [SortKey("rank")]))
        }
        #expect(try await store.verify().count == 1)
        try await store.close()
        let report = try await LevelDBAdapter.repair(LevelDBConfiguration(.directory(directory.file())))
        #expect(report.recordCount == 1)
        store = try await Store.open(directory.file(), indexed)
        #expect(try await store.rows(QueryPlan("Note", sort: [SortKey("rank")])) == [noteRow("b", nil, 2)])
        try await store.close()
    }
}
#endif
