import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Unique indexes that bind some writes and not others.
    static let sporadicOfUniqueness: [Mutant] = [
        lax("unique-unchecked-on-replacement", "A record that is replaced may take any value.", "PRE-008") {
            $0.former != nil
        },
        lax("unique-unchecked-from-null", "A record whose value was null may take any value.", "PRE-010") { put in
            put.former.map { former in put.positions.contains { former[$0].isNull } } ?? false
        },
        lax("unique-unchecked-behind-32-rows", "Rows of a put after the 32nd may have any value.", "PRE-008") {
            $0.row >= 32
        },
        lax("unique-unchecked-between-new-records", "Two new records of one commit may be equal.", "PRE-008") {
            $0.isOwn
        },
        lax("unique-unchecked-in-later-operations", "Operations after the first may take any value.", "PRE-008") {
            $0.operation > 0
        },
        lax("unique-unchecked-in-second-index", "Of two unique indexes the second is not enforced.", "PRE-008") {
            $0.index > 0
        },
    ]

    /// A row of a put that has the values of another record.
    private struct Collision {
        let operation: Int
        let row: Int
        /// The number of the index among the unique ones.
        let index: Int
        let positions: [Int]
        /// The cells of the record that the row replaces.
        let former: [Value]?
        /// Whether the other record comes from the same commit.
        let isOwn: Bool
    }

    /// Creates a mutant that lets some rows break the uniqueness of an index.
    ///
    /// `isAllowed` returns whether a collision passes.
    private static func lax(
        _ id: String, _ summary: String, _ clause: String, _ isAllowed: @escaping @Sendable (Collision) -> Bool
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            noting: { hooks, notes, _, trigger in
                hooks.opening = { request, base throws(StorageError) in
                    let free = try StorageSchema(
                        entities: request.schema.entities.map { entity in
                            EntitySchema(
                                entity.name, fields: entity.fields, primaryKey: entity.primaryKey,
                                indexes: entity.indexes.map { IndexSchema($0.name, on: $0.fields) })
                        })
                    try await base.open(OpenRequest(schema: free, migration: request.migration))
                    notes.with { $0.schemas.append(request.schema) }
                }
                hooks.committing = { request, base throws(StorageError) in
                    // What else is wrong with the request comes first.
                    _ = try await base.commit(CommitRequest(preconditions: request.preconditions))
                    let schema = try notes.schema()
                    let snapshot = try await base.snapshot()
                    var tables: [String: [RecordKey: (row: [Value], isOwn: Bool)]] = [:]
                    for entity in schema.entities {
                        for record in try await snapshot.allRecords(of: entity.name) {
                            tables[entity.name, default: [:]][entity.key(of: record.cells)] = (record.cells, false)
                        }
                    }
                    await snapshot.close()
                    for (number, operation) in request.operations.enumerated() {
                        let entity = try schema.entity(named: operation.entity)
                        var table = tables[entity.name] ?? [:]
                        switch operation {
                        case .clear: table = [:]
                        case .delete(_, let keys): for key in keys { table[key] = nil }
                        case .put(_, let rows, let mode):
                            for row in 0..<rows.rowCount {
                                let cells = Array(rows[row])
                                let key = entity.key(of: cells)
                                let former = table[key]?.row
                                if mode != .upsert, (former == nil) != (mode == .insert) {
                                    return try await base.commit(request)
                                }
                                for (indexNumber, index) in entity.indexes.filter(\.isUnique).enumerated() {
                                    let positions = index.fields.compactMap(entity.position(of:))
                                    let values = positions.map { cells[$0] }
                                    guard !values.contains(.null),
                                        let other = table.first(where: { other in
                                            other.key != key
                                                && RecordKey(positions.map { other.value.row[$0] })
                                                    == RecordKey(values)
                                        })
                                    else { continue }
                                    let collision = Collision(
                                        operation: number, row: row, index: indexNumber, positions: positions,
                                        former: former, isOwn: other.value.isOwn)
                                    if isAllowed(collision) {
                                        trigger.fire()
                                    } else {
                                        throw StorageError.uniqueViolation(
                                            index: index.name, of: entity.name, operation: number)
                                    }
                                }
                                table[key] = (cells, true)
                            }
                        }
                        tables[entity.name] = table
                    }
                    return try await base.commit(request)
                }
            })
    }
}
