import HoldfastStorage

/// A store beside the reference that holds the same rows: both must give the same answers.
struct ComparedStore {
    /// The store under test.
    private(set) var store: TestStore
    private var reference: ReferenceStore
    private let context: ClauseContext

    /// Opens a store on a fresh location, and an empty reference.
    init(_ context: ClauseContext, _ entities: EntitySchema...) async throws {
        self.context = context
        store = try await context.open(StorageSchema(entities: entities))
        reference = ReferenceStore(schema: store.store.schema)
    }

    /// Writes rows in canonical form, in one commit.
    mutating func put(_ entity: String, _ rows: [[Value]]) async throws {
        try await commit([.put(entity: entity, rows: RowBuffer(rows: rows), mode: .upsert)])
    }

    /// Commits operations whose rows and keys are in canonical form.
    mutating func commit(_ operations: [WriteOperation]) async throws {
        _ = try reference.commit(CommitRequest(operations: operations))
        try await store.commit(operations)
    }

    /// Closes and opens the store if it outlives its adapter.
    mutating func reopen() async throws {
        if store.isPersistent { store = try await store.reopen() }
    }

    /// The rows of an entity in key order, as the reference has them.
    func rows(of entity: String) -> [[Value]] { reference.allRecords(of: entity).map(\.row) }

    /// Compares everything read in every way with the reference, also after reopening.
    mutating func expectHolds(_ entity: String) async throws {
        store = try await store.expectHolds(entity, rows(of: entity))
    }

    /// Asks a query in large and in small batches, as a page, and for its count, and compares each answer with the
    /// reference's.
    ///
    /// - Returns: The number of rows.
    @discardableResult
    func expectAgrees(_ plan: QueryPlan) async throws -> Int {
        let expected = reference.query(try store.store.schema.bind(plan, limits: store.store.capabilities.limits)).map(
            \.row)
        let isWhole = plan.limit == nil && plan.offset == 0 && plan.after == nil
        try await store.store.withSnapshot { snapshot in
            for batch in expected.count <= 40 ? [100, 3] : [100] {
                let actual = try await snapshot.rows(plan, batch: batch).map(\.cells)
                if actual != expected { throw failure(plan, expected, actual, "in batches of \(batch)") }
            }
            if let limit = plan.limit, limit <= BoundQuery.maximumPageSize {
                var page = RowBuffer()
                try await store.store.page(plan, into: &page)
                let actual = page.storedRows.map(\.cells)
                if actual != expected { throw failure(plan, expected, actual, "as a page") }
            }
            guard isWhole else { return }
            let count = try await snapshot.count(plan.entity, where: plan.predicate)
            try context.expectEqual(count, expected.count, "the count where \(SwiftText.predicate(plan.predicate))")
        }
        return expected.count
    }

    /// Compares a condition and its negation with the reference, in key order.
    ///
    /// - Returns: The number of records that the condition selects.
    @discardableResult
    func expectAgrees(_ entity: String, _ predicate: Predicate) async throws -> Int {
        try await expectAgrees(QueryPlan(entity, where: .not(predicate)))
        return try await expectAgrees(QueryPlan(entity, where: predicate))
    }

    /// Checks which records a condition selects, and that its negation selects all others.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity.
    ///   - predicate: The condition.
    ///   - ids: The first key components, in key order.
    /// - Returns: The number of records compared.
    /// - Throws: ``ClauseFailure`` if other records are selected, or the error of a query.
    @discardableResult
    func expect(_ entity: String, _ predicate: Predicate, selects ids: [String]) async throws -> Int {
        let all = rows(of: entity)
        let selected = all.filter { row in ids.contains { row[0] == .text($0) } }
        for (plan, expected) in [
            (QueryPlan(entity, where: predicate), selected),
            (QueryPlan(entity, where: .not(predicate)), all.filter { !selected.contains($0) }),
        ] {
            let actual = try await store.rows(plan)
            if actual != expected { throw failure(plan, expected, actual, "selects other records") }
        }
        return try await expectAgrees(entity, predicate) + all.count
    }

    private func failure(
        _ plan: QueryPlan, _ expected: [[Value]], _ actual: [[Value]], _ how: String
    ) -> ClauseFailure {
        let missing = expected.filter { !actual.contains($0) }.prefix(3).map(SwiftText.list)
        let wrong = actual.filter { !expected.contains($0) }.prefix(3).map(SwiftText.list)
        var lines = ["a query of \(plan.entity) \(how): expected \(expected.count) rows, got \(actual.count)"]
        if !missing.isEmpty { lines.append("    missing: \(missing.joined(separator: " "))") }
        if !wrong.isEmpty { lines.append("    not expected: \(wrong.joined(separator: " "))") }
        if missing.isEmpty && wrong.isEmpty { lines.append("    in another order, or repeated") }
        return ClauseFailure(
            lines.joined(separator: "\n"), example: "_ = try await store.rows(\(SwiftText.query(plan)))")
    }
}
