import HoldfastStorage

extension Clause {
    static let lifecycleOfLocations: [Clause] = [
        lifecycle(
            "LIF-011", "Verification finds nothing in a sound store, whatever was done to it, and changes nothing.",
            requires: .feature(.verification),
            catches: "A check that takes what is normal for damage, or repairs without being asked.",
            witness: "verifications of a sound store"
        ) { context in
            var store = try await context.open(.entries, .others)
            func verify(_ state: String) async throws {
                let before = try await store.store.withSnapshot { $0.sequence }
                try context.expectEqual(try await store.store.verify(), [], "the defects of a store \(state)")
                let after = try await store.store.withSnapshot { $0.sequence }
                try context.expectEqual(after, before, "the sequence after verifying a store \(state)")
                context.witness()
            }
            try await verify("that is new")
            let rows = EntitySchema.entryRows(0..<400)
            try await store.put("Entry", rows)
            try await verify("with records")
            try await store.put("Entry", rows.map { [$0[0], .null, $0[2]] })
            try await store.delete("Entry", (0..<50).map { RecordKey([rows[$0][0]]) })
            try await verify("with changed records")
            let snapshot = try await store.store.snapshot()
            try await store.commit([.clear(entity: "Other")])
            try await verify("with an open snapshot")
            await snapshot.close()
            if store.isPersistent {
                store = try await store.reopen()
                try await verify("that was reopened")
            }
            try await store.expectHolds("Entry", rows[50...].map { [$0[0], .null, $0[2]] })
        },
        lifecycle(
            "LIF-012",
            "A backup is a store of its own that holds exactly what was committed when it was made; the source "
                + "stays in use meanwhile.",
            requires: .feature(.backup),
            catches:
                "Files are copied one after the other while they change; the last commits are in a log left behind.",
            witness: "records compared between a store and its backup", protectsData: true
        ) { context in
            let store = try await context.open(.entries, .others)
            try await store.put("Entry", EntitySchema.entryRows(0..<300))
            try await store.put("Other", [[.text("o"), .integer(0)]])
            try await store.delete("Entry", [RecordKey([EntitySchema.entryRow(7)[0]])])
            let before = try await store.store.rows(QueryPlan("Entry"))
            let sequence = try await store.store.withSnapshot { $0.sequence }
            let backup = try await backUp(store, context)
            try await store.put("Entry", [EntitySchema.entryRow(7)])
            let copy = try await context.open(store.store.schema, at: backup)
            try context.expectEqual(try await copy.store.rows(QueryPlan("Entry")), before, "the records of the backup")
            try context.expectEqual(
                try await copy.store.withSnapshot { $0.sequence }, sequence, "the sequence of the backup")
            try await copy.expectHolds("Entry", before.map(\.cells))
            try await store.expectHolds("Entry", EntitySchema.entryRows(0..<300))
            context.witness(before.count)
        },
        lifecycle(
            "LIF-013",
            "A backup made while others commit is of one moment: every commit is in it whole or not at all, and "
                + "none without those before it.",
            requires: .feature(.backup),
            catches: "Each table is copied at a moment of its own.",
            witness: "commits in a backup that was made while they came", protectsData: true
        ) { context in
            let store = try await context.open(.entries, .others)
            try await store.put("Entry", EntitySchema.entryRows(0..<400))
            try await store.put("Other", [[.text("o"), .integer(0)]])
            let writer = Task {
                var number = 1
                while !Task.isCancelled && number < 3_000 {
                    try await store.commit(
                        [
                            .put(
                                entity: "Entry",
                                rows: RowBuffer(row: [.text("e0000"), .integer(Int64(number)), .null]), mode: .upsert),
                            .put(
                                entity: "Other", rows: RowBuffer(row: [.text("o"), .integer(Int64(number))]),
                                mode: .upsert),
                        ], durability: Durability.none)
                    number += 1
                }
            }
            defer { writer.cancel() }
            for _ in 0..<3 {
                let start = try await store.row("Other", RecordKey("o"))?[1] ?? .null
                let backup = try await backUp(store, context)
                let copy = try await context.open(store.store.schema, at: backup)
                let entry = try await copy.row("Entry", RecordKey("e0000"))?[1]
                let other = try await copy.row("Other", RecordKey("o"))?[1]
                try context.expectEqual(entry, other, "two records of one commit, copied")
                guard case .integer(let copied)? = other, case .integer(let first) = start else {
                    throw ClauseFailure("A record is missing in the backup.")
                }
                try context.expect(copied >= first, "The backup is older than the moment it was asked for.")
                try context.expectEqual(
                    try await copy.everything(in: "Entry").count, 400, "the records of the backup")
                context.witness()
                try await copy.store.close()
            }
            writer.cancel()
            _ = try? await writer.value
        },
        lifecycle(
            "LIF-014", "A backup never overwrites: where something exists it fails with io and leaves it as it is.",
            requires: .feature(.backup),
            catches: "The good backup of yesterday is truncated before the new one fails.",
            witness: "a backup refused", protectsData: true
        ) { context in
            let store = try await context.open(.entries)
            try await store.put("Entry", EntitySchema.entryRows(0..<30))
            let backup = try await backupLocation(context)
            try await store.store.backUp(to: backup.destination)
            try await store.put("Entry", EntitySchema.entryRows(30..<60))
            for _ in 0..<2 {
                try await context.expectError(.io, from: "a backup to where something exists") {
                    try await store.store.backUp(to: backup.destination)
                }
            }
            let copy = try await context.open(store.store.schema, at: backup.location)
            try await copy.expectHolds("Entry", EntitySchema.entryRows(0..<30))
            try await store.expectHolds("Entry", EntitySchema.entryRows(0..<60))
            context.witness()
        },
        lifecycle(
            "LIF-015",
            "What a newer version wrote, or what is not a store, is refused as incompatible and left as it is.",
            requires: .persistence,
            catches: "A store that cannot be read is deleted and made again.",
            witness: "stores refused", protectsData: true
        ) { context in
            for damage in [StoreDamage.newer, .foreign] {
                let store = try await context.open(.entries)
                try await store.put("Entry", EntitySchema.entryRows(0..<50))
                try await store.store.close()
                guard let repair = try await context.harness.damage(store.location, damage) else {
                    throw ClauseSkip(
                        "The harness has no damage(_:_:), which marks a store as newer or puts something else in its place."
                    )
                }
                for _ in 0..<2 {
                    let error = try await context.expectError(.incompatibleStore, from: "opening what is \(damage)") {
                        _ = try await context.open(store.store.schema, at: store.location)
                    }
                    try context.expectEqual(error.transaction, .untouched, "the state after refusing what is \(damage)")
                }
                try await repair.run()
                let again = try await context.open(store.store.schema, at: store.location)
                try await again.expectHolds("Entry", EntitySchema.entryRows(0..<50))
                context.witness()
            }
        },
        lifecycle(
            "LIF-016", "A store that lost a part says so as corruption, and never passes for a smaller one.",
            requires: .persistence,
            catches: "What can no longer be read is skipped, and the rest is delivered as if it were all.",
            witness: "a damaged store reported", protectsData: true
        ) { context in
            let store = try await context.open(.entries)
            let rows = EntitySchema.entryRows(0..<900)
            try await store.put("Entry", rows)
            try await store.store.close()
            guard let repair = try await context.harness.damage(store.location, .cutShort) else {
                throw ClauseSkip("The harness has no damage(_:_:), or none for .cutShort.")
            }
            let error = await storageError {
                let damaged = try await context.open(store.store.schema, at: store.location)
                let read = try await damaged.everything(in: "Entry")
                try context.expectEqual(read, rows, "the records of a store that lost its second half")
                let byNumber = try await damaged.rows(QueryPlan("Entry", sort: [SortKey("number")]))
                try context.expectEqual(byNumber.count, rows.count, "the records in the order of an index")
                if damaged.store.capabilities.support(for: .verification) != .unsupported {
                    try context.expect(
                        try await !damaged.store.verify().isEmpty, "verify() finds nothing in half a store.")
                }
            }
            try context.expect(
                [.corruption, .incompatibleStore, .io].contains(error?.kind),
                "Half a store: \(error.map { $0.description } ?? "no error")")
            try await repair.run()
            let again = try await context.open(store.store.schema, at: store.location)
            try await again.expectHolds("Entry", rows)
            context.witness()
        },
        lifecycle(
            "LIF-017",
            "Where no store can be, opening fails with io or readOnly, and the handle is of no use afterwards.",
            requires: .persistence,
            catches: "The store falls back to memory, and everything is gone at the next start.",
            witness: "an opening refused", protectsData: true
        ) { context in
            guard let location = try await context.harness.makeUnusableLocation() else {
                throw ClauseSkip("The harness has no makeUnusableLocation().")
            }
            let adapter = try location.makeAdapter()
            let request = OpenRequest(schema: try StorageSchema(entities: [.entries]))
            try await context.expectError(.io, .readOnly, from: "opening where no store can be") {
                try await adapter.open(request)
            }
            try await context.expectError(.misuse, .closed, from: "a snapshot of a store that was not opened") {
                _ = try await adapter.snapshot()
            }
            try await adapter.close()
            context.witness()
        },
        lifecycle(
            "LIF-018",
            "A handle that may only read reads everything; its commits fail with readOnly and change nothing.",
            requires: .persistence,
            catches: "The first write opens the store a second time, for writing.",
            witness: "records read through a handle that may only read", protectsData: true
        ) { context in
            let store = try await context.open(.entries)
            let rows = EntitySchema.entryRows(0..<60)
            try await store.put("Entry", rows)
            try await store.store.close()
            guard let location = try context.harness.readOnlyLocation(store.location) else {
                throw ClauseSkip("The harness has no readOnlyLocation(_:).")
            }
            let reader = try await context.open(store.store.schema, at: location)
            try context.expectEqual(try await reader.everything(in: "Entry"), rows, "the records")
            for operation in [
                WriteOperation.put(entity: "Entry", rows: RowBuffer(rows: [rows[0]]), mode: .upsert),
                .delete(entity: "Entry", keys: [RecordKey("e0001")]), .clear(entity: "Entry"),
            ] {
                let error = try await context.expectError(.readOnly, from: "a commit through it") {
                    try await reader.commit([operation])
                }
                try context.expect(error.transaction != .outcomeUnknown, "The outcome of a refused commit is known.")
            }
            try context.expectEqual(try await reader.everything(in: "Entry"), rows, "the records after that")
            context.witness(rows.count)
            try await reader.store.close()
            try await context.expectError(.schemaMismatch, .readOnly, from: "a wider schema through it") {
                _ = try await context.open(.entries, .others, at: location)
            }
            let again = try await context.open(store.store.schema, at: store.location)
            try await again.expectHolds("Entry", rows)
        },
        lifecycle(
            "LIF-019",
            "Where the request says that no store should be made, opening fails with incompatibleStore if there is "
                + "none, and leaves nothing behind; a store that is there is opened.",
            catches: "A tool that was given a wrong address makes an empty store there and calls it sound.",
            witness: "an opening refused"
        ) { context in
            let location = try await context.makeLocation()
            let request = OpenRequest(schema: try StorageSchema(entities: [.entries]), createsStore: false)
            for _ in 0..<2 {
                let adapter = try location.makeAdapter()
                try await context.expectError(.incompatibleStore, from: "opening where there is no store") {
                    try await adapter.open(request)
                }
                try await adapter.close()
                context.witness()
            }
            let store = try await context.open(request.schema, at: location)
            let rows = EntitySchema.entryRows(0..<40)
            let receipt = try await store.put("Entry", rows)
            try context.expectEqual(receipt.putCount, rows.count, "the records written to a store made later")
            guard store.isPersistent else { return }
            try await store.store.close()
            let adapter = try location.makeAdapter()
            try await adapter.open(request)
            let snapshot = try await adapter.snapshot()
            try context.expectEqual(snapshot.sequence, receipt.sequence, "the sequence of a store that was there")
            await snapshot.close()
            try await adapter.close()
            try await context.open(request.schema, at: location).expectHolds("Entry", rows)
        },
    ]

    private static func backUp(_ store: TestStore, _ context: ClauseContext) async throws -> any StoreLocation {
        let backup = try await backupLocation(context)
        try await store.store.backUp(to: backup.destination)
        return backup.location
    }
}
