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
            // The migration leaves the other entity as it was.
            let other = EntitySchema("Other", fields: EntitySchema.entries.fields)
            let old = try await context.open(.entries, other)
            let rows = RowBuffer(rows: EntitySchema.entryRows(0..<8))
            let entities = ["Entry", "Other"]
            try await old.commit(entities.map { WriteOperation.put(entity: $0, rows: rows, mode: .upsert) })
            let version = try await old.store.records([OutdatedCall.key], of: "Entry")[0].version
            // So that there are statements for the old tables.
            for call in OutdatedCall.allCases where !call.isCommit {
                for entity in entities { try await call.make(on: old, entity, version) }
            }
            let migrated = EntitySchema(
                "Entry", fields: [FieldSchema("id", .id), FieldSchema("number", .float), FieldSchema("text", .string)],
                indexes: EntitySchema.entries.indexes)
            let schema = try StorageSchema(entities: [migrated, other])
            let new = try await context.open(schema, at: old.location) { _ in
                SchemaMigration(steps: [.init(from: .entries, to: migrated) { OutdatedCall.migrated($0) }])
            }
            // The second time on connections that the first may have opened.
            for _ in 0..<2 {
                for call in OutdatedCall.allCases {
                    for entity in entities {
                        try await context.expectError(
                            .schemaMismatch, from: "\(call) of \(entity) by a handle of the old schema"
                        ) {
                            try await call.make(on: old, entity, version)
                        }
                        context.witness()
                    }
                }
            }
            try await new.expectHolds("Entry", EntitySchema.entryRows(0..<8).map { OutdatedCall.migrated($0) })
                .expectHolds("Other", EntitySchema.entryRows(0..<8))
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
    func make(on store: TestStore, _ entity: String, _ version: UInt64) async throws {
        let unchanged = Precondition.version(entity: entity, key: Self.key, version)
        var rows = RowBuffer()
        switch self {
        case .get: try await store.store.get([Self.key], of: entity, into: &rows)
        case .getMany: try await store.store.get([Self.key, RecordKey("e0005")], of: entity, into: &rows)
        case .page: try await store.store.page(QueryPlan(entity, limit: 3), into: &rows)
        case .query: _ = try await store.rows(QueryPlan(entity))
        case .count: _ = try await store.store.withSnapshot { try await $0.count(entity) }
        case .put:
            let row = RowBuffer(row: EntitySchema.entryRow(3))
            try await store.commit([.put(entity: entity, rows: row, mode: .update)], if: [unchanged])
        case .delete: try await store.commit([.delete(entity: entity, keys: [Self.key])], if: [unchanged])
        case .check: try await store.commit([], if: [unchanged])
        }
    }
}
