#if SQLite
import CSQLite
import HoldfastAdapterTestSupport
import HoldfastSQLite
import HoldfastStorage
import Testing

@Suite struct SQLiteLifecycleTests {
    @Test func aSnapshotDoesNotChange() async throws {
        let store = try await Store.temporary(note)
        try await store.put("Note", [noteRow("k", "old")])
        let snapshot = try await store.snapshot()
        try await store.put("Note", [noteRow("k", "new"), noteRow("l")])
        _ = try await store.commit(CommitRequest(operations: [.clear(entity: "Note")]))
        var rows = RowBuffer()
        try await snapshot.get([RecordKey("k"), RecordKey("l")], of: "Note", into: &rows)
        #expect(Array(rows[0]) == noteRow("k", "old"))
        #expect(rows.versions == [1, 0])
        #expect(try await snapshot.rows(QueryPlan("Note")) == [noteRow("k", "old")])
        #expect(try await snapshot.count("Note") == 1)
        #expect(snapshot.sequence == 1)
        await snapshot.close()
        await snapshot.close()
        #expect(try await store.rows(QueryPlan("Note")).isEmpty)
    }

    /// The condition is too deep for SQLite's parser, so that the reference sorts all rows before the first is delivered.
    @Test(arguments: [false, true])
    func rowsThatTheReferenceSortedEndWithTheSnapshot(closesStore: Bool) async throws {
        let store = try await Store.temporary(note)
        try await store.put("Note", (0..<100).map { noteRow("k\($0 + 100)", nil, Int64($0)) })
        let leaf = Predicate.compare("rank", .greaterOrEqual, .integer(0))
        let deep = (0..<50).reduce(leaf) { inner, level in level % 2 == 0 ? .and([inner, leaf]) : .or([leaf, inner]) }
        let snapshot = try await store.snapshot()
        var scan = try await snapshot.query(QueryPlan("Note", where: deep, sort: [SortKey("rank", .descending)]))
        var rows = RowBuffer()
        try await scan.next(maximumRowCount: 7, into: &rows)
        #expect(rows.rowCount == 7)
        if closesStore { try await store.close() } else { await snapshot.close() }
        await expectFailure(.closed) { try await scan.next(maximumRowCount: 7, into: &rows) }
        try await store.close()
    }

    @Test func aScanOutlivesItsDroppedSnapshot() async throws {
        let store = try await Store.temporary(note)
        try await store.put("Note", (0..<10).map { noteRow("k\($0)") })
        var scan = try await store.snapshot().query(QueryPlan("Note"))
        var rows = RowBuffer()
        try await scan.next(maximumRowCount: 4, into: &rows)
        try await store.put("Note", [noteRow("z")])
        try await scan.next(maximumRowCount: 100, into: &rows)
        #expect(rows.rowCount == 6)
        try await store.close()
    }

    @Test func droppedSnapshotsAndScansAreReleased() async throws {
        let store = try await Store.temporary(note)
        try await store.put("Note", (0..<10).map { noteRow("k\($0)") })
        for _ in 0..<300 {
            var scan = try await store.snapshot().query(QueryPlan("Note"))
            var rows = RowBuffer()
            try await scan.next(maximumRowCount: 2, into: &rows)
        }
        try await store.close()
    }

    @Test func tooManySnapshotsAreRefusedUntilSomeAreClosed() async throws {
        let configuration = SQLiteConfiguration(.temporary, busyTimeout: .milliseconds(1))
        let store = try await Store.open(SQLiteAdapter(configuration), schema: try StorageSchema(entities: [note]))
        var snapshots: [StoreSnapshot] = []
        for _ in 0..<128 { snapshots.append(try await store.snapshot()) }
        await expectFailure(.busy) { _ = try await store.snapshot() }
        await snapshots[0].close()
        _ = try await store.snapshot()
        try await store.close()
        await expectFailure(.closed) { [snapshots] in _ = try await snapshots[5].count("Note") }
    }

    @Test func everythingFailsAfterClosingAndNothingCrashes() async throws {
        let adapter = SQLiteAdapter(.temporary)
        let schema = try StorageSchema(entities: [note])
        await expectFailure(.misuse) { _ = try await adapter.snapshot() }
        let store = try await Store.open(adapter, schema: schema)
        await expectFailure(.misuse) { try await adapter.open(OpenRequest(schema: schema)) }
        try await store.put("Note", [noteRow("k"), noteRow("l")])
        let snapshot = try await store.snapshot()
        var scan = try await snapshot.query(QueryPlan("Note"))
        var rows = RowBuffer()
        try await scan.next(maximumRowCount: 1, into: &rows)
        try await store.close()
        try await store.close()
        await expectFailure(.closed) { _ = try await store.snapshot() }
        await expectFailure(.closed) { try await store.put("Note", [noteRow("k")]) }
        await expectFailure(.closed) { _ = try await store.record("Note", [.text("k")]) }
        await expectFailure(.closed) { _ = try await store.verify() }
        await expectFailure(.closed) { try await store.backUp(to: "x") }
        await expectFailure(.closed) { _ = try await snapshot.rows(QueryPlan("Note")) }
        await expectFailure(.closed) {
            var rows = RowBuffer()
            try await snapshot.get([RecordKey("k")], of: "Note", into: &rows)
        }
        await expectFailure(.closed) { [scan] in
            var scan = scan
            var rows = RowBuffer()
            try await scan.next(into: &rows)
        }
        await expectFailure(.closed) { try await adapter.open(OpenRequest(schema: schema)) }
        await snapshot.close()
    }

    @Test func aLongQueryStopsWhenItsTaskIsCancelled() async throws {
        let store = try await Store.temporary(note)
        try await store.put("Note", (0..<3_000).map { noteRow("k\($0)", String(repeating: "x", count: 2_000)) })
        let snapshot = try await store.snapshot()
        // Each row compares its text with a thousand needles.
        let slow = Predicate.or((0..<2_000).map { .contains("text", .text("xx\($0)")) })
        /// Whether a read ends early in one of some attempts; on a busy machine it may have ended when it is cancelled.
        func stops(_ read: @escaping @Sendable () async throws -> Void) async -> Bool {
            for _ in 0..<100 {
                let (started, continuation) = AsyncStream.makeStream(of: Void.self)
                let task = Task {
                    await storageError {
                        continuation.yield()
                        try await read()
                    }
                }
                for await _ in started { break }
                task.cancel()
                if let error = await task.value { return error.kind == .cancelled }
            }
            return false
        }
        #expect(await stops { _ = try await snapshot.count("Note", where: slow) })
        #expect(try await snapshot.count("Note") == 3_000)
        #expect(await stops { _ = try await snapshot.rows(QueryPlan("Note", where: slow)) })
        var rows = RowBuffer()
        try await snapshot.get([RecordKey("k1")], of: "Note", into: &rows)
        #expect(rows.versions == [1])
        try await store.close()
    }

    @Test func manyTasksUseOneSnapshot() async throws {
        let store = try await Store.temporary(note)
        try await store.put("Note", (0..<500).map { noteRow("k\($0)", "t", Int64($0)) })
        let snapshot = try await store.snapshot()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    var rows = RowBuffer()
                    try await snapshot.get([RecordKey("k\(number)")], of: "Note", into: &rows)
                    #expect(rows[0, 2] == .integer(Int64(number)))
                }
                group.addTask {
                    let predicate = Predicate.compare("rank", .less, .integer(Int64(number)))
                    let rows = try await snapshot.rows(QueryPlan("Note", where: predicate), batch: 50)
                    #expect(rows.count == number)
                }
            }
            try await group.waitForAll()
        }
        try await store.close()
    }

    // MARK: Several adapters on one file

    @Test func twoAdaptersOnOneFileSeeEachOther() async throws {
        let directory = TemporaryDirectory()
        let first = try await Store.open(directory.file(), note)
        let second = try await Store.open(directory.file(), note)
        let counts = try await withThrowingTaskGroup(of: UInt64.self) { group in
            for number in 0..<100 {
                group.addTask { try await first.put("Note", [noteRow("a\(number)")]).sequence }
                group.addTask { try await second.put("Note", [noteRow("b\(number)")]).sequence }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.sorted() == Array(1...200))
        #expect(try await first.rows(QueryPlan("Note"), batch: 100) == second.rows(QueryPlan("Note"), batch: 100))
        try await first.close()
        #expect(try await second.rows(QueryPlan("Note"), batch: 100).count == 200)
        try await second.close()
    }

    @Test func manyAdaptersCreateOneStoreAtOnce() async throws {
        for _ in 0..<5 {
            let directory = TemporaryDirectory()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let store = try await Store.open(directory.file(), note)
                        try await store.put("Note", [noteRow("k\(number)")])
                        try await store.close()
                    }
                }
                try await group.waitForAll()
            }
            let store = try await Store.open(directory.file(), note)
            #expect(try await store.rows(QueryPlan("Note")).count == 8)
            try await store.close()
        }
    }

    @Test func anAdapterGoesOnWhenAnotherAddsAField() async throws {
        let directory = TemporaryDirectory()
        let old = try await Store.open(directory.file(), note)
        try await old.put("Note", [noteRow("k", "old")])
        let richer = EntitySchema(
            "Note", fields: note.fields + [FieldSchema("more", .int)],
            indexes: [IndexSchema("byMore", on: ["more"], isUnique: true)])
        let new = try await Store.open(directory.file(), richer)
        try await new.put("Note", [noteRow("k", "new") + [.integer(7)]])
        #expect(try await old.rows(QueryPlan("Note")) == [noteRow("k", "new")])
        try await old.put("Note", [noteRow("k", "again")])
        #expect(try await new.rows(QueryPlan("Note")) == [noteRow("k", "again") + [.integer(7)]])
        try await old.close()
        try await new.close()
    }

    @Test func anAdapterGoesOnWhenAnotherRemovesTheOrderByVersion() async throws {
        let directory = TemporaryDirectory()
        let ordered = EntitySchema("Note", fields: note.fields, isOrderedByVersion: true)
        let old = try await Store.open(directory.file(), ordered)
        let since = try await old.put("Note", [noteRow("a"), noteRow("b")]).sequence
        let new = try await Store.open(directory.file(), note)
        try await new.put("Note", [noteRow("b", "new")])
        for (range, isUnchanged) in [
            (KeyRange("Note"), false), (KeyRange("Note", from: .excluded([.text("b")])), true),
        ] {
            let error = await storageError {
                try await old.put("Note", [noteRow("c")], [.unchanged(range, since: since)])
            }
            #expect(error?.kind == (isUnchanged ? nil : .preconditionFailed))
        }
        try await old.close()
        try await new.close()
    }
}
#endif
