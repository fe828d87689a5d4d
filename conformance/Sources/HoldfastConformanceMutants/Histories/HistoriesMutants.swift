import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `HIS` must find.
    static let histories: [Mutant] = historiesOfValues + historiesOfCommits + historiesOfSessions

    private static let historiesOfValues: [Mutant] = [
        Mutant(
            "history-empty-list-is-null", "An empty list reads as null.", killedBy: "HIS-001",
            read: {
                $0 == .list([]) ? .null : $0
            }),
        Mutant(
            "history-offset-lost", "Instants lose their offset.", killedBy: "HIS-001",
            written: { value in
                guard case .timestamp(var instant) = value else { return value }
                instant.tail.offset = 0
                return .timestamp(instant)
            }),
        Mutant("history-nulls-skipped-by-pages", "A page after a null is empty.", killedBy: "HIS-001") {
            base, trigger in
            HookedAdapter(base) {
                $0.querying = { query, snapshot async throws(StorageError) in
                    guard let after = query.after, after.contains(.null) else {
                        return try await snapshot.query(query)
                    }
                    trigger.fire()
                    return RowsScan(rows: [], columnCount: query.projection.count)
                }
            }
        },
        Mutant("history-failed-commit-in-part", "A commit that fails keeps the steps before.", killedBy: "HIS-001") {
            base, trigger in
            HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        guard case .operation(let index)? = error.position, index > 0 else { throw error }
                        let done = Array(request.operations[..<index])
                        if (try? await base.commit(CommitRequest(operations: done))) != nil { trigger.fire() }
                        throw error
                    }
                }
            }
        },
        Mutant("history-deletions-forgotten", "Deleted records do not count as changed.", killedBy: "HIS-001") {
            base, trigger in
            HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        guard case .precondition(let index)? = error.position,
                            case .unchanged(let range, let since) = request.preconditions[index],
                            request.preconditions.count == 1
                        else { throw error }
                        let changed = try await rows(of: range.entity, base).contains { $0.version > since }
                        if changed { throw error }
                        trigger.fire()
                        var request = request
                        request.preconditions = []
                        return try await base.commit(request)
                    }
                }
            }
        },
        Mutant("history-wildcards", "A percent sign in a needle matches anything.", killedBy: "HIS-001") {
            base, trigger in
            HookedAdapter(base) {
                $0.querying = { query, snapshot async throws(StorageError) in
                    guard case .containsText(let position, let needle) = query.predicate,
                        needle == "%" || needle == "_",
                        query.isKeyOrder, query.after == nil, query.limit == nil, query.offset == 0,
                        query.projection == Array(query.entity.fields.indices)
                    else { return try await snapshot.query(query) }
                    trigger.fire()
                    return FilteredScan(base: try await snapshot.scan(KeyRange(query.entity.name))) { row in
                        if case .text(let text) = row.cells[position] { needle == "%" || !text.isEmpty } else { false }
                    }
                }
            }
        },
        Mutant("history-fifty-first-lost", "The 51st row of a query is lost.", killedBy: "HIS-002") { base, trigger in
            HookedAdapter(base) {
                $0.querying = { query, snapshot async throws(StorageError) in
                    let count = Mutex(0)
                    return FilteredScan(base: try await snapshot.query(query)) { _ in
                        let number = count.withLock { count in
                            count += 1
                            return count
                        }
                        if number == 51 { trigger.fire() }
                        return number != 51
                    }
                }
            }
        },
    ]

    private static let historiesOfCommits: [Mutant] = [
        commits("history-versions-kept", "A commit with four steps or more has the sequence of the one before.") {
            request, base, trigger async throws(StorageError) in
            var receipt = try await base.commit(request)
            if request.operations.count > 2 {
                trigger.fire()
                receipt.sequence -= 1
            }
            return receipt
        },
        commits("history-third-key-kept", "A delete of three keys leaves the third.") {
            request, base, trigger async throws(StorageError) in
            var request = request
            request.operations = request.operations.map { operation in
                guard case .delete(let entity, let keys) = operation, keys.count > 2 else { return operation }
                trigger.fire()
                return .delete(entity: entity, keys: Array(keys.prefix(2)))
            }
            return try await base.commit(request)
        },
        commits("history-second-precondition-ignored", "Only the first precondition is checked.") {
            request, base, trigger async throws(StorageError) in
            var request = request
            if request.preconditions.count > 1 { trigger.fire() }
            request.preconditions = Array(request.preconditions.prefix(1))
            return try await base.commit(request)
        },
        commits("history-missing-deletes-counted", "Records that were missing are counted as deleted.") {
            request, base, trigger async throws(StorageError) in
            var receipt = try await base.commit(request)
            for case .delete(_, let keys) in request.operations where keys.count > receipt.deletedCount {
                trigger.fire()
                receipt.deletedCount = keys.count
            }
            return receipt
        },
        commits("history-position-missing", "Errors of later operations do not say which.") {
            request, base, trigger async throws(StorageError) in
            do throws(StorageError) {
                return try await base.commit(request)
            } catch {
                guard case .operation(let index)? = error.position, index > 0 else { throw error }
                trigger.fire()
                throw StorageError(error.kind, error.message)
            }
        },
        commits("history-empty-puts-skipped", "A commit that puts no rows has no sequence of its own.") {
            request, base, trigger async throws(StorageError) in
            var request = request
            let isEmpty = request.operations.allSatisfy { operation in
                if case .put(_, let rows, _) = operation { rows.isEmpty } else { false }
            }
            if isEmpty && !request.operations.isEmpty {
                trigger.fire()
                request.operations = []
            }
            return try await base.commit(request)
        },
        Mutant(
            "history-snapshot-reads-newest", "A snapshot's reads by key see what was committed later.",
            killedBy: "HIS-002"
        ) {
            base, trigger in
            HookedAdapter(base) {
                $0.getting = { request, snapshot async throws(StorageError) in
                    var (old, new) = (RowBuffer(), RowBuffer())
                    try await snapshot.get(request, into: &old)
                    try await base.get(request, into: &new)
                    if old.cells != new.cells { trigger.fire() }
                    return new
                }
            }
        },
        Mutant(
            "history-aggregates-of-newest", "A snapshot's aggregates are those of the newest state.",
            killedBy: "HIS-002"
        ) {
            base, trigger in
            HookedAdapter(base) {
                $0.aggregating = { aggregate, snapshot async throws(StorageError) in
                    let now = try await base.snapshot()
                    if now.sequence != snapshot.sequence { trigger.fire() }
                    return try await now.aggregate(aggregate)
                }
            }
        },
        Mutant("history-uniqueness-ignored", "Unique indexes are not enforced.", killedBy: "HIS-002") { base, trigger in
            HookedAdapter(base) {
                $0.opening = { request, base async throws(StorageError) in
                    try await base.open(
                        request.replacing { entity in
                            if entity.indexes.contains(where: \.isUnique) { trigger.fire() }
                            return EntitySchema(
                                entity.name, fields: entity.fields, primaryKey: entity.primaryKey,
                                indexes: entity.indexes.map { IndexSchema($0.name, on: $0.fields) })
                        })
                }
            }
        },
    ]

    private static let historiesOfSessions: [Mutant] = [
        Mutant(
            "history-third-session-forgets", "The third session lacks the last record of an entity.",
            killedBy: "HIS-003",
            noting: {
                hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    try await notes.open(request, base)
                    guard notes.with({ $0.openingCount }) == 3, let entity = request.schema.entities.first,
                        let last = try await rows(of: entity.name, base).last
                    else { return }
                    trigger.fire()
                    _ = try await base.commit(
                        CommitRequest(operations: [.delete(entity: entity.name, keys: [entity.key(of: last.cells)])]))
                }
            }),
        Mutant(
            "history-versions-unchecked-later", "After reopening, version preconditions are not checked.",
            killedBy: "HIS-003",
            noting: {
                hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    var request = request
                    let count = request.preconditions.count
                    if notes.isReopened {
                        request.preconditions.removeAll { if case .version = $0 { true } else { false } }
                    }
                    if request.preconditions.count < count { trigger.fire() }
                    return try await base.commit(request)
                }
            }),
        Mutant(
            "history-index-halves-later", "After reopening, equality by an index misses the first record.",
            killedBy: "HIS-003",
            noting: {
                hooks, notes, _, trigger in
                hooks.querying = { query, base async throws(StorageError) in
                    let scan = try await base.query(query)
                    guard notes.isReopened, case .compare = query.predicate else { return scan }
                    let isFirst = Mutex(true)
                    return FilteredScan(base: scan) { _ in
                        let leavesOut = isFirst.withLock { isFirst in
                            defer { isFirst = false }
                            return isFirst
                        }
                        if leavesOut { trigger.fire() }
                        return !leavesOut
                    }
                }
            }),
        Mutant(
            "history-new-fields-empty", "New texts of old records read as empty.", killedBy: "HIS-004",
            rows: {
                notes, row, cells in
                let altered = zip(row.positions, cells).map { position, cell in
                    let field = row.entity.fields[position]
                    guard cell.isNull, field.name.hasPrefix("added") else { return cell }
                    return field.type.storageType == .text
                        ? .text("") : field.type.storageType == .integer ? .integer(0) : cell
                }
                return StoredRow(altered, version: row.version)
            }),
        Mutant(
            "history-new-fields-unwritten", "New fields stay null when they are written.", killedBy: "HIS-004",
            noting: {
                hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    let schema = try notes.schema()
                    var request = request
                    request.operations = request.operations.map { operation in
                        guard case .put(let name, var rows, let mode) = operation,
                            let entity = try? schema.entity(named: name)
                        else { return operation }
                        for (column, field) in entity.fields.enumerated() where field.name.hasPrefix("added") {
                            for row in 0..<rows.rowCount where !rows[row, column].isNull {
                                trigger.fire()
                                rows.set(.null, row: row, column: column)
                            }
                        }
                        return .put(entity: name, rows: rows, mode: mode)
                    }
                    return try await base.commit(request)
                }
            }),
        Mutant(
            "history-new-entities-vanish", "An entity that was added is empty in every session.", killedBy: "HIS-004",
            rows: {
                _, row, cells in
                row.entity.name.hasPrefix("Fresh") ? nil : StoredRow(cells, version: row.version)
            }),
        Mutant(
            "history-commit-kept-back", "A commit is made when the next one comes, or at the end.", killedBy: "HIS-005"
        ) {
            base, trigger in
            let kept = KeptCommit()
            return HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in
                    try await kept.make(in: base)
                    guard request.preconditions.isEmpty,
                        request.operations.allSatisfy({ if case .put(_, _, .upsert) = $0 { true } else { false } })
                    else { return try await base.commit(request) }
                    let snapshot = try await base.snapshot()
                    let sequence = snapshot.sequence + 1
                    await snapshot.close()
                    trigger.fire()
                    kept.keep(request)
                    return CommitReceipt(sequence: sequence)
                }
                $0.snapshotting = { base async throws(StorageError) in
                    try await kept.make(in: base)
                    return try await base.snapshot()
                }
                $0.closing = { base async throws(StorageError) in
                    try await kept.make(in: base)
                    try await base.close()
                }
            }
        },
        Mutant(
            "history-checked-outside", "Preconditions are checked before the commit, not in it.", killedBy: "HIS-006"
        ) {
            base, trigger in
            HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in
                    guard !request.preconditions.isEmpty else { return try await base.commit(request) }
                    _ = try await base.commit(CommitRequest(preconditions: request.preconditions))
                    try? await Task.sleep(for: .microseconds(500))
                    trigger.fire()
                    var request = request
                    request.preconditions = []
                    return try await base.commit(request)
                }
            }
        },
        Mutant(
            "history-lost-updates", "Every seventh precondition is not checked.", killedBy: "HIS-006",
            noting: {
                hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    var request = request
                    let number = notes.with { notes in
                        notes.count += request.preconditions.count
                        return notes.count
                    }
                    if !request.preconditions.isEmpty && number % 7 == 0 {
                        trigger.fire()
                        request.preconditions = []
                        // So that another writer comes first.
                        try? await Task.sleep(for: .milliseconds(1))
                    }
                    return try await base.commit(request)
                }
            }),
        Mutant(
            "history-needless-refusals", "Every fifth put under a precondition is refused.", killedBy: "HIS-006",
            noting: {
                hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    let number = notes.with { notes in
                        notes.count += request.preconditions.count
                        return notes.count
                    }
                    if !request.preconditions.isEmpty && number % 5 == 0 {
                        trigger.fire()
                        throw StorageError(.preconditionFailed, "Read again.", position: .precondition(0))
                    }
                    return try await base.commit(request)
                }
            }),
        Mutant(
            "history-shared-sequences", "Commits that meet get one sequence.", killedBy: "HIS-006",
            noting: {
                hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    var receipt = try await base.commit(request)
                    if receipt.sequence % 10 == 0 {
                        trigger.fire()
                        receipt.sequence -= 1
                    }
                    return receipt
                }
            }),
    ]

    private static func commits(
        _ id: String, _ summary: String,
        _ body:
            @escaping @Sendable (CommitRequest, any StorageAdapter, MutantTrigger) async throws(StorageError) ->
            CommitReceipt
    ) -> Mutant {
        Mutant(id, summary, killedBy: "HIS-002") { base, trigger in
            HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in try await body(request, base, trigger) }
            }
        }
    }
}

/// A commit that was acknowledged and not made yet.
private final class KeptCommit: Sendable {
    private let request = Mutex<CommitRequest?>(nil)

    func keep(_ request: CommitRequest) { self.request.withLock { $0 = request } }

    func make(in base: any StorageAdapter) async throws(StorageError) {
        let waiting = request.withLock { request in
            defer { request = nil }
            return request
        }
        if let waiting { _ = try await base.commit(waiting) }
    }
}
