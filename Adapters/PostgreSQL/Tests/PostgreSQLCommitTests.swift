#if PostgreSQL
import HoldfastPostgreSQL
import HoldfastStorage
import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastTestSupport
import Testing

extension PostgreSQLSuite {
    @Suite struct CommitTests {
        @Test func aRowThatOccursTwiceIsPutInOrder() async throws {
            let store = try await TestSchema().open(note)
            let receipt = try await store.put("Note", [noteRow("a", "1"), noteRow("b"), noteRow("a", "2")])
            #expect(receipt.putCount == 3)
            #expect(try await store.cells(QueryPlan("Note")) == [noteRow("a", "2"), noteRow("b")])
            try await store.close()
        }

        @Test func theFirstPreconditionThatFailsIsNamedAmongMany() async throws {
            let store = try await TestSchema().open(note)
            try await store.put("Note", (0..<20).map { noteRow("\($0)") })
            var preconditions = (0..<20).map { Precondition.present(entity: "Note", key: RecordKey("\($0)")) }
            preconditions.insert(.present(entity: "Note", key: RecordKey("missing")), at: 13)
            let error = await storageError { try await store.put("Note", [noteRow("x")], preconditions) }
            #expect(error?.kind == .preconditionFailed)
            #expect(error?.position == .precondition(13))
            #expect(try await store.records([RecordKey("x")], of: "Note")[0].version == 0)
            try await store.close()
        }

        /// Versions of records that the same commit replaces are checked where they are replaced.
        @Test func theFirstVersionThatDiffersIsNamedAmongMany() async throws {
            let store = try await TestSchema().open(note)
            let version = try await store.put("Note", (0..<20).map { noteRow("\($0)", "old") }).sequence
            func replace(
                _ numbers: some Sequence<Int>, _ versions: [Int: UInt64] = [:], _ more: [Precondition] = []
            ) async throws {
                let rows = numbers.map { noteRow("\($0)", "new") }
                let conditions = numbers.map { number in
                    Precondition.version(entity: "Note", key: RecordKey("\(number)"), versions[number] ?? version)
                }
                try await store.put("Note", rows, mode: .update, more + conditions)
            }
            var error = await storageError { try await replace(0..<20, [13: 1, 15: 1]) }
            #expect(error?.kind == .preconditionFailed)
            #expect(error?.position == .precondition(13))
            error = await storageError { try await replace([7], [7: 1]) }
            #expect(error?.position == .precondition(0))
            error = await storageError { try await replace([7, 21]) }
            #expect(error?.position == .precondition(1))
            // What is checked by itself comes before what is checked with a row.
            let missing = Precondition.present(entity: "Note", key: RecordKey("missing"))
            error = await storageError { try await replace([7], [7: 1], [missing]) }
            #expect(error?.position == .precondition(0))
            let other = Precondition.version(entity: "Note", key: RecordKey("7"), 1)
            error = await storageError { try await replace([7], [:], [other]) }
            #expect(error?.position == .precondition(0))
            #expect(try await store.cells(QueryPlan("Note")).allSatisfy { $0[1] == .text("old") })

            try await replace(3..<9)
            let rows: [StoredRow] = try await store.withSnapshot { try await $0.rows(QueryPlan("Note")) }
            let replaced = rows.filter { $0.version > version }
            #expect(Set(replaced.map { $0.cells[0] }) == Set((3..<9).map { .text("\($0)") }))
            #expect(replaced.allSatisfy { $0.cells[1] == .text("new") && $0.version == replaced[0].version })
            try await store.close()
        }

        /// Nothing but a change of the schema by another process makes a column refuse null.
        @Test func aColumnThatNowRefusesNullIsAChangeOfTheSchema() async throws {
            let schema = TestSchema()
            let store = try await schema.open(note)
            try await store.put("Note", [noteRow("k", "text")])
            _ = try await Session().integer(
                """
                ALTER TABLE "\(schema.name)"."Note" ALTER COLUMN text SET NOT NULL;
                SELECT 1;
                """)
            let error = await storageError { try await store.put("Note", [noteRow("l")]) }
            #expect(error?.kind == .busy)
            #expect(error?.message == StorageError.schemaChanged().message)
            try await store.put("Note", [noteRow("l", "text")])
            try await store.close()
        }

        /// While a table is small the server would rather read all of it, and keep that plan when there is more.
        @Test func recordsThatAreUpdatedTogetherAreFoundByTheirKeys() async throws {
            let schema = TestSchema()
            let store = try await schema.open(note)
            try await store.put("Note", (0..<20).map { noteRow("\($0)") })
            for number in 0..<20 {
                try await store.put("Note", [noteRow("1", "\(number)"), noteRow("2", "\(number)")], mode: .update)
            }
            // Sessions say what they did when they end.
            try await store.close()
            let session = try Session()
            func count(_ column: String) async throws -> Int64 {
                try await session.integer(
                    "SELECT coalesce(\(column), 0) FROM pg_stat_user_tables "
                        + "WHERE schemaname = '\(schema.name)' AND relname = 'Note';")
            }
            while try await count("idx_scan") < 40 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(try await count("seq_scan") < 10)
        }

        /// As those of a program that commits once and ends.
        @Test func handlesOfFewCommitsDeleteOldCommits() async throws {
            let schema = TestSchema()
            var configuration = schema.configuration()
            configuration.changeLogCommitCount = 0
            func commit(_ count: Int) async throws {
                let adapter = PostgreSQLAdapter(configuration)
                let store = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
                for number in 0..<count { try await store.put("Note", [noteRow("\(number)")]) }
                try await store.close()
            }
            try await commit(20)
            let session = try Session()
            let commits = "\"\(schema.name)\".holdfast_commit"
            _ = try await session.integer(
                "UPDATE \(commits) SET committed_at = committed_at - interval '2 hours'; SELECT 1;")
            let old = "SELECT count(*) FROM \(commits) WHERE committed_at < now() - interval '1 hour';"
            #expect(try await session.integer(old) == 20)
            // A transaction of another test that began before keeps them as long as it is open.
            for _ in 0..<500 where try await session.integer(old) > 0 { try await commit(1) }
            #expect(try await session.integer(old) == 0)
        }

        @Test func updatesOfManyNameTheirOperationAndComeInOrder() async throws {
            let store = try await TestSchema().open(note)
            try await store.put("Note", [noteRow("a"), noteRow("b")])
            let error = await storageError {
                try await store.put("Note", [noteRow("a", "x"), noteRow("c", "x")], mode: .update)
            }
            #expect(error?.kind == .preconditionFailed)
            #expect(error?.position == .operation(0))
            let receipt = try await store.put(
                "Note", [noteRow("b", "1"), noteRow("a", "2"), noteRow("b", "3")], mode: .update)
            #expect(receipt.putCount == 3)
            #expect(try await store.cells(QueryPlan("Note")) == [noteRow("a", "2"), noteRow("b", "3")])
            try await store.close()
        }

        /// One record gives up the value that another takes, which works in that order alone.
        @Test func uniqueValuesArePassedOnInTheOrderOfTheRows() async throws {
            let entity = EntitySchema(
                "Note", fields: note.fields, indexes: [IndexSchema("byRank", on: ["rank"], isUnique: true)])
            let store = try await TestSchema().open(entity)
            let version = try await store.put("Note", [noteRow("a", nil, 1), noteRow("b", nil, 2)]).sequence
            let conditions = ["a", "b"].map { Precondition.version(entity: "Note", key: RecordKey($0), version) }
            let error = await storageError {
                try await store.put("Note", [noteRow("a", nil, 2), noteRow("b", nil, 3)], mode: .update, conditions)
            }
            #expect(error?.kind == .uniqueViolation)
            try await store.put("Note", [noteRow("b", nil, 3), noteRow("a", nil, 2)], mode: .update, conditions)
            #expect(try await store.cells(QueryPlan("Note")) == [noteRow("a", nil, 2), noteRow("b", nil, 3)])
            try await store.close()
        }

        @Test func aUniqueIndexThatAnotherHandleAddedIsKept() async throws {
            let schema = TestSchema()
            let store = try await schema.open(note)
            try await store.put("Note", [noteRow("a", nil, 1)])
            let unique = EntitySchema(
                "Note", fields: note.fields, indexes: [IndexSchema("byRank", on: ["rank"], isUnique: true)])
            let other = try await schema.open(unique)
            let error = await storageError { try await store.put("Note", [noteRow("b", nil, 1)]) }
            #expect(error?.kind == .uniqueViolation)
            #expect(error?.transaction == .rolledBack)
            #expect(error?.position == .operation(0))
            #expect(error?.message.contains("'Note'") == true)
            try await store.put("Note", [noteRow("b", nil, 2)])
            #expect(try await other.cells(QueryPlan("Note")) == [noteRow("a", nil, 1), noteRow("b", nil, 2)])
            try await store.close()
            try await other.close()
        }

        @Test func aBulkLoadWithAnExistingRecordChangesNothing() async throws {
            let store = try await TestSchema().open(note)
            try await store.put("Note", [noteRow("700")])
            let rows = (0..<2_000).map { noteRow("\($0)") }
            let error = await storageError { try await store.put("Note", rows, mode: .insert) }
            #expect(error?.kind == .preconditionFailed)
            #expect(error?.position == .operation(0))
            #expect(try await store.cells(QueryPlan("Note")).count == 1)
            try await store.close()
        }

        /// Each writer reads, adds one and demands that what it read still holds; nothing may be lost.
        @Test func concurrentIncrementsOfSeveralAdaptersAllCount() async throws {
            let schema = TestSchema()
            let stores = [try await schema.open(note), try await schema.open(note)]
            try await stores[0].put("Note", [noteRow("n", nil, 0)])
            try await increment(stores, writerCount: 8, times: 10)
            #expect(try await stores[1].cells(QueryPlan("Note")) == [noteRow("n", nil, 80)])
            for store in stores { try await store.close() }
        }

        /// Two commits that each demand that the other's record is absent: one must fail.
        @Test func writeSkewIsImpossible() async throws {
            let schema = TestSchema()
            let stores = [try await schema.open(note), try await schema.open(note)]
            for round in 0..<30 {
                let keys = ["a\(round)", "b\(round)"]
                let successes = await withTaskGroup(of: Bool.self) { group in
                    for side in 0..<2 {
                        group.addTask {
                            let other = RecordKey(keys[1 - side])
                            let error = await storageError {
                                try await stores[side].put(
                                    "Note", [noteRow(keys[side])], [.absent(entity: "Note", key: other)])
                            }
                            #expect(error == nil || error?.kind == .preconditionFailed || error?.kind == .conflict)
                            return error == nil
                        }
                    }
                    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(successes == 1)
            }
            for store in stores { try await store.close() }
        }

        /// A snapshot's sequence never promises a commit that it does not see, however many are in progress.
        @Test func snapshotsSeeEveryCommitUpToTheirSequence() async throws {
            let schema = TestSchema()
            let store = try await schema.open(note)
            let other = try await schema.open(note)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        for number in 0..<50 {
                            let rows = (0..<(writer * 10 + 1)).map { noteRow("\(writer)-\(number)-\($0)") }
                            try await (writer % 2 == 0 ? store : other).put("Note", rows)
                        }
                    }
                }
                group.addTask {
                    var seen: [UInt64: Int] = [:]
                    var before: UInt64 = 0
                    for _ in 0..<60 {
                        let (sequence, rows) = try await store.withSnapshot { snapshot in
                            (snapshot.sequence, try await snapshot.rows(QueryPlan("Note"), batch: 500) as [StoredRow])
                        }
                        var counts: [UInt64: Int] = [:]
                        for row in rows where row.version <= sequence { counts[row.version, default: 0] += 1 }
                        // What was promised before is there in full, and nothing has joined it.
                        #expect(counts.filter { $0.key <= before } == seen)
                        #expect(sequence >= before)
                        (seen, before) = (counts, sequence)
                    }
                }
                try await group.waitForAll()
            }
            let last = try await store.put("Note", [noteRow("last")])
            #expect(try await store.snapshot().sequence == last.sequence)
            try await store.close()
            try await other.close()
        }

        @Test func aRangeThatAnotherProcessChangedIsNotUnchanged() async throws {
            let schema = TestSchema()
            let (store, other) = (try await schema.open(note), try await schema.open(note))
            try await store.put("Note", [noteRow("a"), noteRow("b")])
            let sequence = try await store.withSnapshot { $0.sequence }
            let unchanged = Precondition.unchanged(KeyRange("Note"), since: sequence)
            _ = try await other.commit(
                CommitRequest(operations: [.delete(entity: "Note", keys: [RecordKey("a")])]))
            let error = await storageError { try await store.put("Note", [noteRow("c")], [unchanged]) }
            #expect(error?.position == .precondition(0))
            let next = try await store.withSnapshot { $0.sequence }
            try await store.put("Note", [noteRow("c")], [.unchanged(KeyRange("Note"), since: next)])
            try await store.close()
            try await other.close()
        }
    }
}
#endif
