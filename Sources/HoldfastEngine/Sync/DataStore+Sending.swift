import HoldfastStorage

extension DataStore {
    /// Who makes changes of this handle until its session ends, as the sync engine names users; `nil` if no one is
    /// signed in.
    package func setIdentity(_ identity: String?) {
        engine.author = OutboxClock.Author(identity: identity)
        // Observers of the outbox count other dead letters now.
        publisher.missed([DeadLetter.entity])
    }

    /// Makes the changes of this handle no one's until the session that is about to begin knows its user.
    package func expectSession() { engine.expectAuthor() }

    /// It cannot be said who is signed in: what is changed from now on is a change of the last session's user.
    package func expectLastUser() { engine.author = nil }

    /// Takes mutations to be sent from the head of the outbox, and freezes what they send, in one commit.
    ///
    /// Creations of parents come before what leads to them, and of one record comes one mutation at a time. A deletion
    /// comes after all changes of what leads to its record, but before the deletions that go with it; if the service
    /// has refused it, these are taken back instead. What waits for a mutation in flight is not taken. If there are
    /// fewer than `limit`, what the service said of records whose changes were taken back meanwhile is applied.
    ///
    /// - Parameters:
    ///   - limit: The largest number of mutations.
    ///   - fence: The session's fence; the call fails if it no longer holds.
    ///   - identity: Who is signed in; changes of others are not taken, and those of no one become this user's.
    ///   - models: The models whose changes are taken; `nil` for all. Changes of others are not waited for.
    /// - Returns: The mutations in the order in which they should be sent, all of which may be sent side by side; which
    ///   records changed; and whether a deletion was taken back, so that there may be more to take.
    /// - Throws: As ``apply(_:_:)``.
    @concurrent package func takeReporting(
        _ limit: Int, _ fence: SyncFence, identity: String? = nil, models: Set<String>? = nil
    ) async throws -> (mutations: [OutgoingMutation], report: ApplyReport, hasTakenBack: Bool) {
        let now = engine.present
        var taken: [OutgoingMutation] = []
        var hasTakenBack = false
        var report: ApplyReport?
        _ = try await engine.commit { _ in
            (taken, hasTakenBack, report) = ([], false, nil)
            var draft = SyncDraft(under: try await condition(of: fence))
            try await store.withSnapshot { snapshot in
                var queue = OutboxQueue(snapshot: snapshot, catalog: catalog, models: models)
                let sendable = try await queue.sendable(limit) { entry in
                    (entry.notBefore ?? .min) <= now && (entry.identity == nil || entry.identity == identity)
                }
                let refused = try await refusedDeletions(before: sendable, in: snapshot)
                for entry in sendable {
                    guard let entity = catalog.model(named: entry.model)?.entity,
                        let key = RecordKey(outboxText: entry.key, of: entity),
                        var change = try await syncedRecords([key], of: entity, in: snapshot).first,
                        let index = change.record.entries.firstIndex(where: { $0.position == entry.position })
                    else { continue }
                    if let parent = entry.cascade.flatMap({ refused[$0] }) {
                        change.record.undoDeletion(index, at: now)
                        draft.requireUnchanged(parent)
                        draft.add([change], of: entity)
                        report = report ?? ApplyReport()
                        report?.note([change], in: 0..<1)
                        hasTakenBack = true
                        continue
                    }
                    var entry = entry
                    entry.cascade = nil
                    entry.payload = change.record.payload(of: entry) ?? FieldValues.notFrozen
                    entry.identity = entry.identity ?? identity
                    change.record.entries[index] = entry
                    change.record.leaveForgottenVersion()
                    draft.add([change], of: entity)
                    taken.append(OutgoingMutation(entry, change.record, isUncertain: false))
                }
                // While there is more to be taken, each of very many takes would look at all that waits.
                if sendable.count < limit, let judged = try await judgeShelf(in: snapshot, &draft, at: now) {
                    report = report ?? ApplyReport()
                    report?.add(judged)
                }
                try await addVisibilityChanges(in: snapshot, &draft)
            }
            return taken.isEmpty && report == nil ? WriteDraft(pending: PendingEntries(), at: nil) : draft.draft()
        }
        return (taken, report ?? ApplyReport(), hasTakenBack)
    }

    /// As ``takeReporting(_:_:identity:models:)``, without the report; for tests and the conformance suite.
    @concurrent package func take(
        _ limit: Int, _ fence: SyncFence, identity: String? = nil, models: Set<String>? = nil
    ) async throws -> [OutgoingMutation] {
        try await takeReporting(limit, fence, identity: identity, models: models).mutations
    }

    /// Makes the changes of no one those of a user.
    ///
    /// They were made before it was known who is signed in. From now on no session of another user sends them.
    ///
    /// - Parameters:
    ///   - identity: The user with whom a session begins.
    ///   - fence: The session's fence; the call fails if it no longer holds.
    ///   - models: The models whose changes the session sends; `nil` for all. Changes of others stay those of no one.
    /// - Throws: As ``apply(_:_:)``. It is done in commits of 1,000 changes; an error leaves those that were made, and
    ///   the call can be repeated.
    @concurrent package func assignChanges(
        to identity: String, _ fence: SyncFence, of models: Set<String>? = nil
    ) async throws {
        let isOfNoOne = Predicate.compare("identity", .equal, .null)
        let plan = QueryPlan(
            OutboxEntry.entity.name, where: .and([OutboxEntry.isChange(of: models), isOfNoOne]), limit: 1_000)
        var count = 0
        repeat {
            _ = try await engine.commit { _ in
                var draft = SyncDraft(under: try await condition(of: fence))
                let rows = try await store.withSnapshot { try await $0.rows(plan) }
                count = 0
                for row in 0..<rows.rowCount {
                    guard var entry = OutboxEntry(rows[row]) else { continue }
                    entry.identity = identity
                    draft.replace(entry, version: rows.versions[row])
                    count += 1
                }
                return count == 0 ? WriteDraft(pending: PendingEntries(), at: nil) : draft.draft()
            }
        } while count > 0
    }

    /// Whether the outbox has changes of another user.
    ///
    /// - Parameters:
    ///   - identity: The user whose changes, and those of no one in particular, do not count.
    ///   - models: The models whose changes count; `nil` for all.
    /// - Returns: Whether there is at least one.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed`, `.io`.
    /// - Complexity: O(n) for n entries of these models, unless one of another user is among the first.
    @concurrent package func hasChanges(
        ofOthersThan identity: String?, of models: Set<String>? = nil
    ) async throws -> Bool {
        let hasUser = Predicate.compare("identity", .notEqual, .null)
        let isOther = identity.map { .and([hasUser, .compare("identity", .notEqual, .text($0))]) } ?? hasUser
        let plan = QueryPlan(
            OutboxEntry.entity.name, where: .and([OutboxEntry.isChange(of: models), isOther]), limit: 1)
        return try await withSnapshot { try await !$0.rows(plan).isEmpty }
    }

    /// Judges what waits on the shelf for changes that no longer exist: a creation that was taken back before it was
    /// sent leaves nothing that could be settled.
    ///
    /// - Returns: What changed; `nil` if there was nothing to judge.
    private func judgeShelf(
        in snapshot: StoreSnapshot, _ draft: inout SyncDraft, at now: Int64
    ) async throws -> ApplyReport? {
        let rows = try await snapshot.rows(
            QueryPlan(
                ShelfItem.entity.name,
                where: .compare("reason", .equal, .text(ShelfItem.Reason.conflict.rawValue))))
        var keys: [String: [RecordKey]] = [:]
        for row in 0..<rows.rowCount {
            guard let item = ShelfItem(rows[row]), let entity = catalog.model(named: item.model)?.entity,
                let key = RecordKey(outboxText: item.key, of: entity)
            else { continue }
            keys[item.model, default: []].append(key)
        }
        var report: ApplyReport?
        for (model, keys) in keys.sorted(by: { $0.key < $1.key }) {
            guard let entity = catalog.model(named: model)?.entity else { continue }
            // Those that still have changes are not read: there may be very many, and later takes look at them again.
            let newest = try await snapshot.get(
                keys.map { OutboxEntry.newestKey(model, $0.outboxText) }, of: OutboxEntry.entity)
            let settled = keys.indices.filter { newest.versions[$0] == 0 }.map { keys[$0] }
            if settled.isEmpty { continue }
            var changes = try await syncedRecords(settled, of: entity, in: snapshot)
            for index in changes.indices { changes[index].record.judgeShelf(true, now) }
            report = report ?? ApplyReport()
            report?.note(changes, in: changes.indices)
            draft.add(changes, of: entity)
        }
        return report
    }

    /// The mutations that were or may have been sent and are not settled, in the order of the queue.
    ///
    /// After a start, and after a failure of the connection, their outcome must be looked up before they are sent
    /// again.
    @concurrent package func unsettled() async throws -> [OutgoingMutation] {
        try await store.withSnapshot { snapshot in
            let rows = try await snapshot.rows(
                QueryPlan(
                    OutboxEntry.entity.name, where: .not(.compare("payload", .equal, .null)),
                    sort: [SortKey("position")]))
            var found: [OutgoingMutation] = []
            for row in 0..<rows.rowCount {
                guard let entry = OutboxEntry(rows[row]), let entity = catalog.model(named: entry.model)?.entity,
                    let key = RecordKey(outboxText: entry.key, of: entity),
                    let change = try await syncedRecords([key], of: entity, in: snapshot).first
                else { continue }
                found.append(OutgoingMutation(entry, change.record, isUncertain: true))
            }
            return found
        }
    }

    /// Takes in what became of mutations, in one commit: the records as the service has them with later changes on top,
    /// their versions, and dead letters for what was refused and for what belongs to a record whose creation was.
    ///
    /// If the store cannot hold what the service or the conflict handler has made of a record, each outcome has a commit
    /// of its own. A change that was to be sent again on such a record becomes a dead letter with the store's reason.
    ///
    /// - Parameters:
    ///   - outcomes: Those that arrived together, in order; one whose mutation was settled before changes nothing.
    ///   - fence: The session's fence; the call fails if it no longer holds.
    ///   - generations: For each model the number of its newest full sync, also one in progress: what the service said
    ///     since it began need not be in its pages.
    ///   - rebases: As ``RemoteBatch/rebases``, for what was on the shelf until now.
    /// - Returns: What changed.
    /// - Throws: As ``apply(_:_:)``.
    @concurrent package func settle(
        _ outcomes: [MutationOutcome], _ fence: SyncFence, generations: [String: Int64] = [:], rebases: Bool = true
    ) async throws -> ApplyReport {
        do {
            return try await settleTogether(outcomes, fence, generations, rebases)
        } catch let error as StorageError where error.refusesValues {
            var report = ApplyReport()
            for outcome in outcomes { report.add(try await settleAlone(outcome, fence, generations, rebases)) }
            return report
        }
    }

    /// Settles an outcome, or what of it the store can hold.
    private func settleAlone(
        _ outcome: MutationOutcome, _ fence: SyncFence, _ generations: [String: Int64], _ rebases: Bool
    ) async throws -> ApplyReport {
        do {
            return try await settleTogether([outcome], fence, generations, rebases)
        } catch let error as StorageError where error.refusesValues {
            if case .retried(let id, let remote, _) = outcome {
                // The service's record may be held where the one that was wanted on top of it cannot.
                let refused = MutationOutcome.refused(
                    id, errorType: error.kind.rawValue, message: "The store cannot hold the record. \(error.message)",
                    remote: remote)
                return try await settleAlone(refused, fence, generations, rebases)
            }
            let (rest, isWithoutRecord) = outcome.withoutRecord
            return try await settleTogether(
                [rest], fence, generations, rebases, holdsShelf: true, isWithoutRecord: isWithoutRecord)
        }
    }

    /// Settles outcomes in one commit.
    ///
    /// With `holdsShelf`, what waits for the changes goes on to wait, since the store cannot hold it. With
    /// `isWithoutRecord`, the service has a record that the outcome no longer has.
    private func settleTogether(
        _ outcomes: [MutationOutcome], _ fence: SyncFence, _ generations: [String: Int64], _ rebases: Bool,
        holdsShelf: Bool = false, isWithoutRecord: Bool = false
    ) async throws -> ApplyReport {
        let time = engine.present
        var report = ApplyReport()
        let byModel = Dictionary(grouping: outcomes, by: \.id.model).sorted { $0.key < $1.key }
        _ = try await engine.commit { _ in
            report = ApplyReport()
            var draft = SyncDraft(under: try await condition(of: fence))
            try await store.withSnapshot { snapshot in
                var records = SettledRecords(snapshot, catalog)
                var refused: [String: [RecordKey]] = [:]
                var settledBefore: [OutgoingMutation.ID] = []
                for (model, outcomes) in byModel {
                    guard let entity = catalog.model(named: model)?.entity else { continue }
                    let byKey = Dictionary(grouping: outcomes, by: \.id.key)
                    let keys = byKey.keys.compactMap { RecordKey(outboxText: $0, of: entity) }
                    try await records.change(keys, of: entity) { change in
                        for outcome in byKey[change.record.keyText] ?? [] {
                            let isSettled = change.record.settle(
                                outcome, generation: generations[model] ?? 0, rebases: rebases,
                                holdsShelf: holdsShelf, at: time)
                            if !isSettled { settledBefore.append(outcome.id) }
                            if change.record.hasRest(of: outcome.id) { report.unfinished.insert(outcome.id) }
                        }
                        if change.isRefusedCreation, !isWithoutRecord {
                            refused[model, default: []].append(change.record.key)
                        }
                    }
                }
                try await giveUpChildren(of: refused, in: &records, &draft, at: time)
                records.add(to: &draft, &report)
                // A commit of unknown outcome was made.
                for id in settledBefore {
                    guard let letter = try await snapshot.deadLetter(id) else { continue }
                    report.unfinished.insert(id)
                    report.deadLetters.append(letter)
                }
                try await addVisibilityChanges(in: snapshot, &draft)
            }
            return draft.draft()
        }
        return report
    }
}

extension MutationOutcome {
    /// The outcome without the record, which the store cannot hold, and whether there was one.
    fileprivate var withoutRecord: (outcome: MutationOutcome, hadRecord: Bool) {
        switch self {
        case .accepted(let id, let remote) where !remote.isDeleted:
            return (.acceptedUnreadable(id, ShelfItem(notStorable: remote, of: id.model)), true)
        case .acceptedUnreadable(let id, var item):
            item.item = nil
            return (.acceptedUnreadable(id, item), true)
        case .refused(let id, let errorType, let message, let remote?) where !remote.isDeleted:
            return (.refused(id, errorType: errorType, message: message, remote: nil), true)
        case .accepted, .alreadyDeleted, .refused, .retried, .gone, .unanswered: return (self, false)
        }
    }
}

extension SyncedRecord {
    /// Whether a mutation is to be sent again, or was given up, at least in part.
    fileprivate func hasRest(of id: OutgoingMutation.ID) -> Bool {
        entries.contains { $0.position == id.position } || letters.contains { $0.position == id.position }
    }
}

extension OutgoingMutation {
    fileprivate init(_ entry: OutboxEntry, _ record: SyncedRecord, isUncertain: Bool) {
        let entity = record.entity
        id = ID(model: entry.model, key: entry.key, position: entry.position)
        operation = entry.operation
        version = record.metadata?.version
        lastChangedAt = record.metadata?.lastChangedAt
        condition = entry.condition
        identity = entry.identity
        attempts = entry.attempts
        notBefore = entry.notBefore
        self.isUncertain = isUncertain
        let positions: [Int] =
            switch entry.operation {
            case .create: Array(entity.fields.indices)
            case .update: entry.changedFields.compactMap(entity.position(of:))
            case .delete: []
            }
        if entry.operation != .delete {
            let after = record.row(after: entry)
            (row, before) = (after, entry.undone(after, of: entity) ?? nil)
        } else if let before = entry.before, before != FieldValues.noRecord {
            row = FieldValues.row(before, of: entity)
        }
        // As the record has it: a service may compare keys as text, and a time can be written with several offsets.
        recordKey = row.map { entity.key(of: $0) }.flatMap { $0 == record.key ? $0 : nil } ?? record.key
        fields = positions.map { entity.fields[$0].name }
        cells = FieldValues.values(record.sentValues(of: entry) ?? FieldValues.notFrozen, positions, of: entity)
    }
}
