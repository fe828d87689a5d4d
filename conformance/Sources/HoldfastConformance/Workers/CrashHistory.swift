import HoldfastStorage

/// A history of commits whose every state can be distinguished from every other: what crash checks load and look for.
///
/// Step `n` puts the record `s<n>` into `Step` and its twin into `Twin`, moves the one record of `Head` to `n`,
/// deletes the record of step `n - 7`, and every tenth step clears `Scrap` and fills it with a hundred records.
struct CrashHistory {
    static let entities: [EntitySchema] = [
        EntitySchema(
            "Step", fields: [FieldSchema("id", .id), FieldSchema("number", .int), FieldSchema("text", .string)]),
        EntitySchema(
            "Twin", fields: [FieldSchema("id", .id), FieldSchema("number", .int)],
            indexes: [IndexSchema("byNumber", on: ["number"])]),
        EntitySchema("Head", fields: [FieldSchema("id", .id), FieldSchema("number", .int)]),
        EntitySchema("Scrap", fields: [FieldSchema("id", .id), FieldSchema("number", .int)]),
    ]

    /// The operations of a step.
    static func operations(_ number: Int) -> [WriteOperation] {
        let value = Value.integer(Int64(number))
        var operations: [WriteOperation] = [
            .put(
                entity: "Step", rows: RowBuffer(row: [.text("s\(number)"), value, .text(text(number))]), mode: .insert),
            .put(entity: "Head", rows: RowBuffer(row: [.text("head"), value]), mode: .upsert),
        ]
        if number >= 7 {
            let old = RecordKey("s\(number - 7)")
            operations += [.delete(entity: "Step", keys: [old]), .delete(entity: "Twin", keys: [old])]
        }
        if number % 10 == 0 {
            let rows: [[Value]] = (0..<100).map { [.text("scrap\($0)"), value] }
            operations += [.clear(entity: "Scrap"), .put(entity: "Scrap", rows: RowBuffer(rows: rows), mode: .insert)]
        }
        // Last, so that a commit cut short lacks it.
        operations.append(.put(entity: "Twin", rows: RowBuffer(row: [.text("s\(number)"), value]), mode: .insert))
        return operations
    }

    /// The durability of a step where it is not the same for all: every sixth survives a loss of power.
    static func durability(of number: Int) -> Durability {
        if number % 6 == 5 { return .powerLoss }
        return number % 2 == 0 ? .none : .processCrash
    }

    /// Of very different lengths, so that commits begin and end anywhere in a page.
    private static func text(_ number: Int) -> String {
        String(repeating: "\(number % 10)", count: number * 37 % 1_500)
    }

    /// The step that a store is at; −1 before the first.
    ///
    /// - Throws: ``ClauseFailure`` if the store is in none of the states that whole commits leave.
    static func step(of store: TestStore, _ context: ClauseContext) async throws -> Int {
        let head = try await store.row("Head", RecordKey("head"))
        guard case .integer(let last)? = head?[1] else {
            for entity in entities {
                let rows = try await store.everything(in: entity.name)
                try context.expect(rows.isEmpty, "\(entity.name) has \(rows.count) records before the first commit.")
            }
            return -1
        }
        let number = Int(last)
        let alive = Array(max(0, number - 6)...number)
        let names: [String] = alive.map { "s\($0)" }
        // Digits only, so that this is the order of their bytes.
        let keys: [Value] = names.sorted().map { Value.text($0) }
        let numbers: [Value] = alive.map { Value.integer(Int64($0)) }
        let steps = try await store.everything(in: "Step")
        try context.expectEqual(steps.map { $0[0] }, keys, "the records of Step after step \(number)")
        for row in steps {
            guard case .integer(let value) = row[1] else { throw ClauseFailure("A record of Step lost its number.") }
            try context.expectEqual(row[2], .text(text(Int(value))), "the text of step \(value)")
        }
        let twins = try await store.everything(in: "Twin")
        try context.expectEqual(twins.map { $0[0] }, keys, "the records of Twin after step \(number)")
        let indexed = try await store.rows(
            QueryPlan("Twin", where: .compare("number", .greaterOrEqual, .integer(0)), sort: [SortKey("number")]))
        try context.expectEqual(
            indexed.map { $0[1] }, numbers, "the index of Twin after step \(number)")
        let scrap = try await store.everything(in: "Scrap")
        let filled = Value.integer(Int64(number / 10 * 10))
        try context.expect(
            scrap.count == 100 && scrap.allSatisfy { $0[1] == filled },
            "Scrap holds \(scrap.count) records after step \(number), not the hundred of its last filling.")
        return number
    }
}
