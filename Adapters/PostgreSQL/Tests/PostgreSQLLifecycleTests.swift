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

        @Test func aSchemaThatIsNoStoreIsLeftAlone() async throws {
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
            let readCount = try await withThrowingTaskGroup(of: Int.self) { group in
                // As many as there are threads for tasks; more would wait for each other and so make room.
                for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
                    group.addTask {
                        var count = 0
                        while !Task.isCancelled && count < 200 * hopCount {
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
            #expect(readCount < 20 * hopCount)
            try await store.close()
        }

        @Test func scansThatReadAheadMayBeDroppedAtAnyBatch() async throws {
            let store = try await TestSchema().open(note)
            try await store.put("Note", (0..<1_000).map { noteRow("\($0 + 1000)", nil, Int64($0)) })
            let snapshot = try await store.snapshot()
            var batch = RowBuffer()
            for batchCount in 1...6 {
                var scan = try await snapshot.query(QueryPlan("Note", sort: [SortKey("rank")]))
                for number in 0..<batchCount {
                    try await scan.next(maximumRowCount: 100, into: &batch)
                    #expect(batch[0, 2] == .integer(Int64(number * 100)))
                }
                if batchCount.isMultiple(of: 2) { await scan.close() }
            }
            let rows: [StoredRow] = try await snapshot.rows(QueryPlan("Note"))
            #expect(rows.count == 1_000)
            await snapshot.close()
            #expect(try await store.cells(QueryPlan("Note")).count == 1_000)
            try await store.close()
        }

        @Test func moreThanTheFirstRowsComeFromACursor() async throws {
            let store = try await TestSchema().open(note)
            try await store.put("Note", (0..<3_000).map { noteRow("\($0 + 10_000)", nil, Int64($0)) })
            let isFew = Predicate.compare("rank", .greaterOrEqual, .integer(500))
            for (limit, offset) in [(nil, 0), (nil, 7), (2_300, 0), (1_500, 100), (1_024, 0), (1_025, 0), (0, 0)] {
                var plan = QueryPlan("Note", where: isFew, sort: [SortKey("rank", .descending)], limit: limit)
                plan.offset = offset
                let expected = (500..<3_000).reversed().dropFirst(offset).prefix(limit ?? .max).map(Int64.init)
                for size in [10, 64, 1_000, 1_024, 1_025, 5_000] {
                    try await store.withSnapshot { snapshot in
                        var scan = try await snapshot.query(plan)
                        var (ranks, rows): ([Value], RowBuffer) = ([], RowBuffer())
                        repeat {
                            try await scan.next(maximumRowCount: size, into: &rows)
                            #expect(rows.rowCount <= size)
                            for row in 0..<rows.rowCount { ranks.append(rows[row, 2]) }
                        } while !rows.isEmpty
                        let isAsExpected = ranks == expected.map { .integer($0) }
                        #expect(isAsExpected, "limit \(limit ?? -1), offset \(offset), batches of \(size)")
                    }
                }
            }
            try await store.close()
        }

        @Test func interleavedScansOfOneSnapshotDoNotDisturbEachOther() async throws {
            let store = try await TestSchema().open(note)
            try await store.put("Note", (0..<500).map { noteRow("\($0 + 1000)", nil, Int64($0)) })
            let snapshot = try await store.snapshot()
            var up = try await snapshot.query(QueryPlan("Note", sort: [SortKey("rank")]))
            var down = try await snapshot.query(QueryPlan("Note", sort: [SortKey("rank", .descending)]))
            var (left, right) = (RowBuffer(), RowBuffer())
            var count = 0
            repeat {
                try await up.next(maximumRowCount: 70, into: &left)
                try await down.next(maximumRowCount: 70, into: &right)
                #expect(left.rowCount == right.rowCount)
                for row in 0..<left.rowCount {
                    #expect(left[row, 2] == .integer(Int64(count + row)))
                    #expect(right[row, 2] == .integer(Int64(499 - count - row)))
                }
                count += left.rowCount
            } while !left.isEmpty
            #expect(count == 500)
            await snapshot.close()
            try await store.close()
        }
    }
}
#endif
