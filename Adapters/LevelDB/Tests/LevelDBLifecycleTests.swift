#if LevelDB
    import HoldfastLevelDB
    import HoldfastStorage
    import Testing

    @Suite struct LevelDBLifecycleTests {
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

        @Test func everythingFailsAfterClosingAndNothingCrashes() async throws {
            let adapter = LevelDBAdapter(.temporary)
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

        @Test func closingWaitsForWhatIsUnderWay() async throws {
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

        @Test func aLongQueryStopsWhenItsTaskIsCancelled() async throws {
            let store = try await Store.temporary(note)
            try await store.put("Note", (0..<3_000).map { noteRow("k\($0)", String(repeating: "x", count: 2_000)) })
            let snapshot = try await store.snapshot()
            // Each row compares its text with many needles; the model notices the end between two batches.
            let slow = Predicate.or((0..<20).map { .contains("text", .text("xx\($0)")) })
            let (started, continuation) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                await storageError {
                    continuation.yield()
                    _ = try await snapshot.count("Note", where: slow)
                }
            }
            for await _ in started { break }
            task.cancel()
            #expect(await task.value?.kind == .cancelled)
            #expect(try await snapshot.count("Note") == 3_000)
            let scanTask = Task {
                await storageError {
                    continuation.yield()
                    _ = try await snapshot.rows(QueryPlan("Note", where: slow))
                }
            }
            for await _ in started { break }
            scanTask.cancel()
            #expect(await scanTask.value?.kind == .cancelled)
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

        @Test func aDescendingSortOverAnIndexComesInBatches() async throws {
            let indexed = EntitySchema("Note", fields: note.fields, indexes: [IndexSchema("byRank", on: ["rank"])])
            let store = try await Store.temporary(indexed)
            try await store.put("Note", (0..<60).map { noteRow("k\($0 + 100)", nil, Int64($0 % 7)) })
            let plan = QueryPlan("Note", sort: [SortKey("rank", .descending)])
            let rows = try await store.rows(plan)
            #expect(rows.count == 60)
            #expect(rows.map { $0[2] }.first == .integer(6))
            #expect(try await store.rows(QueryPlan("Note", sort: plan.sort, limit: 5)) == Array(rows[..<5]))
            let expected = rows.sorted { left, right in
                left[2] == right[2]
                    ? ValueOrder.compare(left[0], right[0]) == .ascending
                    : ValueOrder.compare(left[2], right[2]) == .descending
            }
            #expect(rows == expected)
        }

        @Test func aRecordThatHasGoneAndItsEntryStaysIsPassedOver() async throws {
            // As a loss of power may leave it; see `LevelDBChange`.
            let directory = TemporaryDirectory()
            let indexed = EntitySchema(
                "Note", fields: note.fields, indexes: [IndexSchema("byRank", on: ["rank"], isUnique: true)])
            var store = try await Store.open(directory.file(), indexed)
            try await store.put("Note", [noteRow("a", nil, 1), noteRow("b", nil, 2)])
            try await store.close()
            RawDatabase(directory.file()).deleteFirst { $0.starts(with: [0, 0, 0, 1]) }
            store = try await Store.open(directory.file(), indexed)
            #expect(try await store.rows(QueryPlan("Note", sort: [SortKey("rank")])) == [noteRow("b", nil, 2)])
            #expect(try await store.verify().count == 1)
            try await store.put("Note", [noteRow("c", nil, 1)])
            #expect(try await store.rows(QueryPlan("Note", sort: [SortKey("rank")])).count == 2)
            try await store.close()
        }
    }
#endif
