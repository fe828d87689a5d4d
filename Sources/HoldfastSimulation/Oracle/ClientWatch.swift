import HoldfastEngine
import HoldfastStorage

/// What must hold after every commit of a client.
///
/// Unchecked because everything happens on one thread.
final class ClientWatch: @unchecked Sendable {
    private struct Seen {
        var version: Int64
        var lastChangedAt: Int64
        var isDeleted: Bool
        /// Whether its state is no longer kept.
        var isForgotten = false
    }

    /// The unsent changes of a record, and what they build on.
    private struct Unsent {
        var base: [String: Value]
        var entries: [OutboxEntry]
    }

    private let client: Int
    let schema: SimulatedSchema
    let store: SimulatedStore
    let history: ServiceHistory
    private let ledger: EditLedger
    private let mutationLog: MutationLog
    private let network: SimulatedNetwork
    /// Whether records may leave what the client asks for.
    private let hasInterests: Bool
    /// Whether answers do not say what became of requests, or requests arrive twice.
    private let isMisled: Bool
    private var unsent: [ServiceHistory.Record: Unsent] = [:]
    private var seen: [ServiceHistory.Record: Seen] = [:]
    /// The fields that an earlier version of the application lacked, by their models.
    private var lateFields: [String: Set<String>] = [:]
    /// The versions that records had when the application received these fields.
    private var versionsAtUpgrade: [ServiceHistory.Record: Int64] = [:]
    /// What the application itself has committed.
    private(set) var committed = CommittedEdits()
    /// The records of which a change with a condition was given up.
    private(set) var conditional: Set<ServiceHistory.Record> = []
    /// How many commits were looked at.
    private(set) var commits = 0
    /// How many readings of each model have ended.
    private(set) var readings: [String: Int] = [:]

    init(
        client: Int, schema: SimulatedSchema, store: SimulatedStore, history: ServiceHistory, ledger: EditLedger,
        mutationLog: MutationLog, network: SimulatedNetwork, hasInterests: Bool, isMisled: Bool
    ) {
        self.client = client
        self.schema = schema
        self.mutationLog = mutationLog
        self.network = network
        self.hasInterests = hasInterests
        self.isMisled = isMisled
        self.store = store
        self.history = history
        self.ledger = ledger
    }

    /// The application has more fields from now on; those of a record are null until the service sends it again.
    func upgrade(_ fields: [String: Set<String>]) {
        lateFields = fields
        versionsAtUpgrade = seen.mapValues(\.version)
    }

    /// Looks at a commit.
    ///
    /// - Returns: What of it must never happen.
    func check(_ request: CommitRequest) async -> [String] {
        commits += 1
        guard let opened = store.opened else { return [] }
        let isRemote = request.preconditions.contains { $0.entity == "__sync_session" }
        if !isRemote { committed.note(request, of: opened.schema) }
        let recorded = isRemote ? nil : Self.recordedDeletions(request, in: opened)
        let letters = Self.deadLetters(request)
        let givenUp = Set(letters.map(\.position))
        conditional.formUnion(
            letters.filter { $0.condition != nil }.compactMap { opened.record($0.model, $0.key) })
        var touched: Set<ServiceHistory.Record> = []
        var problems = Self.unfounded(letters, of: schema)
        for operation in request.operations {
            problems += note(operation, in: opened, deletions: recorded, &touched)
        }
        do {
            for record in touched.sorted(by: { $0.text < $1.text }) {
                if let problem = try await checkRecord(record, in: opened, isRemote: isRemote, givenUp) {
                    problems.append(problem)
                }
            }
            if isRemote { problems += try await waitingChildren(of: letters, in: opened) }
        } catch let error as StorageError where error.kind == .closed {
            // The process has ended meanwhile.
        } catch {
            problems.append("the store cannot be read: \(error)")
        }
        return problems.map { "client \(client): \($0)" }
    }

    /// Takes in an operation of a commit.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - store: The client's store.
    ///   - deletions: The deletions that the commit puts into the outbox; `nil` for a commit of what the service said.
    ///   - touched: Receives the records whose state may have changed.
    /// - Returns: What of it must never happen.
    private func note(
        _ operation: WriteOperation, in store: Store, deletions: [ServiceHistory.Record: OutboxEntry]?,
        _ touched: inout Set<ServiceHistory.Record>
    ) -> [String] {
        var problems: [String] = []
        switch operation {
        case .clear(RecordMetadata.entity.name):
            seen = [:]
            unsent = [:]
            ledger.clear(client: client)
        case .put(RecordMetadata.entity.name, let rows, _):
            for row in 0..<rows.rowCount {
                guard let metadata = RecordMetadata(rows[row]) else { continue }
                guard let record = store.record(metadata.model, metadata.key) else { continue }
                touched.insert(record)
                problems += checkMetadata(metadata, of: record)
            }
        case .delete(RecordMetadata.entity.name, let keys):
            // What a full sync has not seen is forgotten; an event that was on its way may be older.
            for key in keys {
                guard case .text(let model) = key.components[0], case .text(let text) = key.components[1] else {
                    continue
                }
                if let record = store.record(model, text) { seen[record]?.isForgotten = true }
            }
        case .put(OutboxEntry.entity.name, let rows, _):
            for row in 0..<rows.rowCount {
                guard let entry = OutboxEntry(rows[row]), let record = store.record(entry.model, entry.key) else {
                    continue
                }
                touched.insert(record)
                mutationLog.noteChange(of: entry.changedFields, in: record, by: client, user: entry.identity)
            }
        case .put(ModelState.entity.name, let rows, _):
            for row in 0..<rows.rowCount {
                // The number of a full sync is stored before its first page, and without a time.
                if let state = ModelState(rows[row]), state.tokenMode == nil, state.fullSyncAt != nil {
                    readings[state.model, default: 0] += 1
                }
            }
        case .put(let name, let rows, _) where name.namesModel:
            guard let entity = try? store.schema.entity(named: name) else { break }
            for row in 0..<rows.rowCount {
                touched.insert(ServiceHistory.Record(model: name, key: entity.key(of: rows[row])))
            }
        case .delete(let name, let keys) where name.namesModel:
            for key in keys {
                let record = ServiceHistory.Record(model: name, key: key)
                touched.insert(record)
                if let deletions {
                    ledger.delete(
                        client: client, record, stateCount: knownStateCount(of: record),
                        isRecorded: deletions[record] != nil,
                        cascade: deletions[record]?.cascade.flatMap { store.record($0.model, $0.key) })
                }
            }
        default: break
        }
        return problems
    }

    /// How many states of a record there were when the service had the one that the client knows.
    private func knownStateCount(of record: ServiceHistory.Record) -> Int {
        let known = seen[record].flatMap {
            history.index(of: record, version: $0.version, lastChangedAt: $0.lastChangedAt)
        }
        return known.map { $0 + 1 } ?? history.states[record]?.count ?? 0
    }

    /// The deletions that a commit puts into the outbox.
    private static func recordedDeletions(
        _ request: CommitRequest, in store: Store
    ) -> [ServiceHistory.Record: OutboxEntry] {
        var records: [ServiceHistory.Record: OutboxEntry] = [:]
        for case .put(OutboxEntry.entity.name, let rows, _) in request.operations {
            for row in 0..<rows.rowCount {
                guard let entry = OutboxEntry(rows[row]), entry.operation == .delete,
                    let record = store.record(entry.model, entry.key)
                else { continue }
                records[record] = entry
            }
        }
        return records
    }

    private func checkMetadata(_ metadata: RecordMetadata, of record: ServiceHistory.Record) -> [String] {
        defer {
            seen[record] = Seen(
                version: metadata.version, lastChangedAt: metadata.lastChangedAt, isDeleted: metadata.isDeleted)
        }
        guard let before = seen[record], !before.isForgotten else { return [] }
        // A later version of an earlier life of the record is old, too.
        if let old = history.index(of: record, version: before.version, lastChangedAt: before.lastChangedAt),
            let new = history.index(of: record, version: metadata.version, lastChangedAt: metadata.lastChangedAt),
            new < old, history.states[record]?[old].isLost == false
        {
            return ["\(record.text) went back from version \(before.version) to an earlier one, \(metadata.version)"]
        }
        guard metadata.version < before.version else { return [] }
        // A record that the service has forgotten begins again.
        if before.isDeleted || history.hasForgotten(record) { return [] }
        // A full sync replaces what a restored service has lost.
        if history.state(of: record, version: before.version, lastChangedAt: before.lastChangedAt)?.isLost == true {
            return []
        }
        if history.states[record]?.contains(where: { $0.isDeleted && $0.version > before.version }) == true {
            return []
        }
        return ["the version of \(record.text) fell from \(before.version) to \(metadata.version)"]
    }

    /// A record as the store has it, what the service said of it, and its unsent changes.
    func state(
        of record: ServiceHistory.Record, in store: Store
    ) async throws -> (row: [Value]?, said: RecordMetadata?, entries: [OutboxEntry]) {
        var (rows, metadata) = (RowBuffer(), RowBuffer())
        var entries: [OutboxEntry] = []
        let key = record.key.outboxText
        try await store.withSnapshot { snapshot in
            try await snapshot.get([record.key], of: record.model, into: &rows)
            try await snapshot.get(
                [RecordMetadata.storedKey(record.model, key)], of: RecordMetadata.entity.name, into: &metadata)
            var newest = RowBuffer()
            try await snapshot.get(
                [OutboxEntry.newestKey(record.model, key)], of: OutboxEntry.entity.name, into: &newest)
            if newest.versions[0] == 0 { return }
            var scan = try await snapshot.query(
                QueryPlan(
                    OutboxEntry.entity.name,
                    where: .and([.compare("model", .equal, .text(record.model)), .compare("key", .equal, .text(key))])))
            var batch = RowBuffer()
            repeat {
                try await scan.next(into: &batch)
                for row in 0..<batch.rowCount { if let entry = OutboxEntry(batch[row]) { entries.append(entry) } }
            } while !batch.isEmpty
            await scan.close()
        }
        return (
            rows.versions[0] == 0 ? nil : Array(rows[0]), metadata.versions[0] == 0 ? nil : RecordMetadata(metadata[0]),
            entries
        )
    }

    /// The service's record with the unsent changes on top is what the client has.
    private func checkRecord(
        _ record: ServiceHistory.Record, in store: Store, isRemote: Bool, _ givenUp: Set<Int64>
    ) async throws -> String? {
        let entity = try store.schema.entity(named: record.model)
        let (row, said, entries) = try await state(of: record, in: store)
        let sent = unsent[record]?.entries.filter { old in
            !givenUp.contains(old.position) && !entries.contains { $0.position == old.position }
        }
        if let sent, let said, let problem = takenBack(record, sent, said, of: entity) { return problem }
        guard let known = entries.undone(row, of: entity) else {
            unsent[record] = nil
            return nil
        }
        let base = Dictionary(
            zip(entity.fields, known ?? []).map { ($0.name, $1) }, uniquingKeysWith: { first, _ in first })
        let earlier = unsent.updateValue(Unsent(base: base, entries: entries), forKey: record)
        if isRemote, let earlier, let problem = overwritten(record, earlier, known, entries, of: entity) {
            return problem
        }
        if isRemote, let problem = vanished(record, known, said) { return problem }
        guard let said else {
            return known == nil ? nil : "\(record.text) is there although the service never spoke of it"
        }
        // A full sync spares what has unsent changes.
        if said.isDeleted || said.isOutside && (entries.isEmpty || known == nil) {
            return known == nil ? nil : "\(record.text) is there although the service has deleted it"
        }
        // What the changes were made on has been forgotten and made again since.
        if said.version == 0, !entries.isEmpty { return nil }
        guard let state = history.state(of: record, version: said.version, lastChangedAt: said.lastChangedAt) else {
            return "\(record.text) has version \(said.version), which the service never gave it"
        }
        guard let known else {
            return state.isDeleted ? nil : "\(record.text) at version \(said.version) is not there"
        }
        for (field, value) in zip(entity.fields, known) {
            let expected = state.fields[field.name] ?? .null
            if value.isNull, versionsAtUpgrade[record] == said.version,
                lateFields[record.model]?.contains(field.name) == true
            {
                continue
            }
            if !entity.primaryKey.contains(field.name), !field.type.meansTheSame(expected, value) {
                return
                    "\(field.name) of \(record.text) builds on \(value.plain), and version \(said.version) has \(expected.plain)"
            }
        }
        return nil
    }
}

extension ClientWatch {
    /// Unsent changes are not silently applied on top of others of the same fields.
    ///
    /// That includes changes that waited behind another one, which is now carried out or given up. On top of what a
    /// conflict function decided they may be, and what a service merges they may replace. What only the service sets
    /// changes with each version.
    private func overwritten(
        _ record: ServiceHistory.Record, _ earlier: Unsent, _ known: [Value]?, _ entries: [OutboxEntry],
        of entity: EntitySchema
    ) -> String? {
        guard let known, !earlier.base.isEmpty else { return nil }
        // What comes after a deletion is of another life of the record.
        let deletedAt = entries.first { $0.operation == .delete }?.position ?? .max
        let kept = entries.filter { entry in
            entry.stage == .pending && entry.operation != .create && entry.position <= deletedAt
                && earlier.entries.contains {
                    $0.position == entry.position && $0.operation == entry.operation && $0.attempts == entry.attempts
                        && $0.stage == .pending
                }
        }
        let gone = earlier.entries.filter { old in !kept.contains { $0.position == old.position } }
        let isBehind = !gone.isEmpty
        if isBehind, gone.contains(where: { old in entries.contains { $0.position == old.position } }) { return nil }
        if gone.contains(where: { $0.operation != .update }) { return nil }
        let changed = kept.flatMap { entry in
            entry.operation == .delete ? isBehind ? [] : entity.fields.map(\.name) : entry.changedFields
        }
        let replaced = Set(changed)
            .subtracting(gone.flatMap(\.changedFields))
            .subtracting(schema.model(record.model)?.serviceFields ?? [])
        for (position, field) in entity.fields.enumerated() where replaced.contains(field.name) {
            if isBehind, !field.type.isMergedWhole { continue }
            if !field.type.meansTheSame(earlier.base[field.name] ?? .null, known[position]) {
                return
                    "an unsent change of \(field.name) of \(record.text) was put on top of \(known[position].plain), which no one saw"
            }
        }
        return nil
    }

    /// A record does not go back to what it was before a change that the service has carried out.
    private func takenBack(
        _ record: ServiceHistory.Record, _ sent: [OutboxEntry], _ said: RecordMetadata, of entity: EntitySchema
    ) -> String? {
        guard !isMisled,
            let now = history.index(of: record, version: said.version, lastChangedAt: said.lastChangedAt),
            let states = history.states[record]
        else { return nil }
        for entry in sent {
            guard let payload = entry.payload else { continue }
            let values = zip(entity.fields, FieldValues.row(payload, of: entity)).filter { field, value in
                entry.changedFields.contains(field.name) && !value.isNull
            }
            for (field, value) in values {
                let carriedOut = states.firstIndex { !$0.isLost && $0.fields[field.name] == value }
                if let carriedOut, carriedOut > now {
                    return "\(record.text) went back to before its change of \(field.name) was carried out"
                }
            }
        }
        return nil
    }

    /// What the service said of a record goes only if the service deleted it, or refused it to a new user.
    private func vanished(
        _ record: ServiceHistory.Record, _ known: [Value]?, _ said: RecordMetadata?
    ) -> String? {
        guard known == nil, !hasInterests, !network.hasRefusedNewUser, let seen = seen[record],
            !seen.isDeleted || said?.isDeleted == true
        else { return nil }
        let (version, time) = said.map { ($0.version, $0.lastChangedAt) } ?? (seen.version, seen.lastChangedAt)
        if history.lost.contains(record) || history.isDeleted(record, since: version, at: time) { return nil }
        return "\(record.text) is gone, although the service did not delete it after version \(version)"
    }
}

extension Store {
    /// The record of a key's text; `nil` if the store has no such model.
    func record(_ model: String, _ key: String) -> ServiceHistory.Record? {
        guard let entity = try? schema.entity(named: model), let key = RecordKey(outboxText: key, of: entity) else {
            return nil
        }
        return ServiceHistory.Record(model: model, key: key)
    }
}

extension String {
    /// Whether an entity of this name has records of applications; GraphQL reserves two underscores.
    var namesModel: Bool { !hasPrefix("__") }
}
