import HoldfastStorage

extension Clause {
    /// Power lost while a store is opened.
    static let powerOpening: [Clause] = [
        power(
            "PWR-008", "A store survives any number of losses of power, also one while it is opened after another.",
            catches: "Recovery deletes the log before what it holds is safe elsewhere.",
            witness: "stores opened after a loss and lost again"
        ) { context in
            try await PowerLossCheck.everySync { cut, subject in
                let check = try await PowerLossCheck(context)
                let first = try await check.load(.powerLoss, .afterAcknowledgement, step: 16)
                // Nothing must be read between the losses: that would be the recovery.
                var second = try await check.load(.powerLoss, stepCount: 19, cut: cut)
                try context.expect(
                    second.first == 0 || second.first >= first.acknowledged,
                    "\(subject) of the second opening: it continues with step \(second.first).")
                second.acknowledged = max(first.acknowledged, second.acknowledged)
                let step = try await check.crash.check(second, "\(subject) of the second opening")
                var third = try await check.load(.powerLoss, .afterOpen)
                third.acknowledged = step
                try await check.crash.check(third, "\(subject) of the second opening, and again")
                context.witness()
                return second.isFinished
            }
        },
        power(
            "PWR-009",
            "Power lost while a store gets additional fields, indexes and entities leaves it as before or as after.",
            catches: "Each field is added in a transaction of its own, and the version of the schema in another.",
            witness: "stores that lost power while they changed"
        ) { context in try await changes(.additive, context) },
        power(
            "PWR-010", "Power lost during a migration leaves the store as before or as after it.",
            catches: "Records are rewritten in batches, and a second start converts the first batch again.",
            witness: "stores that lost power while they were migrated"
        ) { context in try await changes(.stepped, context) },
    ]

    private static func changes(_ change: SchemaWork.Change, _ context: ClauseContext) async throws {
        try await PowerLossCheck.everySync { cut, subject in
            let check = try await PowerLossCheck(context)
            let store = try await context.open(StorageSchema(entities: [SchemaWork.note]), at: check.location)
            try await store.put("Note", SchemaWork.rows)
            try await store.store.close()
            let said = try await check.cutPower(cut) { environment in
                let worker = try context.start(
                    .change, at: check.location, [change.rawValue], environment: environment)
                var said: [String] = []
                for await line in worker.lines { said.append(line) }
                _ = await worker.end()
                return said
            }
            if let failure = said.first(where: { $0.hasPrefix("failed") }) {
                throw ClauseFailure("The child failed: \(failure)")
            }
            if said.contains("mutant fired") { context.noteMutantFired() }
            // Before one sync is after another, so each state is looked at in both ways.
            if cut.side == .before { try await expectOldOrRefused(check.location, said, subject, context) }
            let after = try await context.open(
                StorageSchema(entities: change.entities), at: check.location, migration: change.migration)
            let rows = try await after.everything(in: "Note")
            let hasExtra = rows.count > SchemaWork.rows.count
            try context.expect(hasExtra || !said.contains("ack"), "\(subject): an acknowledged commit is lost.")
            var expected = SchemaWork.rows.map(change.changed)
            if hasExtra { expected.append(change.extra) }
            let again = try await after.expectHolds("Note", expected)
            if change == .additive {
                let plan = QueryPlan("Note", where: .compare("number", .greaterOrEqual, .integer(0)))
                try context.expectEqual(
                    try await again.rows(plan).count, expected.count, "\(subject): records found by the new index")
            }
            if again.store.capabilities.support(for: .verification) != .unsupported {
                let defects = try await again.store.verify()
                try context.expectEqual(defects, [], "the defects that verify() finds, \(subject)")
            }
            if !said.contains("end") { context.witness() }
            return said.contains("end")
        }
    }

    /// With the schema from before the change the store holds everything as before, or is refused as changed.
    private static func expectOldOrRefused(
        _ location: any StoreLocation, _ said: [String], _ subject: String, _ context: ClauseContext
    ) async throws {
        let old: TestStore
        do {
            old = try await context.open(StorageSchema(entities: [SchemaWork.note]), at: location)
        } catch let error as StorageError {
            try context.expectEqual(error.kind, .schemaMismatch, "\(subject): opening with the schema from before")
            return
        }
        try context.expect(!said.contains("ack"), "\(subject): an acknowledged change of the schema is undone.")
        let left = try await old.expectHolds("Note", SchemaWork.rows)
        try await left.store.close()
    }
}
