#if LevelDB
import HoldfastAdapterTestSupport
import HoldfastLevelDB
import HoldfastStorage
import Testing

@Suite struct LevelDBLifecycleTests {
    @Test func scansOfOneSnapshotRunSideBySideWhileOthersWrite() async throws {
        let store = try await Store.temporary(note)
        try await store.put("Note", (0..<100).map { noteRow("k\($0 + 100)") })
        let snapshot = try await store.snapshot()
        var first = try await snapshot.query(QueryPlan("Note"))
        var second = try await snapshot.query(QueryPlan("Note"))
        var rows = RowBuffer()
        var count = 0
        for _ in 0..<10 {
            try await first.next(maximumRowCount: 7, into: &rows)
            count += rows.rowCount
            try await second.next(maximumRowCount: 3, into: &rows)
            count += rows.rowCount
            try await store.put("Note", [noteRow("a\(count)")])
        }
        #expect(count == 100)
        await second.close()
        try await second.next(into: &rows)
        #expect(rows.isEmpty)
        repeat {
            try await first.next(into: &rows)
            count += rows.rowCount
        } while !rows.isEmpty
        #expect(count == 130)
        first = try await snapshot.query(QueryPlan("Note"))
        try await first.next(maximumRowCount: 1, into: &rows)
        await snapshot.close()
        let error = await storageError { [first] in
            var first = first
            var rows = RowBuffer()
            try await first.next(into: &rows)
        }
        #expect(error?.kind == .closed)
        await expectFailure(.closed) { _ = try await snapshot.count("Note") }
    }

    @Test func closingWaitsForWhatIsInProgress() async throws {
        for _ in 0..<20 {
            let directory = TemporaryDirectory()
            let store = try await Store.open(directory.file(), note)
            try await store.put("Note", (0..<200).map { noteRow("k\($0)") })
            let outcomes = await withTaskGroup(of: (Int, StorageError?).self) { group in
                for number in 0..<20 {
                    group.addTask {
                        (number, await storageError { try await store.put("Note", [noteRow("n\(number)")]) })
                    }
                    group.addTask {
                        (-1, await storageError { _ = try await store.rows(QueryPlan("Note"), batch: 20) })
                    }
                    group.addTask { (-1, await storageError { _ = try await store.record("Note", [.text("k1")]) }) }
                }
                group.addTask { (-1, await storageError { try await store.close() }) }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for (_, error) in outcomes { #expect(error == nil || error?.kind == .closed) }
            let again = try await Store.open(directory.file(), note)
            for (number, error) in outcomes where number >= 0 {
                #expect(try await (again.record("Note", [.text("n\(number)")]) != nil) == (error == nil))
            }
            try await again.close()
        }
    }

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
