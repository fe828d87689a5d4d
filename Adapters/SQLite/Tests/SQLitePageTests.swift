#if SQLite
import CSQLite
import HoldfastAdapterKit
import HoldfastAdapterTestSupport
@testable import HoldfastSQLite
import HoldfastStorage
import HoldfastTestSupport
import Testing

/// Pages of an index over few distinct values.
@Suite struct SQLitePageTests {
    private let entity = EntitySchema(
        "T",
        fields: [
            FieldSchema("id", .int), FieldSchema("rank", .int), FieldSchema("kind", .int, isRequired: true),
            FieldSchema("at", .dateTime),
        ],
        indexes: [
            IndexSchema("byRank", on: ["rank"]), IndexSchema("byKind", on: ["kind", "at"]),
            IndexSchema("byKindAlone", on: ["kind"]),
        ])

    private func row(_ number: Int) -> [Value] {
        [
            .integer(Int64(number)), number % 3 == 0 ? .null : .integer(Int64(number % 3)),
            .integer(Int64(number / 7 % 2)),
            number % 5 == 0 ? .null : TypeSamples.stamp("2024-01-01T00:00:1\(number % 4)Z"),
        ]
    }

    /// Queries whose order is that of an index in which every run is turned round.
    private func plans(limit: Int) -> [QueryPlan] {
        let one = Predicate.compare("kind", .equal, .integer(1))
        return [
            QueryPlan("T", sort: [SortKey("rank", .descending)], limit: limit),
            QueryPlan("T", sort: [SortKey("kind", .descending)], limit: limit),
            QueryPlan("T", where: one, sort: [SortKey("at", .descending)], limit: limit),
            QueryPlan(
                "T", where: .compare("rank", .less, .integer(2)), sort: [SortKey("rank", .descending)], limit: limit),
            QueryPlan(
                "T", where: .compare("id", .less, .integer(4)), sort: [SortKey("rank", .descending)], limit: limit),
        ]
    }

    @Test(arguments: [1, 7, 40, 300])
    func descendingPagesAreTheWhole(limit: Int) async throws {
        let schema = try StorageSchema(entities: [entity])
        let store = try await Store.open(SQLiteAdapter(.temporary), schema: schema)
        var reference = ReferenceStore(schema: schema)
        let request = CommitRequest(
            operations: [.put(entity: "T", rows: RowBuffer((0..<120).map(row)), mode: .insert)])
        _ = try await store.commit(request)
        _ = try reference.commit(request)
        for plan in plans(limit: limit) {
            var plan = plan
            var rows: [[Value]] = []
            repeat {
                let page = try await store.rows(plan, batch: 10)
                rows += page
                plan.after =
                    page.count == limit ? page.last.map { Cursor(after: $0, of: entity, sortedBy: plan.sort) } : nil
            } while plan.after != nil
            plan.limit = nil
            #expect(try rows == reference.query(schema.bind(plan)).map(\.row))
        }
        try await store.close()
    }

    /// More than the caller's thread does by itself.
    @Test func pagesThatTakeManyStepsAreReadAsWell() async throws {
        let schema = try StorageSchema(entities: [entity])
        let store = try await Store.open(SQLiteAdapter(.temporary), schema: schema)
        var reference = ReferenceStore(schema: schema)
        let request = CommitRequest(
            operations: [.put(entity: "T", rows: RowBuffer((0..<5_000).map(row)), mode: .insert)])
        _ = try await store.commit(request)
        _ = try reference.commit(request)
        let unlikely = Predicate.and([.compare("kind", .equal, .integer(0)), .compare("at", .equal, .null)])
        for _ in 0..<3 {
            for plan in [
                QueryPlan("T", where: .not(unlikely), sort: [SortKey("at"), SortKey("rank")], limit: 100),
                QueryPlan("T", where: .compare("id", .greater, .integer(4_990)), sort: [SortKey("at")], limit: 5),
            ] {
                let rows = try await store.rows(plan, batch: 30)
                #expect(try rows == reference.query(schema.bind(plan)).map(\.row))
            }
        }
        try await store.close()
    }

    @Test func aDescendingPageCostsWhatAnAscendingOneCosts() async throws {
        let directory = TemporaryDirectory()
        let schema = try StorageSchema(entities: [entity])
        let store = try await Store.open(SQLiteAdapter(path: directory.file()), schema: schema)
        _ = try await store.commit(
            CommitRequest(operations: [.put(entity: "T", rows: RowBuffer((0..<20_000).map(row)), mode: .insert)]))
        try await store.close()

        let connection = try SQLiteConnection(path: directory.file(), flags: SQLITE_OPEN_READONLY)
        let stored = try #require(try SQLiteCatalog(reading: connection).entity(named: "T"))
        let writer = SQLiteQueryWriter(
            SQLitePredicateWriter(
                table: try SQLiteTable(entity, number: 0, stored: stored), limits: SQLiteLimits.library))
        for plan in plans(limit: 20).prefix(4) {
            var ascending = plan
            ascending.sort[0].direction = .ascending
            let cost = try steps(try #require(writer.query(try schema.bind(plan))), connection)
            let bound = try steps(try #require(writer.query(try schema.bind(ascending))), connection)
            #expect(cost < 3 * bound + 1_000, "\(plan.sort)")
        }
    }

    /// The steps of SQLite's virtual machine that a page of 20 takes.
    private func steps(_ query: SQLiteQuery, _ connection: SQLiteConnection) throws -> Int {
        var count = 0
        var remaining = 20
        for part in query.parts {
            let statement = try connection.take(part.sql + " LIMIT ? OFFSET ?")
            try statement.bind(part.parameters)
            statement.bind(Int64(remaining), at: Int32(part.parameters.count + 1))
            statement.bind(Int64(0), at: Int32(part.parameters.count + 2))
            while try statement.step() { remaining -= 1 }
            count += Int(sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_VM_STEP, 0))
            connection.release(statement)
            if remaining == 0 { break }
        }
        #expect(remaining == 0)
        return count
    }
}
#endif
