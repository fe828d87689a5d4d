#if PostgreSQL
import Foundation
import HoldfastPostgreSQL
import HoldfastStorage
import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastTestSupport
import Testing

extension PostgreSQLSuite {
    @Suite struct LifecycleTests {
        @Test func theConnectionStringIsNowhereToBeRead() async throws {
            let secret = "hunter2"
            let configuration = PostgreSQLConfiguration(
                "postgresql://me:\(secret)@127.0.0.1:1/db", waitTimeout: .zero)
            var dumped = ""
            dump(configuration, to: &dumped)
            #expect(!dumped.contains(secret))
            #expect(!"\(configuration) \(String(reflecting: configuration))".contains(secret))
            for text in ["postgresql://me:\(secret)@127.0.0.1:1/db", "postgresql://me:\(secret)@h:\(secret)/db"] {
                let adapter = PostgreSQLAdapter(PostgreSQLConfiguration(text, waitTimeout: .zero))
                let error = try #require(
                    await storageError {
                        _ = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
                    })
                #expect(!error.debugDescription.contains(secret))
            }
        }

        @Test func aSchemaThatIsNotAStoreIsLeftAlone() async throws {
            let adapter = PostgreSQLAdapter(
                PostgreSQLConfiguration(PostgreSQLServer.url ?? "", schema: "information_schema"))
            let error = await storageError {
                _ = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
            }
            #expect(error?.kind == .incompatibleStore)
        }

        @Test func severalProcessesMayCreateAStoreAtOnce() async throws {
            let schema = TestSchema()
            let stores = try await withThrowingTaskGroup(of: Store.self) { group in
                for _ in 0..<6 { group.addTask { try await schema.open(note) } }
                return try await group.reduce(into: [Store]()) { $0.append($1) }
            }
            for (number, store) in stores.enumerated() { try await store.put("Note", [noteRow("\(number)")]) }
            #expect(try await stores[0].cells(QueryPlan("Note")).count == 6)
            for store in stores { try await store.close() }
        }

        @Test func additiveChangesAreMadeInPlaceAndOthersNeedAMigration() async throws {
            let schema = TestSchema()
            var store = try await schema.open(note)
            try await store.put("Note", [noteRow("a", "x", 1), noteRow("b", "y", 2)])
            try await store.close()
            let more = EntitySchema(
                "Note", fields: note.fields + [FieldSchema("at", .dateTime)],
                indexes: [IndexSchema("byRank", on: ["rank", "at"])])
            store = try await schema.open(more)
            #expect(
                try await store.cells(QueryPlan("Note", sort: [SortKey("rank", .descending)]))[0][0] == .text("b"))
            #expect(try await store.verify() == [])
            try await store.close()
            let error = await storageError { _ = try await schema.open(note) }
            #expect(error?.kind == .schemaMismatch)

            let renamed = EntitySchema("Memo", fields: [FieldSchema("id", .id), FieldSchema("size", .int)])
            store = try await Store.open(
                PostgreSQLAdapter(schema.configuration()), schema: StorageSchema(entities: [renamed])
            ) { stored in
                SchemaMigration(
                    steps: [
                        SchemaMigration.Step(from: try? stored.entity(named: "Note"), to: renamed) { row in
                            row[0] == .text("a") ? nil : [row[0], row[2]]
                        }
                    ])
            }
            #expect(try await store.cells(QueryPlan("Memo")) == [[.text("b"), .integer(2)]])
            #expect(try await store.verify() == [])
            try await store.close()
        }

        @Test func aCancelledQueryLeavesItsSnapshotUsable() async throws {
            let store = try await TestSchema().open(note)
            try await store.put("Note", (0..<1_000).map { noteRow("\($0)", String(repeating: "x", count: 100)) })
            let snapshot = try await store.snapshot()
            let task = Task {
                // Long enough that the cancellation finds it running more often than not.
                try await snapshot.aggregate(
                    AggregatePlan(
                        "Note", where: .or((0..<400).map { .contains("text", .text("y\($0)")) }), [.count]))
            }
            task.cancel()
            _ = try? await task.value
            let rows: [StoredRow] = try await snapshot.rows(QueryPlan("Note"))
            #expect(rows.count == 1_000)
            await snapshot.close()
            try await store.close()
        }

        /// So is a task that was cancelled while others used the snapshot, once it has its turn.
        @Test func aReadOfATaskThatIsCancelledAlreadyIsNotSent() async throws {
            let adapter = PostgreSQLAdapter(TestSchema().configuration())
            let store = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
            try await store.put("Note", [noteRow("a")])
            let snapshot = try await adapter.snapshot()
            let count = try store.schema.bind(AggregatePlan("Note", [.count]))
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await snapshot.aggregate(count)
            }
            #expect(await storageError { _ = try await task.value }?.kind == .cancelled)
            // The transaction goes on as if nothing had been asked.
            #expect(try await snapshot.aggregate(count) == [.integer(1)])
            await snapshot.close()
            try await store.close()
        }

        @Test func closingEndsSnapshotsAndScans() async throws {
            let store = try await TestSchema().open(note)
            try await store.put("Note", (0..<200).map { noteRow("\($0)") })
            let snapshot = try await store.snapshot()
            var scan = try await snapshot.query(QueryPlan("Note"))
            var rows = RowBuffer()
            try await scan.next(maximumRowCount: 64, into: &rows)
            #expect(rows.rowCount == 64)
            try await store.close()
            let error = await storageError { _ = try await snapshot.records([RecordKey("1")], of: "Note") }
            #expect(error?.kind == .closed)
            #expect(await storageError { _ = try await store.snapshot() }?.kind == .closed)
        }

        @Test func moreSnapshotsThanAllowedWaitTheirTurn() async throws {
            let schema = TestSchema()
            let store = try await Store.open(
                PostgreSQLAdapter(schema.configuration(maximumSnapshotCount: 2)),
                schema: StorageSchema(entities: [note]))
            try await store.put("Note", [noteRow("a")])
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await store.withSnapshot { try await $0.count("Note") } }
                }
                return try await group.reduce(0, +)
            }
            #expect(counts == 20)
            try await store.close()
        }

        @Test func quickReadsInLoopsLetOtherTasksRun() async throws {
            let store = try await TestSchema().open(note)
            try await store.put("Note", [noteRow("a")])
            let hopCount = 100
            // Far more than a reader can do in its turns of a millisecond, of which it has one for each hop.
            let limit = 1_000 * hopCount
            // As many as there are threads for tasks; more would wait for each other and so make room.
            let readerCount = ProcessInfo.processInfo.activeProcessorCount
            let readCount = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<readerCount {
                    group.addTask {
                        var count = 0
                        while !Task.isCancelled && count < limit {
                            _ = try await store.records([RecordKey([.text("a")])], of: "Note")
                            count += 1
                        }
                        return count
                    }
                }
                for _ in 0..<hopCount { await Task.yield() }
                group.cancelAll()
                return try await group.reduce(0, +)
            }
            // Where nothing else runs, the readers end by themselves, at about the same time.
            #expect(readCount < readerCount * limit / 2)
            try await store.close()
        }
    }
}
#endif
