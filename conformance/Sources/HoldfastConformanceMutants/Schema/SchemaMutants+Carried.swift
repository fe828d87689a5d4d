import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of what a migration carries, and of indexes that change under their name.
    static let schemaCarried: [Mutant] = [
        carrying("migration-loses-offsets", "A migration turns date-times into UTC.") { value in
            guard case .timestamp(var time) = value else { return value }
            time.tail.offset = 0
            return .timestamp(time)
        },
        carrying("migration-rewrites-json", "A migration removes spaces from texts.") { value in
            guard case .text(let text) = value else { return value }
            return .text(text.mapScalars { $0 == " " ? nil : $0 })
        },
        carrying("migration-loses-null-elements", "A migration drops nulls from lists.") { value in
            guard case .list(let values) = value else { return value }
            return .list(values.filter { !$0.isNull })
        },
        reopening(
            "uniqueness-goes-unnoticed", "An index that becomes unique under its name stays as it is.", "SCH-020"
        ) { stored, wanted in
            IndexSchema(wanted.name, on: wanted.fields, isUnique: stored.isUnique)
        },
        Mutant(
            "changed-index-keeps-entries", "An index that gets other fields knows no old records.", killedBy: "SCH-021",
            noting: { hooks, notes, _, trigger in
                hooks.querying = { query, base async throws(StorageError) in
                    let indexes = notes.with { $0.schemas }.map { $0.entities.first?.indexes.first?.fields }
                    guard indexes.count > 1, indexes.last != indexes[indexes.count - 2], query.mayUseIndex else {
                        return try await base.query(query)
                    }
                    var scan = try await base.query(query)
                    let rows = try await scan.drain()
                    let opening = notes.with { $0.sequenceAtOpening }
                    let known = rows.filter { $0.version > opening }
                    if known.count < rows.count { trigger.fire() }
                    return RowsScan(rows: known, columnCount: query.projection.count)
                }
            }),
        Mutant(
            "changed-index-keeps-order", "An index that gets its fields in another order sorts as before.",
            killedBy: "SCH-021",
            noting: { hooks, notes, _, trigger in
                hooks.querying = { query, base async throws(StorageError) in
                    var scan = try await base.query(query)
                    let rows = try await scan.drain()
                    let indexes = notes.with { $0.schemas }.map { $0.entities.first?.indexes.first?.fields ?? [] }
                    guard let now = indexes.last, query.firstSortPosition != nil, query.mayUseIndex,
                        indexes.dropLast().contains(where: { $0 != now && Set($0) == Set(now) })
                    else { return RowsScan(rows: rows, columnCount: query.projection.count) }
                    let sorted = rows.sorted { $0.version < $1.version }
                    if sorted != rows { trigger.fire() }
                    return RowsScan(rows: sorted, columnCount: query.projection.count)
                }
            }),
    ]

    /// Creates a mutant of migrations that changes cells on their way.
    private static func carrying(
        _ id: String, _ summary: String, _ change: @escaping @Sendable (Value) -> Value
    ) -> Mutant {
        Mutant(id, summary, killedBy: "SCH-019") { base, trigger in
            HookedAdapter(base) {
                $0.opening = { request, base async throws(StorageError) in
                    var changed = request
                    changed.migration = { stored throws(StorageError) in
                        guard var migration = try request.migration(stored) else { return nil }
                        migration.steps = migration.steps.map { step in
                            SchemaMigration.Step(from: step.source, to: step.target) { row throws(StorageError) in
                                try step.migrate(row)?.map(trigger.watching(change))
                            }
                        }
                        return migration
                    }
                    try await base.open(changed)
                }
            }
        }
    }

    /// Creates a mutant that opens with other indexes than were asked for, once there are some.
    private static func reopening(
        _ id: String, _ summary: String, _ clause: String,
        _ change: @escaping @Sendable (_ stored: IndexSchema, _ wanted: IndexSchema) -> IndexSchema
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            noting: { hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    let stored = notes.with { $0.schemas.first }?.entities.flatMap(\.indexes) ?? []
                    let entities = request.schema.entities.map { entity in
                        EntitySchema(
                            entity.name, fields: entity.fields, primaryKey: entity.primaryKey,
                            indexes: entity.indexes.map { wanted in
                                stored.first { $0.name == wanted.name }.map { change($0, wanted) } ?? wanted
                            })
                    }
                    if entities != request.schema.entities { trigger.fire() }
                    try await notes.open(
                        OpenRequest(schema: try StorageSchema(entities: entities), migration: request.migration), base)
                }
            })
    }
}
