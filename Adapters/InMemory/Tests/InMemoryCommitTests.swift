import HoldfastInMemory
import HoldfastStorage
import Testing

@Suite struct InMemoryCommitTests {
    let posts = Posts()

    // MARK: Puts

    @Test func upsertCreatesAndReplaces() async throws {
        let store = try await posts.open()
        #expect(try await store.put(posts.row("a", rank: 1)) == CommitReceipt(sequence: 1, putCount: 1))
        #expect(try await store.put(posts.row("a", rank: 2), posts.row("b")).sequence == 2)
        let rows = try await store.rows("a", "b", "c")
        #expect(rows[0, 2] == .integer(2))
        #expect(rows.versions == [2, 2, 0])
        #expect(Array(rows[2]) == Array(repeating: .null, count: 5))
    }

    @Test func insertRefusesAnExistingRecordAndChangesNothing() async throws {
        let store = try await posts.open()
        _ = try await store.put(posts.row("a", rank: 1))
        let error = StorageError(.preconditionFailed, "", position: .operation(0))
        await #expect(throws: error) { try await store.put(posts.row("a", rank: 2), mode: .insert) }
        await #expect(throws: error) {
            try await store.put(posts.row("b"), posts.row("a", rank: 2), mode: .insert)
        }
        await #expect(throws: error) { try await store.put(posts.row("c"), posts.row("c"), mode: .insert) }
        #expect(try await store.rows("a", "b", "c").versions == [1, 0, 0])
        #expect(try await store.snapshot().sequence == 1)
    }

    @Test func updateRefusesAMissingRecordAndChangesNothing() async throws {
        let store = try await posts.open()
        _ = try await store.put(posts.row("a", rank: 1))
        let error = StorageError(.preconditionFailed, "", position: .operation(1))
        await #expect(throws: error) {
            try await store.commit(
                CommitRequest(operations: [
                    .put(entity: "Post", rows: posts.buffer(posts.row("a", rank: 2)), mode: .update),
                    .put(entity: "Post", rows: posts.buffer(posts.row("b")), mode: .update),
                ]))
        }
        #expect(try await store.rows("a", "b").versions == [1, 0])
        #expect(try await store.put(posts.row("a", rank: 3), mode: .update).sequence == 2)
        #expect(try await store.verify() == [])
    }

    @Test func laterOperationsSeeEarlierOnes() async throws {
        let store = try await posts.open()
        let receipt = try await store.commit(
            CommitRequest(operations: [
                .put(entity: "Post", rows: posts.buffer(posts.row("a")), mode: .insert),
                .put(entity: "Post", rows: posts.buffer(posts.row("a", rank: 2)), mode: .update),
                .delete(entity: "Post", keys: [RecordKey("a"), RecordKey("x"), RecordKey("a")]),
                .put(entity: "Post", rows: posts.buffer(posts.row("a", rank: 3)), mode: .insert),
                .put(entity: "Post", rows: posts.buffer(posts.row("b", rank: 4)), mode: .insert),
            ]))
        #expect(receipt == CommitReceipt(sequence: 1, putCount: 4, deletedCount: 1))
        #expect(try await store.rows("a")[0, 2] == .integer(3))
        let cleared = try await store.commit(CommitRequest(operations: [.clear(entity: "Post")]))
        #expect(cleared == CommitReceipt(sequence: 2, deletedCount: 2))
        #expect(try await store.snapshot().count("Post") == 0)
        #expect(try await store.verify() == [])
    }

    @Test func aCommitWithoutOperationsTakesNoSequence() async throws {
        let store = try await posts.open()
        #expect(try await store.commit(CommitRequest()) == CommitReceipt(sequence: 0))
        _ = try await store.put(posts.row("a"))
        #expect(try await store.commit(CommitRequest()) == CommitReceipt(sequence: 1))
        #expect(try await store.commit(CommitRequest(operations: [.delete(entity: "Post", keys: [])])).sequence == 2)
    }

    // MARK: Unique indexes

    @Test func aUniqueIndexRefusesASecondRecord() async throws {
        let store = try await posts.open()
        _ = try await store.put(posts.row("a", alias: "x"), posts.row("b", alias: "y"))
        let error = StorageError(.uniqueViolation, "", position: .operation(0))
        await #expect(throws: error) { try await store.put(posts.row("c", alias: "x")) }
        await #expect(throws: error) { try await store.put(posts.row("b", alias: "x")) }
        await #expect(throws: error) { try await store.put(posts.row("c", alias: "z"), posts.row("d", alias: "z")) }
        _ = try await store.put(posts.row("a", rank: 5, alias: "x"))
        #expect(try await store.rows("a", "b", "c").versions == [2, 1, 0])
        #expect(try await store.verify() == [])
    }

    @Test func recordsWithANullNeverCollide() async throws {
        let store = try await posts.open()
        _ = try await store.put(posts.row("a"), posts.row("b"), posts.row("c"))
        #expect(try await store.snapshot().count("Post", where: .compare("alias", .equal, .null)) == 3)
    }

    @Test func aUniqueValueIsFreeOnceItsRecordGaveItUp() async throws {
        let store = try await posts.open()
        _ = try await store.put(posts.row("a", alias: "x"))
        _ = try await store.commit(
            CommitRequest(operations: [
                .put(entity: "Post", rows: posts.buffer(posts.row("a", alias: "y")), mode: .upsert),
                .put(entity: "Post", rows: posts.buffer(posts.row("b", alias: "x")), mode: .upsert),
                .delete(entity: "Post", keys: [RecordKey("a")]),
                .put(entity: "Post", rows: posts.buffer(posts.row("c", alias: "y")), mode: .upsert),
            ]))
        #expect(try await store.rows("a", "b", "c").versions == [0, 2, 2])
        #expect(try await store.verify() == [])
    }

    // MARK: Preconditions

    @Test func preconditionsAreJudgedBeforeTheFirstOperation() async throws {
        let store = try await posts.open()
        _ = try await store.put(posts.row("a"))
        let (a, b) = (RecordKey("a"), RecordKey("b"))
        let holding: [Precondition] = [
            .absent(entity: "Post", key: b), .present(entity: "Post", key: a),
            .version(entity: "Post", key: a, 1), .unchanged(KeyRange("Post"), since: 1),
            .unchanged(KeyRange("Post", from: .included([.text("b")])), since: 0),
        ]
        #expect(try await store.commit(CommitRequest(preconditions: holding)).sequence == 1)
        let failing: [Precondition] = [
            .absent(entity: "Post", key: a), .present(entity: "Post", key: b),
            .version(entity: "Post", key: a, 2), .version(entity: "Post", key: b, 0),
            .unchanged(KeyRange("Post"), since: 0),
        ]
        for precondition in failing {
            await #expect(throws: StorageError(.preconditionFailed, "", position: .precondition(1))) {
                try await store.commit(
                    CommitRequest(
                        preconditions: [holding[0], precondition],
                        operations: [.put(entity: "Post", rows: posts.buffer(posts.row("b")), mode: .upsert)]))
            }
        }
        #expect(try await store.rows("b").versions == [0])
    }

    @Test func aDeletedRecordIsAChangeOfItsRangeOnly() async throws {
        let store = try await posts.open()
        _ = try await store.put(posts.row("a"), posts.row("b"))
        _ = try await store.commit(CommitRequest(operations: [.delete(entity: "Post", keys: [RecordKey("a")])]))
        let (a, b) = (KeyRange.Bound.included([.text("a")]), KeyRange.Bound.included([.text("b")]))
        func holds(_ range: KeyRange, since: UInt64) async -> Bool {
            let request = CommitRequest(preconditions: [.unchanged(range, since: since)])
            return (try? await store.commit(request)) != nil
        }
        #expect(await !holds(KeyRange("Post", from: a, to: a), since: 1))
        #expect(await holds(KeyRange("Post", from: a, to: a), since: 2))
        #expect(await holds(KeyRange("Post", from: b, to: b), since: 1))
        _ = try await store.put(posts.row("a"))
        #expect(await !holds(KeyRange("Post", from: a, to: a), since: 2))
        #expect(await holds(KeyRange("Post", from: a, to: a), since: 3))
        _ = try await store.commit(CommitRequest(operations: [.clear(entity: "Post")]))
        #expect(await !holds(KeyRange("Post", from: b, to: b), since: 3))
        #expect(await holds(KeyRange("Post"), since: 4))
    }

    @Test func forgottenDeletionsMakeARangeChanged() async throws {
        let store = try await posts.open()
        let rows = (0..<3_000).map { posts.row("k\($0)") }
        _ = try await store.commit(
            CommitRequest(operations: [.put(entity: "Post", rows: posts.buffer(rows), mode: .insert)]))
        for number in 0..<2_999 {
            _ = try await store.commit(
                CommitRequest(operations: [.delete(entity: "Post", keys: [RecordKey("k\(number)")])]))
        }
        for key in ["k0", "k1500", "k2998"] {
            let range = KeyRange("Post", from: .included([.text(key)]), to: .included([.text(key)]))
            await #expect(throws: StorageError(.preconditionFailed, "", position: .precondition(0))) {
                try await store.commit(CommitRequest(preconditions: [.unchanged(range, since: 1)]))
            }
        }
        #expect(
            try await store.commit(CommitRequest(preconditions: [.unchanged(KeyRange("Post"), since: 3_000)])).sequence
                == 3_000)
    }

    // MARK: Isolation and concurrency

    @Test(arguments: [1, 3_000]) func aSnapshotNeverSeesALaterCommit(rowCount: Int) async throws {
        let store = try await posts.open()
        let rows = (0..<rowCount).map { posts.row("k\($0)", rank: 1) }
        let put = CommitRequest(operations: [.put(entity: "Post", rows: posts.buffer(rows), mode: .upsert)])
        let empty = try await store.snapshot()
        _ = try await store.commit(put)
        let full = try await store.snapshot()
        var scan = try await full.query(QueryPlan("Post"))
        var buffer = RowBuffer()
        try await scan.next(maximumRowCount: 1, into: &buffer)
        _ = try await store.commit(CommitRequest(operations: [.clear(entity: "Post")]))
        #expect(try await empty.count("Post") == 0)
        #expect(try await full.count("Post") == rowCount)
        var count = buffer.rowCount
        repeat {
            try await scan.next(into: &buffer)
            count += buffer.rowCount
        } while !buffer.isEmpty
        #expect(count == rowCount)
        #expect([empty.sequence, full.sequence] == [0, 1])
    }

    @Test func concurrentCommitsAllCountOnce() async throws {
        let store = try await posts.open()
        let sequences = try await withThrowingTaskGroup(of: UInt64.self) { group in
            for task in 0..<8 {
                group.addTask {
                    let rows = (0..<(task % 2 == 0 ? 1 : 2_000)).map { posts.row("t\(task)-\($0)") }
                    return try await store.commit(
                        CommitRequest(operations: [.put(entity: "Post", rows: posts.buffer(rows), mode: .insert)])
                    ).sequence
                }
            }
            return try await group.reduce(into: Set<UInt64>()) { $0.insert($1) }
        }
        #expect(sequences == Set(1...8))
        #expect(try await store.snapshot().count("Post") == 8_004)
    }

    @Test func snapshotsStayWholeWhileOthersCommit() async throws {
        let store = try await posts.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<2 {
                group.addTask {
                    for round in 0..<100 {
                        // Both records of a round come and go together.
                        let rows = ["x", "y"].map { posts.row("\(writer)\($0)\(round % 20)", rank: Int64(round)) }
                        _ = try await store.put(rows[0], rows[1])
                        if round % 3 == 0 {
                            let keys = rows.map { RecordKey([$0[0]]) }
                            _ = try await store.commit(
                                CommitRequest(operations: [.delete(entity: "Post", keys: keys)]))
                        }
                    }
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<100 {
                        let rows = try await store.results(QueryPlan("Post", sort: [SortKey("rank", .descending)]))
                        #expect(rows.count % 2 == 0)
                        #expect(Set(rows.map { $0[0] }).count == rows.count)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.verify() == [])
    }

    // MARK: The change log

    @Test func aLogMayKeepAllCommits() async throws {
        let entity = EntitySchema("Post", fields: Posts.fields)
        let store = try await Store.open(
            InMemoryAdapter(changeLogCommitCount: .max), schema: StorageSchema(entities: [entity]))
        for number in 0..<3 { _ = try await store.put(posts.row("\(number)")) }
        var feed = try await store.changes(after: 0)
        guard case .commits(let commits)? = try await feed.next() else {
            Issue.record("The feed must deliver the commits.")
            return
        }
        #expect(commits.map(\.sequence) == [1, 2, 3])
        try await store.close()
    }
}
