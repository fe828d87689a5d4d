import HoldfastStorage

extension Clause {
    static let migrations: [Clause] = [
        schema(
            "SCH-011",
            "A migration renames, fills, changes, drops and splits records as its steps say; indexes of the new "
                + "schema know the result, and sequences continue.",
            catches: "Data does not follow a rename; batches after the first are left out.",
            witness: "migrated records"
        ) { context in
            let store = try await context.open(.entries, .others)
            try await store.put("Entry", EntitySchema.entryRows(0..<700))
            try await store.put("Other", [[.text("o"), .integer(1)]])
            let last = try await store.delete("Entry", [RecordKey("e0005")]).sequence
            try await store.store.close()
            let item = EntitySchema(
                "Item",
                fields: [
                    FieldSchema("title", .string, isRequired: true), FieldSchema("id", .id),
                    FieldSchema("half", .float), FieldSchema("kind", .string, isRequired: true),
                ], indexes: [IndexSchema("byHalf", on: ["half"]), IndexSchema("byTitle", on: ["title", "half"])])
            let odd = EntitySchema("Odd", fields: [FieldSchema("id", .id), FieldSchema("number", .int)])
            let asked = Mutex(0)
            let schema = try StorageSchema(entities: [odd, item, .others])
            let again = try await context.open(schema, at: store.location) { stored in
                asked.withLock { $0 += 1 }
                return SchemaMigration(steps: [
                    .init(from: .entries, to: item) { row in
                        guard case .integer(let number) = row[1], number != 7 else { return nil }
                        return [row[2], row[0], .double(Double(number) / 2), .text("plain")]
                    },
                    .init(from: .entries, to: odd) { row in
                        guard case .integer(let number) = row[1], number % 2 == 1 else { return nil }
                        return [row[0], row[1]]
                    },
                ])
            }
            try context.expectEqual(asked.withLock { $0 }, 1, "how often the migration was asked for")
            let old = EntitySchema.entryRows(0..<700).filter { $0[0] != .text("e0005") }
            let items: [[Value]] = old.compactMap { row in
                guard case .integer(let number) = row[1], number != 7 else { return nil }
                return [row[2], row[0], .double(Double(number) / 2), .text("plain")]
            }
            let odds = old.filter { [1, 3, 5, 7, 9].map(Value.integer).contains($0[1]) }.map { [$0[0], $0[1]] }
            for half in [0, 0.5, 1.5, 4.5] {
                let found = try await again.rows(QueryPlan("Item", where: .compare("half", .equal, .double(half))))
                try context.expectEqual(found, items.filter { $0[2] == .double(half) }, "records by a new index")
            }
            let next = try await again.put("Other", [[.text("p"), .integer(2)]])
            try context.expect(next.sequence > last, "Sequence \(next.sequence) came after \(last).")
            let second = try await again.expectHolds("Item", items)
            let third = try await second.expectHolds("Odd", odds)
            try await third.expectHolds("Other", [[.text("o"), .integer(1)], [.text("p"), .integer(2)]])
            context.witness(items.count + odds.count)
        },
        schema(
            "SCH-012",
            "Entities can change places: each new one is built from what the old store held, whatever the others "
                + "become.",
            catches: "The second step reads what the first has written.", witness: "records of exchanged entities"
        ) { context in
            let store = try await context.open(.others, .notes)
            let (left, right): ([[Value]], [[Value]]) = (
                (0..<300).map { [.text("l\($0 + 100)"), .integer(Int64($0))] },
                (0..<20).map { [.text("r\($0 + 100)"), .integer(Int64($0))] }
            )
            try await store.put("Other", left)
            try await store.put("Note", right)
            try await store.store.close()
            let again = try await context.open(StorageSchema(entities: [.others, swapped]), at: store.location) { _ in
                SchemaMigration(steps: [
                    .init(from: .others, to: swapped) { $0 + [.boolean(true)] },
                    .init(from: .notes, to: .others) { $0 },
                ])
            }
            let same = try await again.expectHolds("Note", left.map { $0 + [.boolean(true)] })
            try await same.expectHolds("Other", right)
            context.witness(left.count + right.count)
        },
        schema(
            "SCH-013",
            "A migration is asked for only where the stored schema differs, and once; without one, additive "
                + "differences are made as always.",
            catches: "Every start of the application migrates again.", witness: "openings whose questions were counted"
        ) { context in
            let location = try await context.makeLocation()
            let asked = Mutex<[StorageSchema]>([])
            @Sendable func open(_ entities: [EntitySchema]) async throws -> TestStore {
                try await context.open(StorageSchema(entities: entities), at: location) { stored in
                    asked.withLock { $0.append(stored) }
                    return nil
                }
            }
            for (entities, count) in [
                ([EntitySchema.entries], 0), ([.entries], 0), ([.entries, .others], 1), ([.others, .entries], 1),
                ([.entries.adding(FieldSchema("note", .string)), .others], 2),
            ] {
                let isNew = asked.withLock { $0.isEmpty } && count == 0
                let store = try await open(entities)
                let questions = asked.withLock { $0 }
                try context.expect(
                    questions.count == count || isNew && questions.count <= 1,
                    "The migration was asked for \(questions.count) times, not \(count).")
                if isNew { asked.withLock { $0 = [] } }
                if let stored = questions.last, count > 0 {
                    try context.expect(
                        stored.entities.contains { $0.name == "Entry" && $0.indexes == EntitySchema.entries.indexes },
                        "The stored schema lacks what was stored.")
                }
                try await store.put("Entry", [[.text("e")] + [Value](repeating: .null, count: count > 1 ? 3 : 2)])
                try await store.store.close()
                context.witness()
            }
        },
        schema(
            "SCH-014", "A process killed inside a migration leaves the old store or the new one, and nothing between.",
            level: .durableProcessCrash, requires: .durability(.processCrash),
            catches: "Tables are renamed and dropped one by one, each for good.",
            witness: "children killed in a migration"
        ) { context in
            let count = 700
            // Killed from outside once the last record is migrated, the child dies anywhere on its way to the end.
            let outside = (0..<6).map { "outside \($0)" }
            let points = ["0", "1", "256", "500", "699", "asked", "opened", "closed"] + outside
            var random = SplitMix64(seed: context.seed &+ 14)
            for point in points {
                let store = try await context.open(.entries, .others)
                let rows = EntitySchema.entryRows(0..<count)
                try await store.put("Entry", rows)
                try await store.put("Other", [[.text("o"), .integer(1)]])
                try await store.store.close()
                let worker = try context.start(.migrate, at: store.location, [point])
                var said: [String] = []
                for await line in worker.lines {
                    said.append(line)
                    guard line == "last", point.hasPrefix("outside") else { continue }
                    try await Task.sleep(for: .microseconds(random.below(2_000)))
                    worker.kill()
                }
                context.noteMutants(in: said)
                let end = await worker.end()
                if !said.contains("migrated") {
                    try context.expectEqual(end.signal, 9, "the signal that ended a child at \(point)")
                }
                let new = try StorageSchema(entities: [RowNumber.target, .others])
                var isNew = true
                let after: TestStore
                do {
                    after = try await context.open(new, at: store.location)
                } catch let error as StorageError {
                    try context.expectEqual(error.kind, .schemaMismatch, "opening what was killed at \(point)")
                    isNew = false
                    after = try await context.open(.entries, .others, at: store.location)
                }
                try context.expect(
                    isNew || !["opened", "closed"].contains(point) && !said.contains("migrated"),
                    "A migration that was acknowledged is undone.")
                let expected = isNew ? RowNumber.rows(0..<count) : rows
                let left = try await after.expectHolds("Entry", expected)
                let last = try await left.expectHolds("Other", [[.text("o"), .integer(1)]])
                try await last.store.close()
                let again = try await context.open(new, at: store.location) { _ in RowNumber.migration { _ in } }
                try await again.expectHolds("Entry", RowNumber.rows(0..<count))
                context.witness()
            }
        },
        schema(
            "SCH-023",
            "A migration forgets no change before it: 'unchanged' fails since a sequence after which a record was "
                + "replaced or deleted, and holds since the last one.",
            catches: "The history of an entity goes with its old table, and what was changed counts as never touched.",
            witness: "preconditions judged after a migration"
        ) { context in
            let store = try await context.open(.entries, .others)
            let first = try await store.put("Entry", EntitySchema.entryRows(0..<10)).sequence
            let replaced = try await store.put("Entry", [EntitySchema.entryRow(3)]).sequence
            try await store.delete("Entry", [RecordKey("e0009")])
            try await store.put("Other", [[.text("o"), .integer(1)]])
            try await store.store.close()
            let schema = try StorageSchema(entities: [RowNumber.target, .others])
            var again = try await context.open(schema, at: store.location) { _ in RowNumber.migration { _ in } }
            let whole = KeyRange("Entry")
            let (third, ninth): (KeyRange, KeyRange) = (
                KeyRange("Entry", from: .included([.text("e0003")]), to: .included([.text("e0003")])),
                KeyRange("Entry", from: .included([.text("e0009")]), to: .included([.text("e0009")]))
            )
            for when in ["after a migration", "after another opening"] {
                for (range, since) in [
                    (whole, first), (third, first), (ninth, first), (whole, replaced), (ninth, replaced),
                ] {
                    try await again.expectPrecondition(.unchanged(range, since: since), false, when, context)
                }
                let now = try await again.store.withSnapshot { $0.sequence }
                for range in [whole, third, ninth] {
                    try await again.expectPrecondition(.unchanged(range, since: now), true, when, context)
                }
                again = try await again.reopen()
            }
        },
    ]

    private static let swapped = EntitySchema.notes.adding(FieldSchema("isSwapped", .boolean, isRequired: true))
}
