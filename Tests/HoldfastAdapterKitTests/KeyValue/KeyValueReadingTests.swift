import HoldfastAdapterKit
import HoldfastConformance
import HoldfastStorage
import Testing

/// How much of the engine is read.
@Suite struct KeyValueReadingTests {
    private static let ranked = EntitySchema(
        "Note", fields: [FieldSchema("id", .id), FieldSchema("rank", .int)],
        indexes: [IndexSchema("byRank", on: ["rank"])])
    private static let other = EntitySchema("Other", fields: [FieldSchema("id", .id)])
    private let adapter = OrderedAdapter()
    private let store: Store

    init() async throws {
        store = try await Store.open(adapter, schema: StorageSchema(entities: [Self.ranked, Self.other]))
    }

    private func fill(_ count: Int, distinctRanks: Int) async throws {
        let rows = (0..<count).map { number in
            [Value.text("k\(100_000 + number)"), .integer(Int64(number % distinctRanks))]
        }
        _ = try await store.commit(
            CommitRequest(operations: [.put(entity: "Note", rows: RowBuffer(rows: rows), mode: .upsert)]))
        _ = try adapter.engine.takeReadCount()
    }

    private func ids(_ plan: QueryPlan, batch: Int = 512) async throws -> [String] {
        let snapshot = try await store.snapshot()
        var scan = try await snapshot.query(plan)
        var rows = RowBuffer()
        var ids: [String] = []
        repeat {
            try await scan.next(maximumRowCount: batch, into: &rows)
            for row in 0..<rows.rowCount {
                if case .text(let id) = rows[row, 0] { ids.append(id) }
            }
        } while !rows.isEmpty
        return ids
    }

    private let descending = [SortKey("rank", .descending)]

    @Test func aDescendingPageOverFewDistinctValuesReadsFewEntries() async throws {
        try await fill(20_000, distinctRanks: 2)
        let page = try await ids(QueryPlan("Note", sort: descending, limit: 20))
        #expect(page == (0..<20).map { "k\(100_001 + 2 * $0)" })
        // An entry and its record each; the entries that show that the run is long; the sequence.
        #expect(try adapter.engine.takeReadCount() < 150)
    }

    @Test(arguments: [1, 2, 15, 1_000], [1, 64, 512])
    func descendingRunsOfAnyLengthComeInOrder(distinctRanks: Int, batch: Int) async throws {
        try await fill(1_000, distinctRanks: distinctRanks)
        let expected = (0..<1_000).sorted { left, right in
            let (first, second) = (left % distinctRanks, right % distinctRanks)
            return first != second ? first > second : left < right
        }
        #expect(try await ids(QueryPlan("Note", sort: descending), batch: batch) == expected.map { "k\(100_000 + $0)" })
    }

    /// The rounding shows in which order the rows came: sorted by key, all of them would be held in memory.
    @Test func anAggregateOverAnIndexSortsNothing() async throws {
        let entity = EntitySchema(
            "Price", fields: [FieldSchema("id", .id), FieldSchema("rank", .int), FieldSchema("price", .float)],
            indexes: [IndexSchema("byRank", on: ["rank"])])
        let store = try await Store.open(OrderedAdapter(), schema: StorageSchema(entities: [entity]))
        let rows: [[Value]] = [
            [.text("a"), .integer(1), .double(1e16)], [.text("b"), .integer(3), .double(1)],
            [.text("c"), .integer(2), .double(-1e16)],
        ]
        _ = try await store.commit(
            CommitRequest(operations: [.put(entity: "Price", rows: RowBuffer(rows: rows), mode: .insert)]))
        let plan = AggregatePlan(
            "Price", where: .compare("rank", .greater, .integer(0)), [.count, .sum("price"), .maximum("price")])
        let values = try await store.snapshot().aggregate(plan)
        #expect(values == [.integer(3), .double(1), .double(1e16)])
    }

    /// No record has it in its key.
    private let withoutMatches = QueryPlan("Note", where: .contains("id", .text("x")))

    /// The caller has nothing of it until the end, so it cannot stop between batches.
    @Test func aScanOfSmallBatchesWithoutMatchesStopsWhenItsTaskIsCancelled() async throws {
        try await fill(5_000, distinctRanks: 2)
        try adapter.engine.afterReads(50) { withUnsafeCurrentTask { $0?.cancel() } }
        let task = Task { try await ids(withoutMatches, batch: 10) }
        await #expect(throws: StorageError(.cancelled, "")) { _ = try await task.value }
        #expect(try adapter.engine.takeReadCount() < 150)
    }

    @Test func aScanOfSmallBatchesWithoutMatchesLeavesItsCallersThread() async throws {
        try await fill(5_000, distinctRanks: 2)
        let (hasRun, ranInTask) = (Latch(), Latch())
        try adapter.engine.afterReads(2_000) {
            hasRun.set()
            withUnsafeCurrentTask { if $0 != nil { ranInTask.set() } }
        }
        #expect(try await ids(withoutMatches, batch: 10) == [])
        #expect(hasRun.isSet)
        #expect(!ranInTask.isSet)
    }

    @Test func anEntityThatDidNotChangeIsUnchangedWithoutALook() async throws {
        try await fill(5_000, distinctRanks: 2)
        let sequence = try await store.snapshot().sequence
        func put(_ id: String, since: UInt64) -> CommitRequest {
            CommitRequest(
                preconditions: [.unchanged(KeyRange("Note"), since: since)],
                operations: [.put(entity: "Other", rows: RowBuffer(row: [.text(id)]), mode: .upsert)])
        }
        for number in 0..<3 {
            _ = try await store.commit(put("o\(number)", since: sequence))
            #expect(try adapter.engine.takeReadCount() < 10)
        }
        let change = CommitRequest(operations: [.delete(entity: "Note", keys: [RecordKey("k100000")])])
        _ = try await store.commit(change)
        await #expect(throws: StorageError(.preconditionFailed, "", position: .precondition(0))) {
            _ = try await store.commit(put("late", since: sequence))
        }
    }
}
