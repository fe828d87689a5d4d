import HoldfastStorage

extension Clause {
    /// Handles on a store that another handle has migrated.
    static let processesOfMigration: [Clause] = [
        processes(
            "PRC-007",
            "Once another handle has migrated the store, every read and commit of a handle that was opened before "
                + "fails with `storage.schema-mismatch` and changes nothing.",
            catches: "A migrated table has the name of the old one: cells are read as other types, and records are "
                + "written in their old form over migrated ones.",
            witness: "calls refused after a migration by another handle", protectsData: true
        ) { context in
            let old = try await context.open(.entries)
            try await old.put("Entry", EntitySchema.entryRows(0..<8))
            let version = try await old.store.records([OutdatedCall.key], of: "Entry")[0].version
            // So that there are statements for the old tables.
            for call in OutdatedCall.allCases where !call.isCommit { try await call.make(on: old, version) }
            let migrated = EntitySchema(
                "Entry", fields: [FieldSchema("id", .id), FieldSchema("number", .float), FieldSchema("text", .string)],
                indexes: EntitySchema.entries.indexes)
            let schema = try StorageSchema(entities: [migrated])
            let new = try await context.open(schema, at: old.location) { _ in
                SchemaMigration(steps: [.init(from: .entries, to: migrated) { OutdatedCall.migrated($0) }])
            }
            // The second time on connections that the first may have opened.
            for _ in 0..<2 {
                for call in OutdatedCall.allCases {
                    try await context.expectError(.schemaMismatch, from: "\(call) by a handle of the old schema") {
                        try await call.make(on: old, version)
                    }
                    context.witness()
                }
            }
            try await new.expectHolds("Entry", EntitySchema.entryRows(0..<8).map { OutdatedCall.migrated($0) })
        }
    ]
}

/// What a handle of the old schema tries.
private enum OutdatedCall: CaseIterable {
    case get, getMany, page, query, count, put, delete, check

    static let key = RecordKey("e0003")

    var isCommit: Bool {
        switch self {
        case .get, .getMany, .page, .query, .count: false
        case .put, .delete, .check: true
        }
    }

    /// A record after the migration: half of one is added to its number, so that it is not an integer.
    static func migrated(_ row: [Value]) -> [Value] {
        guard case .integer(let number) = row[1] else { return row }
        return [row[0], .double(Double(number) + 0.5), row[2]]
    }

    /// Makes the call; a commit relies on the version that the record has before and after the migration.
    func make(on store: TestStore, _ version: UInt64) async throws {
        let unchanged = Precondition.version(entity: "Entry", key: Self.key, version)
        var rows = RowBuffer()
        switch self {
        case .get: try await store.store.get([Self.key], of: "Entry", into: &rows)
        case .getMany: try await store.store.get([Self.key, RecordKey("e0005")], of: "Entry", into: &rows)
        case .page: try await store.store.page(QueryPlan("Entry", limit: 3), into: &rows)
        case .query: _ = try await store.rows(QueryPlan("Entry"))
        case .count: _ = try await store.store.withSnapshot { try await $0.count("Entry") }
        case .put:
            let row = RowBuffer(row: EntitySchema.entryRow(3))
            try await store.commit([.put(entity: "Entry", rows: row, mode: .update)], if: [unchanged])
        case .delete: try await store.commit([.delete(entity: "Entry", keys: [Self.key])], if: [unchanged])
        case .check: try await store.commit([], if: [unchanged])
        }
    }
}
