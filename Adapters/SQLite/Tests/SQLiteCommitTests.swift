#if SQLite
import CSQLite
import HoldfastAdapterTestSupport
import HoldfastSQLite
import HoldfastSQLiteTestSupport
import HoldfastStorage
import Testing

@Suite struct SQLiteCommitTests {
    private let pair = EntitySchema(
        "Pair",
        fields: [
            FieldSchema("a", .string), FieldSchema("b", .int), FieldSchema("x", .string), FieldSchema("y", .int),
        ],
        primaryKey: ["a", "b"],
        indexes: [
            IndexSchema("byX", on: ["x"], isUnique: true), IndexSchema("byXY", on: ["x", "y"], isUnique: true),
        ])

    private func row(_ a: String, _ b: Int64, _ x: String?, _ y: Int64? = nil) -> [Value] {
        [.text(a), .integer(b), x.map { .text($0) } ?? .null, y.map { .integer($0) } ?? .null]
    }

    @Test(arguments: [1, 15, 16, 17, 100])
    func insertOfAnExistingRecordFailsAtEveryPosition(count: Int) async throws {
        let store = try await Store.temporary(note)
        try await store.put("Note", [noteRow("k\(count - 1)", "first")])
        let rows = (0..<count).map { noteRow("k\($0)", "second") }
        let error = await storageError {
            _ = try await store.commit(
                CommitRequest(operations: [
                    .put(entity: "Note", rows: RowBuffer([noteRow("other")]), mode: .insert),
                    .put(entity: "Note", rows: RowBuffer(rows), mode: .insert),
                ]))
        }
        #expect(error == StorageError(.preconditionFailed, "", position: .operation(1)))
        #expect(try await store.rows(QueryPlan("Note")) == [noteRow("k\(count - 1)", "first")])
    }

    @Test(arguments: [1, 16, 40])
    func updateOfAMissingRecordFails(count: Int) async throws {
        let store = try await Store.temporary(note)
        let rows = (0..<count).map { noteRow("k\($0)") }
        try await store.put("Note", rows, mode: .insert)
        let receipt = try await store.put("Note", rows.map { $0[..<1] + [.text("new"), .null] }, mode: .update)
        #expect(receipt == CommitReceipt(sequence: 2, putCount: count))
        let error = await storageError { try await store.put("Note", rows + [noteRow("missing")], mode: .update) }
        #expect(error == StorageError(.preconditionFailed, "", position: .operation(0)))
        #expect(try await store.record("Note", [.text("k0")])?.version == 2)
    }

    @Test func rowsWithOneKeyAreAppliedInOrder() async throws {
        let store = try await Store.temporary(note)
        let rows = (0..<50).map { noteRow("same", "\($0)") }
        #expect(try await store.put("Note", rows).putCount == 50)
        #expect(try await store.rows(QueryPlan("Note")) == [noteRow("same", "49")])
        let error = await storageError { try await store.put("Note", rows.suffix(2).map { $0 }, mode: .insert) }
        #expect(error?.kind == .preconditionFailed)
    }

    @Test func upsertOfAnUnchangedUniqueValueSucceeds() async throws {
        let store = try await Store.temporary(pair)
        let rows = (0..<40).map { row("k", $0, "x\($0)") }
        try await store.put("Pair", rows)
        #expect(try await store.put("Pair", rows).putCount == 40)
        #expect(try await store.put("Pair", rows, mode: .update).putCount == 40)
    }

    @Test(arguments: [WriteOperation.PutMode.insert, .upsert, .update], [1, 16, 33])
    func aUniqueIndexIsNamedByItsError(mode: WriteOperation.PutMode, count: Int) async throws {
        let store = try await Store.temporary(pair)
        try await store.put("Pair", [row("first", 1, "taken")])
        if mode == .update { try await store.put("Pair", (0..<count).map { row("k", Int64($0), nil) }) }
        let rows = (0..<count).map { row("k", Int64($0), $0 == count - 1 ? "taken" : "x\($0)") }
        let error = await storageError { try await store.put("Pair", rows, mode: mode) }
        #expect(error == StorageError.uniqueViolation(index: "byX", of: "Pair", operation: 0))
        #expect(error?.message.contains("'byX'") == true)
        #expect(error?.description.contains("taken") == false)
    }

    @Test func recordsWithANullNeverCollide() async throws {
        let store = try await Store.temporary(pair)
        try await store.put("Pair", (0..<20).map { row("k", $0, nil, 7) })
        #expect(try await store.rows(QueryPlan("Pair")).count == 20)
    }

    @Test func aRowThatBreaksTwoRulesFailsOfItsKeyFirst() async throws {
        let store = try await Store.temporary(pair)
        try await store.put("Pair", [row("k", 1, "taken"), row("k", 2, "free")])
        for count in [1, 20] {
            let rows = [row("k", 2, "taken")] + (1..<count).map { row("m", Int64($0), nil) }
            let error = await storageError { try await store.put("Pair", rows, mode: .insert) }
            #expect(error?.kind == .preconditionFailed)
        }
    }

    @Test func preconditionsAreJudgedBeforeTheOperations() async throws {
        let store = try await Store.temporary(note)
        let key = RecordKey("k")
        try await store.put("Note", [noteRow("k"), noteRow("m")])
        func failure(_ preconditions: Precondition...) async -> StorageError? {
            await storageError {
                _ = try await store.commit(
                    CommitRequest(
                        preconditions: preconditions, operations: [.delete(entity: "Note", keys: [RecordKey("z")])])
                )
            }
        }
        #expect(await failure(.absent(entity: "Note", key: key))?.position == .precondition(0))
        #expect(
            await failure(.present(entity: "Note", key: key), .present(entity: "Note", key: RecordKey("z")))?
                .position
                == .precondition(1))
        #expect(await failure(.version(entity: "Note", key: key, 2))?.kind == .preconditionFailed)
        #expect(await failure(.version(entity: "Note", key: key, 1)) == nil)
        #expect(await failure(.unchanged(KeyRange("Note"), since: 0))?.kind == .preconditionFailed)
        #expect(await failure(.unchanged(KeyRange("Note"), since: 1)) == nil)
        let behind = KeyRange("Note", from: .excluded([.text("m")]))
        #expect(await failure(.unchanged(behind, since: 0)) == nil)
        _ = try await store.commit(CommitRequest(operations: [.delete(entity: "Note", keys: [key])]))
        #expect(await failure(.unchanged(behind, since: 3))?.kind == .preconditionFailed)
    }

    @Test func receiptsCountWhatWasDone() async throws {
        let store = try await Store.temporary(note, pair)
        let empty = try await store.commit(CommitRequest())
        #expect(empty == CommitReceipt(sequence: 0))
        try await store.put("Note", (0..<30).map { noteRow("k\($0)") })
        let receipt = try await store.commit(
            CommitRequest(operations: [
                .delete(entity: "Note", keys: [RecordKey("k0"), RecordKey("missing"), RecordKey("k0")]),
                .put(entity: "Pair", rows: RowBuffer([row("a", 1, nil)]), mode: .upsert),
                .clear(entity: "Note"),
                .clear(entity: "Pair"),
            ]))
        #expect(receipt == CommitReceipt(sequence: 2, putCount: 1, deletedCount: 31))
        #expect(try await store.commit(CommitRequest()) == CommitReceipt(sequence: 2))
    }

    @Test func concurrentCommitsAreAllAppliedAndNumbered() async throws {
        let store = try await Store.temporary(note)
        let sequences = try await withThrowingTaskGroup(of: UInt64.self) { group in
            for number in 0..<300 {
                group.addTask { try await store.put("Note", [noteRow("k\(number)")]).sequence }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sequences.sorted() == Array(1...300))
        #expect(try await store.rows(QueryPlan("Note"), batch: 100).count == 300)
    }

    @Test func aCommitThatFailsDoesNotHurtTheOthersOfItsGroup() async throws {
        let store = try await Store.temporary(note)
        try await store.put("Note", [noteRow("taken")])
        let outcomes = await withTaskGroup(of: (Int, StorageError?).self) { group in
            for number in 0..<200 {
                group.addTask {
                    let rows =
                        number % 3 == 0 ? [noteRow("k\(number)"), noteRow("taken")] : [noteRow("k\(number)")]
                    return (number, await storageError { try await store.put("Note", rows, mode: .insert) })
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for (number, error) in outcomes {
            #expect(error?.kind == (number % 3 == 0 ? .preconditionFailed : nil))
        }
        let expected = Set((0..<200).filter { $0 % 3 != 0 }.map { Value.text("k\($0)") } + [.text("taken")])
        let rows = try await store.rows(QueryPlan("Note"), batch: 100)
        #expect(Set(rows.map { $0[0] }) == expected)
        #expect(try await store.record("Note", [.text("k1")])?.version ?? 0 > 1)
    }

    @Test func commitsOfEveryDurabilityShareTheQueue() async throws {
        let store = try await Store.temporary(note)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    try await store.put(
                        "Note", [noteRow("k\(number)")], durability: Durability.allCases[number % 3])
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.rows(QueryPlan("Note"), batch: 100).count == 60)
    }

    @Test func aCancelledCommitDoesNothing() async throws {
        let store = try await Store.temporary(note)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await storageError { try await store.put("Note", [noteRow("k")]) }
        }
        #expect(await task.value?.kind == .cancelled)
        #expect(try await store.rows(QueryPlan("Note")).isEmpty)
    }

    @Test func aCommitThatWaitsForAnotherProcessCanBeCancelled() async throws {
        let directory = TemporaryDirectory()
        let configuration = SQLiteConfiguration(.file(directory.file()), busyTimeout: .seconds(600))
        let store = try await Store.open(SQLiteAdapter(configuration), schema: try StorageSchema(entities: [note]))
        let other = RawDatabase(directory.file())
        other.execute("BEGIN IMMEDIATE")
        let task = Task { await storageError { try await store.put("Note", [noteRow("k")]) } }
        let next = Task { try await store.put("Note", [noteRow("l")]) }
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
        other.execute("COMMIT")
        #expect(try await next.value.putCount == 1)
        #expect(try await store.rows(QueryPlan("Note")) == [noteRow("l")])
        try await store.close()
    }

    @Test func aWriterThatWaitsTooLongFailsAsBusy() async throws {
        let directory = TemporaryDirectory()
        let configuration = SQLiteConfiguration(.file(directory.file()), busyTimeout: .milliseconds(20))
        let schema = try StorageSchema(entities: [note])
        let store = try await Store.open(SQLiteAdapter(configuration), schema: schema)
        let other = RawDatabase(directory.file())
        other.execute("BEGIN IMMEDIATE")
        let error = await storageError { try await store.put("Note", [noteRow("k")]) }
        #expect(error == StorageError(.busy, ""))
        #expect(error?.retry == .afterBackoff)
        #expect(error?.nativeCode == "SQLITE_BUSY (5)")
        other.execute("COMMIT")
        try await store.put("Note", [noteRow("k")])
        try await store.close()
    }
}
#endif
