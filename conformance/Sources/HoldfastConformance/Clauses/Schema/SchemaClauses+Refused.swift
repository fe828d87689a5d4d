import HoldfastStorage

extension Clause {
    static let refusedSchemaChanges: [Clause] = [
        schema(
            "SCH-008",
            "A difference that is not additive is refused without a migration: the error names every such "
                + "difference, and nothing of the new schema is made.",
            catches:
                "Columns are dropped or retyped on the way to the new schema; or the first difference hides the rest.",
            witness: "openings refused"
        ) { context in
            let store = try await context.open(.entries, .others)
            let rows = EntitySchema.entryRows(0..<80)
            try await store.put("Entry", rows)
            try await store.put("Other", [[.text("o"), .integer(1)]])
            let versions = try await store.store.rows(QueryPlan("Entry")).map(\.version)
            try await store.store.close()
            let fresh = EntitySchema("Aaa", fields: [FieldSchema("id", .id)])
            for (name, entities, parts) in refusals {
                let error = try await context.expectError(.schemaMismatch, from: name) {
                    _ = try await context.open(StorageSchema(entities: [fresh] + entities), at: store.location)
                }
                for part in parts {
                    try context.expect(
                        error.message.contains(part), "\(name): the error does not name '\(part)': \(error.message)")
                }
                try context.expectEqual(error.transaction, .untouched, "the state after \(name)")
                let again = try await context.open(.entries, .others, at: store.location)
                try context.expectEqual(
                    try await again.store.rows(QueryPlan("Entry")).map(\.version), versions, "versions after \(name)")
                try context.expectEqual(try await again.everything(in: "Entry"), rows, "the records after \(name)")
                try await again.store.close()
                context.witness()
            }
            let again = try await context.open(.entries, .others, at: store.location)
            let last = try await again.expectHolds("Entry", rows)
            try await last.expectHolds("Other", [[.text("o"), .integer(1)]])
        },
        schema(
            "SCH-009",
            "What a migration throws ends the opening, whichever record it is at: the store is as before, and the "
                + "error is the one that was thrown.",
            catches: "Rows migrated before the error stay migrated.", witness: "migrations that failed"
        ) { context in
            let rows = EntitySchema.entryRows(0..<600)
            let store = try await context.open(.entries, .others)
            try await store.put("Entry", rows)
            try await store.put("Other", [[.text("o"), .integer(1)]])
            let versions = try await store.store.rows(QueryPlan("Entry")).map(\.version)
            try await store.store.close()
            for index in [0, 1, 255, 256, 257, 599] {
                let error = try await context.expectError(.conflict, from: "a migration that fails at \(index)") {
                    _ = try await context.open(
                        StorageSchema(entities: [RowNumber.target, .others]), at: store.location
                    ) { _ in
                        RowNumber.migration { number throws(StorageError) in
                            if number == index { throw StorageError(.conflict, "Not this one.") }
                        }
                    }
                }
                try context.expect(error.message.contains("Not this one."), "Another error came: \(error.message)")
                try await expectUnchanged(context, store, rows, versions, "a migration that failed at \(index)")
            }
            try await context.expectError(.unrepresentable, from: "a migration that yields a wrong type") {
                _ = try await context.open(StorageSchema(entities: [RowNumber.target, .others]), at: store.location) {
                    _ in
                    SchemaMigration(steps: [
                        .init(from: .entries, to: RowNumber.target) { [$0[0], .text("no number"), $0[2], .integer(1)] }
                    ])
                }
            }
            try await expectUnchanged(context, store, rows, versions, "a migration to a wrong type")
            try await context.expectError(.conflict, from: "a migration that cannot be made") {
                _ = try await context.open(StorageSchema(entities: [RowNumber.target, .others]), at: store.location) {
                    _ throws(StorageError) in throw StorageError(.conflict, "No migration.")
                }
            }
            try await expectUnchanged(context, store, rows, versions, "a migration that could not be made")
        },
        schema(
            "SCH-010",
            "A migration that leaves a difference open is refused, with that difference; so is one whose records "
                + "break the new schema, as `storage.unique-violation` if two get one key, or the declared limits, as "
                + "`storage.limit-exceeded`.",
            catches: "Entities without a step are rebuilt empty; the second of two records with one key wins; a key "
                + "is stored that no read and no deletion can name.",
            witness: "migrations refused"
        ) { context in
            let rows = EntitySchema.entryRows(0..<80)
            let store = try await context.open(.entries, .others)
            try await store.put("Entry", rows)
            try await store.put("Other", [[.text("o"), .integer(1)]])
            let versions = try await store.store.rows(QueryPlan("Entry")).map(\.version)
            try await store.store.close()
            let narrow = EntitySchema("Other", fields: [FieldSchema("id", .id)])
            let partial = try await context.expectError(.schemaMismatch, from: "a migration of one entity of two") {
                _ = try await context.open(StorageSchema(entities: [RowNumber.target, narrow]), at: store.location) {
                    _ in
                    RowNumber.migration { _ in }
                }
            }
            try context.expect(
                partial.message.contains("Other"), "The open difference is not named: \(partial.message)")
            try await expectUnchanged(context, store, rows, versions, "a migration of one entity of two")
            context.witness()
            try await context.expectError(.uniqueViolation, from: "a migration of two records to one key") {
                _ = try await context.open(StorageSchema(entities: [RowNumber.target, .others]), at: store.location) {
                    _ in
                    SchemaMigration(steps: [
                        .init(from: .entries, to: RowNumber.target) { [.text("same"), $0[1], $0[2], .integer(1)] }
                    ])
                }
            }
            try await expectUnchanged(context, store, rows, versions, "a migration to one key")
            context.witness()
            let capabilities = try await context.declaredCapabilities()
            if capabilities.limits.keyByteCount <= 1 << 20 {
                let long = Value.text(String(repeating: "k", count: capabilities.limits.keyByteCount + 1))
                try await context.expectError(.limitExceeded, from: "a migration to a key that is too long") {
                    _ = try await context.open(
                        StorageSchema(entities: [RowNumber.target, .others]), at: store.location
                    ) { _ in
                        SchemaMigration(steps: [
                            .init(from: .entries, to: RowNumber.target) { row in
                                let number = RowNumber.number(of: row)
                                return [number == 40 ? long : row[0], row[1], row[2], .integer(Int64(number))]
                            }
                        ])
                    }
                }
                try await expectUnchanged(context, store, rows, versions, "a migration to a key that is too long")
                context.witness()
            }
            guard capabilities.support(for: .uniqueIndexes) != .unsupported else { return }
            let unique = EntitySchema(
                "Entry", fields: RowNumber.target.fields, indexes: [IndexSchema("once", on: ["row"], isUnique: true)])
            try await context.expectError(.uniqueViolation, .schemaMismatch, from: "a migration to equal values") {
                _ = try await context.open(StorageSchema(entities: [unique, .others]), at: store.location) { _ in
                    SchemaMigration(steps: [.init(from: .entries, to: unique) { $0 + [.integer(7)] }])
                }
            }
            try await expectUnchanged(context, store, rows, versions, "a migration to equal values")
            context.witness()
        },
    ]

    private static func expectUnchanged(
        _ context: ClauseContext, _ store: TestStore, _ rows: [[Value]], _ versions: [UInt64], _ subject: String
    ) async throws {
        let again = try await context.open(.entries, .others, at: store.location)
        try context.expectEqual(try await again.everything(in: "Entry"), rows, "the records after \(subject)")
        try context.expectEqual(
            try await again.store.rows(QueryPlan("Entry", sort: [SortKey("id")])).map(\.version), versions,
            "the versions after \(subject)")
        try context.expectEqual(
            try await again.everything(in: "Other"), [[.text("o"), .integer(1)]], "the other entity after \(subject)")
        let three = try await again.rows(QueryPlan("Entry", where: .compare("number", .equal, .integer(3))))
        try context.expectEqual(three, rows.filter { $0[1] == .integer(3) }, "an index after \(subject)")
        try await again.store.close()
        context.witness()
    }

    /// What it is called, the entities to open with, and what the error must name.
    private static let refusals: [(String, [EntitySchema], [String])] = {
        let (id, number, text) = (
            EntitySchema.entries.fields[0], EntitySchema.entries.fields[1], EntitySchema.entries.fields[2]
        )
        func entry(_ fields: [FieldSchema], key: [String] = ["id"]) -> EntitySchema {
            EntitySchema("Entry", fields: fields, primaryKey: key)
        }
        return [
            ("a removed field", [entry([id, number]), .others], ["Entry", "text"]),
            ("a changed type", [entry([id, number, FieldSchema("text", .int)]), .others], ["Entry", "text"]),
            ("int to float", [entry([id, FieldSchema("number", .float), text]), .others], ["Entry", "number"]),
            (
                "a single value to a list",
                [entry([id, number, FieldSchema("text", .list(of: .string, elementsAreRequired: false))]), .others],
                ["Entry", "text"]
            ),
            (
                "a field that became required",
                [entry([id, number, FieldSchema("text", .string, isRequired: true)]), .others],
                ["Entry", "text"]
            ),
            (
                "a new required field",
                [entry([id, number, text, FieldSchema("must", .string, isRequired: true)]), .others], ["Entry", "must"]
            ),
            ("another key", [entry([id, number, text], key: ["id", "number"]), .others], ["Entry"]),
            ("a removed entity", [.entries], ["Other"]),
            ("a renamed field", [entry([id, number, FieldSchema("title", .string)]), .others], ["Entry", "text"]),
            ("a changed case", [entry([id, number, FieldSchema("Text", .string)]), .others], ["Entry", "text"]),
            (
                "three differences", [entry([id, FieldSchema("number", .string)])], ["number", "text", "Other"]
            ),
        ]
    }()
}
