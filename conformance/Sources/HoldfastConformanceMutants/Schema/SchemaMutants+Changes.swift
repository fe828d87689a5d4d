import HoldfastConformance
import HoldfastStorage

extension Mutant {
    static let refusedSchemaChanges: [Mutant] = [
        message("differences-not-named", "A refused opening does not say why.") { _ in "The schema differs." },
        message("first-difference-only", "A refused opening names the first difference only.") { message in
            message.contains("; ") ? message.components(upTo: "; ") : message
        },
        whenRefused("additive-part-made", "What is additive is made before the rest is refused.", killedBy: "SCH-008") {
            asked, stored throws(StorageError) in
            let new = asked.entities.filter { entity in !stored.entities.contains { $0.name == entity.name } }
            return (try StorageSchema(entities: stored.entities + new), [])
        },
        whenRefused("refusal-loses-a-record", "A refused opening loses the last record.", killedBy: "SCH-008") {
            _, stored in (stored, [.delete(entity: "Entry", keys: [RecordKey("e0079")])])
        },
        accepted("removed-fields-ignored", "A field that is no longer declared is kept silently.", killedBy: "SCH-008")
        {
            $0.contains("was removed")
        },
        accepted("types-changed-silently", "Another type is silently taken over.", killedBy: "SCH-008") {
            $0.contains("type of")
        },
        accepted("required-silently", "A field may become required although records lack it.", killedBy: "SCH-008") {
            $0.contains("became required")
        },
        accepted("key-changed-silently", "Another key is silently taken over.", killedBy: "SCH-008") {
            $0.contains("primary key")
        },
        whenRefused("failed-migration-keeps-rows", "A migration that fails has dropped a record.", killedBy: "SCH-009")
        {
            _, stored in (stored, [.delete(entity: "Entry", keys: [RecordKey("e0599")])])
        },
        migrating(
            "failing-records-skipped", "A record at which the migration fails is dropped.", killedBy: "SCH-009",
            skipping: .conflict
        ) { _, transformed, _ in transformed },
        Mutant(
            "migration-error-hidden", "What a migration throws is called io.", killedBy: "SCH-009",
            noting: {
                hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        try await notes.open(request, base)
                    } catch {
                        guard error.kind == .conflict else { throw error }
                        trigger.fire()
                        throw StorageError(.io, error.message)
                    }
                }
            }),
        accepted("open-differences-ignored", "What a migration leaves open is left as it is.", killedBy: "SCH-010") {
            $0.contains("Other")
        },
        Mutant(
            "colliding-records-dropped", "Of records that migrate to one key the last are dropped.",
            killedBy: "SCH-010",
            noting: {
                hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    let seen = Mutex<Set<RecordKey>>([])
                    try await notes.open(
                        request.migrating { step, row throws(StorageError) in
                            guard let new = try step.migrate(row) else { return nil }
                            if seen.withLock({ $0.insert(step.target.key(of: new)).inserted }) { return new }
                            trigger.fire()
                            return nil
                        }, base)
                }
            }),
        migrating(
            "oversized-records-dropped", "A record that a migration makes larger than the limits is dropped.",
            killedBy: "SCH-010", skipping: .limitExceeded
        ) { _, transformed, _ in transformed },
    ]

    static let migrations: [Mutant] = [
        migrating("migration-loses-the-513th", "The 513th record is not migrated.", killedBy: "SCH-011") {
            _, new, number in number == 513 ? nil : new
        },
        migrating("migration-ends-at-512", "Only 512 records are migrated.", killedBy: "SCH-011") {
            _, new, number in number > 512 ? nil : new
        },
        migrating("migrated-doubles-cut", "Doubles lose what is after the decimal point.", killedBy: "SCH-011") {
            _, new, _ in
            new?.map { cell in if case .double(let double) = cell { .double(double.rounded(.down)) } else { cell } }
        },
        Mutant(
            "migration-index-is-empty", "Indexes know no migrated record.", killedBy: "SCH-011",
            noting: {
                hooks, notes, _, trigger in
                hooks.querying = { query, base async throws(StorageError) in
                    guard notes.isReopened, case .compare(let position, .equal, _) = query.predicate,
                        query.entity.indexes.contains(where: { $0.fields.first == query.entity.fields[position].name })
                    else { return try await base.query(query) }
                    trigger.fire()
                    return RowsScan(rows: [], columnCount: query.projection.count)
                }
            }),
        Mutant(
            "migration-restarts-sequence", "After a migration sequences start over.", killedBy: "SCH-011",
            noting: {
                hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    var receipt = try await base.commit(request)
                    if notes.isReopened {
                        trigger.fire()
                        receipt.sequence = 1
                    }
                    return receipt
                }
            }),
        Mutant(
            "migration-asked-twice", "The migration is asked for twice.", killedBy: "SCH-011",
            noting: {
                hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    try await notes.open(
                        OpenRequest(schema: request.schema) { stored throws(StorageError) in
                            trigger.fire()
                            _ = try request.migration(stored)
                            return try request.migration(stored)
                        }, base)
                }
            }),
        Mutant(
            "second-step-left-out", "Only the first step of a migration is done.", killedBy: "SCH-011",
            noting: {
                hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    let first = request.schema.entities.first?.name
                    try await notes.open(
                        request.migrating { step, row throws(StorageError) in
                            guard step.target.name == first else { return try step.migrate(row) }
                            trigger.fire()
                            return nil
                        }, base)
                }
            }),
        Mutant(
            "steps-in-sequence", "A step reads what the steps before it made.", killedBy: "SCH-012",
            noting: {
                hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    try await notes.open(
                        request.migrating { step, row throws(StorageError) in
                            // What the first step made is no longer there under the second's name.
                            guard step.source?.name != step.target.name, step.target.name == "Other" else {
                                return try step.migrate(row)
                            }
                            trigger.fire()
                            return nil
                        }, base)
                }
            }),
        Mutant(
            "migration-asked-always", "The migration is asked for at every opening.", killedBy: "SCH-013",
            noting: {
                hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    let asked = Mutex(false)
                    try await notes.open(
                        OpenRequest(schema: request.schema) { stored throws(StorageError) in
                            asked.withLock { $0 = true }
                            return try request.migration(stored)
                        }, base)
                    guard !asked.withLock({ $0 }), notes.isReopened else { return }
                    trigger.fire()
                    _ = try request.migration(request.schema)
                }
            }),
        Mutant(
            "migration-asked-with-the-new-schema", "The migration gets an empty schema.", killedBy: "SCH-013",
            noting: {
                hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    try await notes.open(
                        OpenRequest(schema: request.schema) { stored throws(StorageError) in
                            trigger.fire()
                            return try request.migration(StorageSchema(entities: []))
                        }, base)
                }
            }),
        Mutant(
            "migration-in-two-commits", "A migration deletes the old records before it makes the new ones.",
            killedBy: "SCH-014",
            noting: { hooks, notes, location, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    guard request.schema.entities.first?.field(named: "row") != nil,
                        let other = try? location.makeAdapter()
                    else { return try await notes.open(request, base) }
                    let stored = OpenRequest(schema: try StorageSchema(entities: [.entries, .others]))
                    do throws(StorageError) {
                        try await other.open(stored)
                    } catch {
                        return try await notes.open(request, base)
                    }
                    trigger.fire()
                    let keys = (350..<700).map { RecordKey([EntitySchema.entryRow($0)[0]]) }
                    let old = try await rows(of: "Entry", other).map(\.cells)
                    _ = try await other.commit(CommitRequest(operations: [.delete(entity: "Entry", keys: keys)]))
                    try await other.close()
                    try await notes.open(request, base)
                    let new = old.map { $0 + [.integer(Int64(RowNumber.number(of: $0)))] }
                    _ = try await base.commit(
                        CommitRequest(operations: [.put(entity: "Entry", rows: RowBuffer(rows: new), mode: .upsert)]))
                }
            }),
        Mutant(
            "migration-forgets-changes", "After a migration nothing counts as changed before it.",
            killedBy: "SCH-023",
            noting: { hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    guard notes.isMigrated else { return try await base.commit(request) }
                    let start = notes.with { $0.sequenceAtOpening }
                    var request = request
                    request.preconditions.removeAll { precondition in
                        guard case .unchanged(_, let since) = precondition, since < start else { return false }
                        trigger.fire()
                        return true
                    }
                    return try await base.commit(request)
                }
            }),
        Mutant(
            "migration-counts-as-change", "After a migration 'unchanged' fails until the next commit.",
            killedBy: "SCH-023",
            noting: { hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    guard notes.isMigrated else { return try await base.commit(request) }
                    let start = notes.with { $0.sequenceAtOpening }
                    for (index, precondition) in request.preconditions.enumerated() {
                        guard case .unchanged(_, let since) = precondition, since <= start else { continue }
                        trigger.fire()
                        throw StorageError.failedPrecondition(index)
                    }
                    return try await base.commit(request)
                }
            }),
    ]

    private static func message(
        _ id: String, _ summary: String, _ change: @escaping @Sendable (String) -> String
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: "SCH-008",
            noting: { hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        try await notes.open(request, base)
                    } catch {
                        let message = change(error.message)
                        if message != error.message { trigger.fire() }
                        throw StorageError(error.kind, message)
                    }
                }
            })
    }

    /// Opens with the stored schema where the other is refused for some reason.
    private static func accepted(
        _ id: String, _ summary: String, killedBy clause: String, _ matches: @escaping @Sendable (String) -> Bool
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            noting: { hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        try await notes.open(request, base)
                    } catch {
                        guard error.kind == .schemaMismatch, matches(error.message),
                            let stored = notes.with({ $0.schemas.last })
                        else { throw error }
                        trigger.fire()
                        try await notes.open(OpenRequest(schema: stored), base)
                    }
                }
            })
    }

    /// Changes what the steps of migrations yield, and drops the records at which they fail with one kind of error.
    ///
    /// `change` gets the old row, the new one, and the number of the row within its step from 1. It returns the row to
    /// use instead, or `nil` to drop it.
    private static func migrating(
        _ id: String, _ summary: String, killedBy clause: String, skipping kind: StorageError.Kind? = nil,
        _ change: @escaping @Sendable ([Value], [Value]?, Int) -> [Value]?
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            noting: { hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    let counts = Mutex<[String: Int]>([:])
                    try await notes.open(
                        request.migrating { step, row throws(StorageError) in
                            let number = counts.withLock { counts in
                                counts[step.target.name, default: 0] += 1
                                return counts[step.target.name, default: 0]
                            }
                            let new: [Value]?
                            do throws(StorageError) {
                                new = try step.migrate(row)
                            } catch {
                                guard error.kind == kind else { throw error }
                                trigger.fire()
                                return nil
                            }
                            let changed = change(row, new, number)
                            if changed != new { trigger.fire() }
                            return changed
                        }, base)
                }
            })
    }
}

extension SharedHandleState {
    /// Whether the store was opened with another schema than at first.
    fileprivate var isMigrated: Bool { with { $0.schemas.first?.entities != $0.schemas.last?.entities } }
}

extension OpenRequest {
    /// The request with other results of its migration's steps.
    func migrating(
        _ migrate: @escaping @Sendable (SchemaMigration.Step, [Value]) throws(StorageError) -> [Value]?
    ) -> OpenRequest {
        OpenRequest(schema: schema) { [migration] stored throws(StorageError) in
            guard var result = try migration(stored) else { return nil }
            result.steps = result.steps.map { step in
                SchemaMigration.Step(from: step.source, to: step.target) { row throws(StorageError) in
                    try migrate(step, row)
                }
            }
            return result
        }
    }
}

extension String {
    /// The text before a mark.
    fileprivate func components(upTo mark: String) -> String {
        var result = ""
        for character in self {
            if (result + String(character)).hasSuffix(mark) {
                return String((result + String(character)).dropLast(mark.count))
            }
            result.append(character)
        }
        return result
    }
}
