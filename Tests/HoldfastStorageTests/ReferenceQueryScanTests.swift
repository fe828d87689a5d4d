import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Testing

/// A source that fails once, after its first rows.
private struct FailingScan: AdapterScan {
    var calls = 0

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        calls += 1
        rows.reset(columnCount: 2)
        if calls == 2 { throw StorageError(.io, "The disk is gone.") }
        if calls < 5 { rows.append([.integer(Int64(10 - calls)), .integer(Int64(calls))], version: 1) }
    }

    mutating func close() async {}
}

/// One row, then the end, then that the snapshot was closed.
private struct ClosingScan: AdapterScan {
    var calls = 0

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        calls += 1
        rows.reset(columnCount: 2)
        if calls > 3 { throw StorageError(.closed, "The snapshot was closed.") }
        if calls == 1 {
            for id in 1...2 { rows.append([.integer(Int64(id)), .integer(0)], version: 1) }
        }
    }

    mutating func close() async {}
}

struct ReferenceQueryScanTests {
    private static let entity = EntitySchema("E", fields: [FieldSchema("id", .int), FieldSchema("n", .int)])

    private func drain(_ scan: inout some AdapterScan, batch: Int) async throws -> [StoredRow] {
        var rows = RowBuffer()
        var result: [StoredRow] = []
        repeat {
            try await scan.next(maximumRowCount: batch, into: &rows)
            #expect(rows.rowCount <= batch)
            result += rows.storedRows
        } while !rows.isEmpty
        return result
    }

    @Test(arguments: [true, false])
    func scanIsOverAfterAnErrorOfItsSource(_ isOrdered: Bool) async throws {
        let schema = try StorageSchema(entities: [Self.entity])
        let plan = QueryPlan("E", sort: isOrdered ? [] : [SortKey("n")])
        var scan = ReferenceQueryScan(source: FailingScan(), query: try schema.bind(plan), sourceIsOrdered: isOrdered)
        var rows = RowBuffer()
        await #expect(throws: StorageError(.io, "")) {
            for _ in 0..<3 { try await scan.next(maximumRowCount: 1, into: &rows) }
        }
        try await scan.next(maximumRowCount: 1, into: &rows)
        #expect(rows.isEmpty)
    }

    @Test func sortedRowsEndWithTheSnapshotTheyWereReadFrom() async throws {
        let schema = try StorageSchema(entities: [Self.entity])
        let plan = QueryPlan("E", sort: [SortKey("n")])
        var scan = ReferenceQueryScan(source: ClosingScan(), query: try schema.bind(plan), sourceIsOrdered: false)
        var rows = RowBuffer()
        try await scan.next(maximumRowCount: 1, into: &rows)
        #expect(rows.rowCount == 1)
        await #expect(throws: StorageError(.closed, "")) { try await scan.next(maximumRowCount: 1, into: &rows) }
    }

    /// Rows with many ties and nulls.
    private func records(_ count: Int) -> [[Value]] {
        var random = SplitMix64(seed: 5)
        return (0..<count).map { id in
            [.integer(Int64(id)), random.chance(10) ? .null : .integer(Int64(random.below(9)))]
        }
    }

    private static let plans: [QueryPlan] = [
        QueryPlan("E"),
        QueryPlan("E", limit: 0),
        QueryPlan("E", limit: 5, offset: 1_198),
        QueryPlan("E", limit: .max, offset: .max),
        QueryPlan("E", offset: 5_000),
        QueryPlan("E", sort: [SortKey("n")]),
        QueryPlan("E", sort: [SortKey("n", .descending)], limit: 10),
        QueryPlan("E", sort: [SortKey("n", .descending), SortKey("id", .descending)], limit: 700, offset: 20),
        QueryPlan("E", where: .compare("n", .greater, .integer(4)), sort: [SortKey("n")], limit: 3, offset: 3),
        QueryPlan("E", sort: [SortKey("n")], after: Cursor([.null, .integer(40)]), projection: ["n"]),
        QueryPlan("E", sort: [SortKey("n", .descending)], after: Cursor([.integer(3), .integer(40)])),
        QueryPlan("E", where: .compare("n", .greater, .integer(4)), limit: 700, offset: 3),
        QueryPlan(
            "E", where: .and([.compare("n", .less, .integer(5)), .isIn("n", [.integer(1), .integer(4), .null])]),
            limit: 40, after: Cursor([.integer(40)])),
        QueryPlan("E", where: .compare("n", .equal, .integer(2)), projection: ["n"]),
        QueryPlan("E", where: .constant(false)),
        QueryPlan("E", after: Cursor([.integer(1_000)]), projection: []),
    ]

    @Test(arguments: plans, [1, 7, 1_000])
    func scansAgreeWithTheReference(_ plan: QueryPlan, batch: Int) async throws {
        let schema = try StorageSchema(entities: [Self.entity])
        var reference = ReferenceStore(schema: schema)
        let rows = records(1_200)
        _ = try reference.commit(
            CommitRequest(operations: [.put(entity: "E", rows: RowBuffer(rows: rows), mode: .insert)]))
        let query = try schema.bind(plan)
        let source = RowsScan(
            rows: reference.allRecords(of: "E").map { StoredRow($0.row, version: $0.version) }, columnCount: 2)
        let expected = reference.query(query).map { StoredRow($0.row, version: $0.version) }
        var sorted = ReferenceQueryScan(source: source, query: query, sourceIsOrdered: false)
        #expect(try await drain(&sorted, batch: batch) == expected)
        if query.isKeyOrder {
            var streamed = ReferenceQueryScan(source: source, query: query, sourceIsOrdered: true)
            #expect(try await drain(&streamed, batch: batch) == expected)
        }
    }

    @Test(arguments: [1, 2, 100])
    func onlyMatchingRowsHaveToBeInOrder(batch: Int) async throws {
        let schema = try StorageSchema(entities: [Self.entity])
        // In key order, which is that of the query for rows whose `n` is 1.
        let rows = [1, 9, 1, 1].enumerated().map { id, n in
            StoredRow([.integer(Int64(id)), .integer(Int64(n))], version: 1)
        }
        // On a matching row, and on both sides of all of them.
        let cursors: [[Value]] = [[.integer(1), .integer(2)], [.integer(3), .integer(0)], [.null, .integer(0)]]
        for cursor in cursors {
            let plan = QueryPlan(
                "E", where: .compare("n", .equal, .integer(1)), sort: [SortKey("n")], after: Cursor(cursor))
            let query = try schema.bind(plan)
            var scan = ReferenceQueryScan(
                source: RowsScan(rows: rows, columnCount: 2), query: query, sourceIsOrdered: true)
            #expect(try await drain(&scan, batch: batch) == query.results(of: rows))
        }
    }

    @Test func closedScanDeliversNothing() async throws {
        let schema = try StorageSchema(entities: [Self.entity])
        let source = RowsScan(rows: [StoredRow([.integer(1), .null], version: 1)], columnCount: 2)
        for isOrdered in [true, false] {
            var scan = ReferenceQueryScan(
                source: source, query: try schema.bind(QueryPlan("E")), sourceIsOrdered: isOrdered)
            await scan.close()
            await scan.close()
            var rows = RowBuffer()
            try await scan.next(maximumRowCount: 1, into: &rows)
            #expect(rows.isEmpty)
        }
    }
}
