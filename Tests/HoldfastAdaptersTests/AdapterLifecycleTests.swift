import HoldfastAdapterTestSupport
import HoldfastStorage
import Testing

/// Handles, snapshots, and scans of adapters that work on files with threads of their own.
struct AdapterLifecycleTests {
    private let schema: StorageSchema

    init() throws { schema = try StorageSchema(entities: [note]) }

    @Test(arguments: TestedAdapter.lasting)
    func scansOfOneSnapshotRunSideBySideWhileOthersWrite(_ adapter: TestedAdapter) async throws {
        let store = try await Store.open(adapter.make(), schema: schema)
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
        try await store.close()
    }

    @Test(arguments: TestedAdapter.lasting)
    func closingWaitsForWhatIsInProgress(_ adapter: TestedAdapter) async throws {
        for _ in 0..<20 {
            let location = TestLocation(adapter)
            let store = try await Store.open(location.make(), schema: schema)
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
            let again = try await Store.open(location.make(), schema: schema)
            for (number, error) in outcomes where number >= 0 {
                #expect(try await (again.record("Note", [.text("n\(number)")]) != nil) == (error == nil))
            }
            try await again.close()
        }
    }
}
