#if PostgreSQL
import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastPostgreSQL
import HoldfastStorage
import HoldfastTestSupport
import Testing

extension PostgreSQLSuite {
    @Suite struct ScanTests {
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
            let pages: [(Int?, Int)] = [
                (nil, 0), (nil, 7), (2_300, 0), (1_500, 100), (1_024, 0), (1_025, 0), (128, 0), (0, 0),
            ]
            for (first, (limit, offset)) in pages.flatMap({ page in [0, 500].map { ($0, page) } }) {
                let predicate = first == 0 ? .all : isFew
                var plan = QueryPlan("Note", where: predicate, sort: [SortKey("rank", .descending)], limit: limit)
                plan.offset = offset
                let expected = (first..<3_000).reversed().dropFirst(offset).prefix(limit ?? .max).map { Int64($0) }
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

        /// A batch is in memory as a whole.
        @Test(arguments: [Predicate.all, .compare("rank", .greaterOrEqual, .integer(0))])
        func largeRowsComeInSmallBatches(predicate: Predicate) async throws {
            let store = try await TestSchema().open(note)
            let text = String(repeating: "x", count: 1 << 20)
            for start in stride(from: 0, to: 80, by: 20) {
                try await store.put("Note", (start..<start + 20).map { noteRow("\($0 + 1000)", text, Int64($0)) })
            }
            try await store.put("Note", (80..<400).map { noteRow("\($0 + 1000)", nil, Int64($0)) })
            let snapshot = try await store.snapshot()
            var scan = try await snapshot.query(QueryPlan("Note", where: predicate, sort: [SortKey("rank")]))
            var (count, sizes, batch) = (0, [Int](), RowBuffer())
            repeat {
                try await scan.next(maximumRowCount: 64, into: &batch)
                for row in 0..<batch.rowCount { #expect(batch[row, 2] == .integer(Int64(count + row))) }
                count += batch.rowCount
                sizes.append(batch.rowCount)
            } while !batch.isEmpty
            #expect(count == 400)
            #expect(sizes[0] == 64)
            #expect((1...8).contains(sizes[1]) && (1...8).contains(sizes[2]), "\(sizes)")
            #expect(sizes.dropFirst().contains(64), "short rows come as before: \(sizes)")
            await snapshot.close()
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

        @Test func othersReadBetweenTheBatchesOfAScanThatReadsAhead() async throws {
            let store = try await TestSchema().open(note)
            try await store.put("Note", (0..<1_000).map { noteRow("\($0 + 1000)", nil, Int64($0)) })
            let snapshot = try await store.snapshot()
            var scan = try await snapshot.query(QueryPlan("Note", sort: [SortKey("rank")]))
            var (count, batch) = (0, RowBuffer())
            repeat {
                try await scan.next(maximumRowCount: 100, into: &batch)
                for row in 0..<batch.rowCount { #expect(batch[row, 2] == .integer(Int64(count + row))) }
                count += batch.rowCount
                let record = try await snapshot.records([RecordKey([.text("1500")])], of: "Note")
                #expect(record[0].cells[2] == .integer(500))
                #expect(try await snapshot.count("Note") == 1_000)
            } while !batch.isEmpty
            #expect(count == 1_000)
            await snapshot.close()
            try await store.close()
        }

        /// The server does not look into lists of lists, so that the reference sorts all rows before the first is delivered.
        @Test(arguments: [false, true])
        func rowsThatTheReferenceSortedEndWithTheSnapshot(closesStore: Bool) async throws {
            let lists = FieldType.list(of: .list(of: .int, elementsAreRequired: false), elementsAreRequired: false)
            let entity = EntitySchema(
                "Nest", fields: [FieldSchema("id", .int), FieldSchema("rank", .int), FieldSchema("lists", lists)])
            let store = try await TestSchema().open(entity)
            let list = Value.list([.integer(1)])
            let rows = (0..<100).map { [Value.integer(Int64($0)), .integer(Int64(-$0)), .list([list])] }
            try await store.put("Nest", rows)
            let snapshot = try await store.snapshot()
            var scan = try await snapshot.query(
                QueryPlan("Nest", where: .contains("lists", list), sort: [SortKey("rank")]))
            var batch = RowBuffer()
            try await scan.next(maximumRowCount: 7, into: &batch)
            #expect(batch.rowCount == 7)
            if closesStore { try await store.close() } else { await snapshot.close() }
            let error = await storageError { try await scan.next(maximumRowCount: 7, into: &batch) }
            #expect(error?.kind == .closed)
            try await store.close()
        }

        @Test func aBatchThatFailsAheadFailsItsScanOnly() async throws {
            let (store, snapshot, scan) = try await Self.scanThatBecomesSlow(statementTimeout: .seconds(5))
            var (own, batch) = (scan, RowBuffer())
            // The batch is asked for already, and this receives its failure.
            #expect(try await snapshot.records([RecordKey([.text("1000")])], of: "Note").count == 1)
            let error = await storageError { try await own.next(maximumRowCount: 64, into: &batch) }
            #expect(error?.kind == .busy)
            #expect(batch.isEmpty)
            #expect(try await snapshot.records([RecordKey([.text("1000")])], of: "Note").count == 1)
            await snapshot.close()
            try await store.close()
        }

        @Test func aSnapshotOutlivesAReadThatAMigrationHoldsUp() async throws {
            let schema = TestSchema()
            let writer = try await schema.open(note)
            try await writer.put("Note", [noteRow("a")])
            try await writer.close()
            let store = try await Store.open(
                PostgreSQLAdapter(schema.configuration(waitTimeout: .milliseconds(200))),
                schema: StorageSchema(entities: [note]))
            let snapshot = try await store.snapshot()
            let session = try Session()
            _ = try await session.integer(
                "BEGIN; LOCK TABLE \"\(schema.name)\".\"Note\" IN ACCESS EXCLUSIVE MODE; SELECT 1;")
            for _ in 0..<2 {
                await expectFailure(.busy) { _ = try await snapshot.records([RecordKey("a")], of: "Note") }
            }
            _ = try await session.integer("COMMIT; SELECT 1;")
            #expect(try await snapshot.records([RecordKey("a")], of: "Note")[0].cells == noteRow("a"))
            #expect(try await snapshot.count("Note") == 1)
            await snapshot.close()
            try await store.close()
        }

        @Test func aCancelledTaskDoesNotWaitForTheBatchAhead() async throws {
            let (store, snapshot, scan) = try await Self.scanThatBecomesSlow(statementTimeout: nil)
            let task = Task {
                var (own, batch) = (scan, RowBuffer())
                try await own.next(maximumRowCount: 64, into: &batch)
            }
            // So that the task waits already, most times.
            try await Task.sleep(for: .milliseconds(100))
            task.cancel()
            #expect(await storageError { try await task.value }?.kind == .cancelled)
            #expect(try await snapshot.records([RecordKey([.text("1000")])], of: "Note").count == 1)
            await snapshot.close()
            try await store.close()
        }

        @Test func aDroppedSnapshotReleasesItsConnection() async throws {
            let schema = TestSchema()
            let store = try await Store.open(
                PostgreSQLAdapter(schema.configuration(maximumSnapshotCount: 1)),
                schema: StorageSchema(entities: [note]))
            try await store.put("Note", (0..<1_000).map { noteRow("\($0)") })
            for _ in 0..<5 {
                let snapshot = try await store.snapshot()
                var (scan, batch) = (try await snapshot.query(QueryPlan("Note")), RowBuffer())
                for _ in 0..<3 { try await scan.next(maximumRowCount: 64, into: &batch) }
                #expect(batch.rowCount == 64)
            }
            #expect(try await store.withSnapshot { try await $0.count("Note") } == 1_000)
            try await store.close()
        }

        #if os(Linux)
        /// Records may be large, and a caller that asks for few at once may stop early.
        @Test(arguments: [Predicate.all, .compare("rank", .greaterOrEqual, .integer(0))])
        func aLimitBringsNoMoreRowsThanABatchHas(predicate: Predicate) async throws {
            let (proxy, schema) = (try SocketProxy(), TestSchema())
            let store = try await Store.open(
                PostgreSQLAdapter(
                    PostgreSQLConfiguration(proxy.url, schema: schema.name, waitTimeout: .seconds(600))),
                schema: StorageSchema(entities: [note]))
            let text = String(repeating: "x", count: 10_000)
            try await store.put("Note", (0..<500).map { noteRow("\($0)", text, Int64($0)) })
            let snapshot = try await store.snapshot()
            var (scan, batch) = (
                try await snapshot.query(QueryPlan("Note", where: predicate, limit: 500)), RowBuffer()
            )
            let before = proxy.answeredByteCount
            try await scan.next(maximumRowCount: 64, into: &batch)
            #expect(batch.rowCount == 64)
            #expect((640_000..<1_280_000).contains(proxy.answeredByteCount - before))
            await snapshot.close()
            try await store.close()
        }

        @Test func aConnectionThatIsLostWithABatchAheadFailsWhatUsesItAndNothingElse() async throws {
            let (proxy, schema) = (try SocketProxy(), TestSchema())
            // Without the timeout, which a slow machine may need to write this.
            let writer = try await schema.open(note)
            try await writer.put("Note", (0..<1_000).map { noteRow("\($0)") })
            try await writer.close()
            let configuration = PostgreSQLConfiguration(
                proxy.url, schema: schema.name, waitTimeout: .seconds(600), silenceTimeout: .seconds(10))
            let store = try await Store.open(
                PostgreSQLAdapter(configuration), schema: StorageSchema(entities: [note]))
            for isSilent in [false, true] {
                // A server that is silent is waited for each time.
                for use in isSilent ? 0..<1 : 0..<3 {
                    let snapshot = try await store.snapshot()
                    var (scan, batch) = (try await snapshot.query(QueryPlan("Note")), RowBuffer())
                    for _ in 0..<3 { try await scan.next(maximumRowCount: 64, into: &batch) }
                    if isSilent { proxy.setFrozen(true) } else { proxy.dropClients() }
                    switch use {
                    case 0:
                        // What has arrived already is still delivered.
                        let error = await storageError {
                            while !batch.isEmpty { try await scan.next(maximumRowCount: 64, into: &batch) }
                        }
                        #expect(error?.kind == .connectionLost)
                    case 1:
                        let error = await storageError { _ = try await snapshot.count("Note") }
                        #expect(error?.kind == .connectionLost)
                    default: break
                    }
                    await snapshot.close()
                    proxy.setFrozen(false)
                    let count = try await PostgreSQLSuite.eventually(despite: [.connectionLost]) {
                        try await store.withSnapshot { try await $0.count("Note") }
                    }
                    #expect(count == 1_000)
                }
            }
            try await store.close()
        }

        /// Behind a pool a snapshot waits until the server has ended its transaction.
        @Test func closingWaitsForASilentServerOnce() async throws {
            let (proxy, schema) = (try SocketProxy(), TestSchema())
            let silence = Duration.seconds(10)
            let configuration = PostgreSQLConfiguration(
                proxy.url, schema: schema.name, waitTimeout: .seconds(600), silenceTimeout: silence,
                pooling: .transaction)
            let store = try await Store.open(
                PostgreSQLAdapter(configuration), schema: StorageSchema(entities: [note]))
            var snapshots: [StoreSnapshot] = []
            for _ in 0..<8 { snapshots.append(try await store.snapshot()) }
            proxy.setFrozen(true)
            let start = ContinuousClock.now
            try await store.close()
            #expect(ContinuousClock.now - start < silence * 5)
            proxy.setFrozen(false)
            for snapshot in snapshots { await snapshot.close() }
        }
        #endif

        /// A scan that has read three batches; the server needs seconds for each row of the next, which is asked for.
        private static func scanThatBecomesSlow(
            statementTimeout: Duration?
        ) async throws -> (Store, StoreSnapshot, StoreScan) {
            let schema = TestSchema()
            // Without the timeout, which a slow machine may need to write this.
            let writer = try await schema.open(note)
            try await writer.put("Note", (0..<192).map { noteRow("\($0 + 1000)", "-") })
            let long = String(repeating: "z", count: 1 << 20)
            try await writer.put("Note", (192..<212).map { noteRow("\($0 + 1000)", long) })
            try await writer.close()
            var configuration = schema.configuration()
            configuration.statementTimeout = statementTimeout
            let store = try await Store.open(
                PostgreSQLAdapter(configuration), schema: StorageSchema(entities: [note]))
            let snapshot = try await store.snapshot()
            // True of the short texts at once; of the long ones it is known to be false after 400 searches.
            let condition = Predicate.or(
                [.compare("text", .equal, .text("-"))] + (0..<400).map { .contains("text", .text("\($0)z")) })
            var (scan, batch) = (try await snapshot.query(QueryPlan("Note", where: condition)), RowBuffer())
            for _ in 0..<3 {
                try await scan.next(maximumRowCount: 64, into: &batch)
                try #require(batch.rowCount == 64)
            }
            return (store, snapshot, scan)
        }
    }
}
#endif
