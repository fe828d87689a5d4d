import HoldfastStorage

extension Clause {
    /// Power lost during a migration, seen through the old schema.
    static let powerMigrations: [Clause] = [
        Clause(
            "PWR-011",
            "After a loss of power during a change of the schema the old schema opens a store in which nothing has changed, "
                + "or is refused; then the new one opens it without a migration, and everything is there.",
            level: .durablePowerLoss, requires: .durability(.powerLoss),
            catches: "The records are migrated in one commit, and the catalog follows in another.",
            witness: "stores that lost power while they changed", protectsData: true
        ) { context in
            for change in [SchemaWork.Change.additive, .stepped] {
                try await PowerLossCheck.everySync { cut, subject in
                    try await lose(context, change, cut, subject)
                }
            }
        }
    ]

    /// - Returns: Whether the change came to its end before the power failed.
    private static func lose(
        _ context: ClauseContext, _ change: SchemaWork.Change, _ cut: WatchedFolder.Cut, _ subject: String
    ) async throws -> Bool {
        let check = try await PowerLossCheck(context)
        let old = try StorageSchema(entities: [SchemaWork.note])
        let store = try await context.open(old, at: check.location)
        try await store.put("Note", SchemaWork.rows)
        try await store.store.close()
        let said = try await check.cutPower(cut) { environment in
            let worker = try context.start(.change, at: check.location, [change.rawValue], environment: environment)
            var said: [String] = []
            for await line in worker.lines { said.append(line) }
            _ = await worker.end()
            return said
        }
        context.noteMutants(in: said)
        if let failure = said.first(where: { $0.hasPrefix("failed") }) {
            throw ClauseFailure("The child failed: \(failure)")
        }
        do {
            let left = try await context.open(old, at: check.location)
            try context.expect(!said.contains("ack"), "\(subject): a change of the schema is undone.")
            try context.expectEqual(
                try await left.everything(in: "Note"), SchemaWork.rows, "the records in the old schema, \(subject)")
            try await left.store.close()
        } catch let error as StorageError {
            try context.expectEqual(error.kind, .schemaMismatch, "opening with the old schema, \(subject)")
            let left = try await context.open(StorageSchema(entities: change.entities), at: check.location)
            let rows = try await left.everything(in: "Note")
            let expected = SchemaWork.rows.map(change.changed)
            try context.expectEqual(
                Array(rows.prefix(expected.count)), expected, "the records in the new schema, \(subject)")
            try await left.store.close()
        }
        let isFinished = said.contains("end")
        if !isFinished { context.witness() }
        return isFinished
    }
}
