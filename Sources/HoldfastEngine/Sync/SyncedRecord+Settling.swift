package import HoldfastStorage

extension SyncedRecord {
    /// Takes in what became of a mutation.
    ///
    /// - Parameters:
    ///   - outcome: What became of it.
    ///   - generation: The number of the model's newest full sync, which may no longer see the record.
    ///   - rebases: As for ``reconcile(_:generation:rebases:at:)``.
    ///   - holdsShelf: Whether what waits stays on the shelf, since the store cannot hold it.
    ///   - time: The present, in microseconds since 1970-01-01T00:00Z.
    /// - Returns: Whether there is such an entry in flight; `false` for one that was settled before, also if it waits to
    ///   be sent again since.
    package mutating func settle(
        _ outcome: MutationOutcome, generation: Int64 = 0, rebases: Bool = true, holdsShelf: Bool = false,
        at time: Int64 = 0
    ) -> Bool {
        guard let index = entries.firstIndex(where: { $0.position == outcome.id.position }),
            entries[index].stage == .inFlight
        else { return false }
        switch outcome {
        case .accepted(_, let remote): settleAccepted(index, remote, generation, time)
        case .acceptedUnreadable(_, let item): settleUnreadable(index, item, generation)
        case .alreadyDeleted(_, let remote?): settleAccepted(index, remote, generation, time)
        case .alreadyDeleted(_, nil):
            var rest = self
            rest.entries.removeSubrange(...index)
            rest.rebase(onto: nil)
            rest.metadata?.isDeleted = true
            self = rest
        case .refused(_, let errorType, let message, let remote):
            settleRefused(index, errorType, message, remote, generation, time)
        case .gone(_, let errorType, let message):
            let tombstone = RemoteRecord(
                key: key, row: nil, version: metadata?.version ?? 0, lastChangedAt: metadata?.lastChangedAt ?? 0)
            let waiting = shelf.flatMap { $0.isLife(after: tombstone, generation) ? $0 : nil }
            shelf = nil
            settleRefused(index, errorType, message, tombstone, generation, time)
            if let waiting { shelf = waiting }
        case .retried(_, let remote, let wanted): settleRetried(index, remote, wanted, generation)
        case .unanswered(_, let notBefore):
            entries[index].attempts += 1
            entries[index].notBefore = notBefore
        }
        if holdsShelf { shelf?.reason = .notStorable } else { judgeShelf(rebases, time) }
        return true
    }

    private mutating func settleAccepted(
        _ index: Int, _ remote: RemoteRecord, _ generation: Int64, _ time: Int64
    ) {
        if entries[index].operation == .delete, !remote.isDeleted {
            // A function of the service may decide so.
            settleRefused(
                index, "ConflictUnhandled", "The service has kept the record.", remote, generation, time)
            return
        }
        if resumeMerged(index, remote, generation, time) { return }
        // With a known record below, the rest is applied on top of the answer.
        var rest = self
        rest.entries.removeSubrange(...index)
        if remote.isDeleted, rest.entries.first?.operation == .update, entries[index].operation != .delete {
            rest.addDeadLetters(
                from: 0, errorType: "ConflictUnhandled", message: "The service has deleted the record.", remote: nil,
                at: time)
        }
        rest.goOn(from: remote, generation)
        self = rest
    }

    /// Takes the change for the service's record, of which the models cannot hold everything.
    private mutating func settleUnreadable(_ index: Int, _ item: ShelfItem, _ generation: Int64) {
        entries.removeSubrange(...index)
        // The cells do not matter: there is a record.
        advance(
            to: RemoteRecord(key: key, row: [], version: item.version, lastChangedAt: item.lastChangedAt),
            generation: generation)
        if shelf == nil {
            shelf = item
            shelf?.generation = generation
        }
    }

    /// Puts the changes that are left on top of what the service has.
    private mutating func goOn(from remote: RemoteRecord, _ generation: Int64) {
        rebase(onto: remote.row)
        if entries.isEmpty {
            accept(remote, generation: generation)
        } else {
            advance(to: remote, generation: generation)
        }
    }

    private mutating func settleRefused(
        _ index: Int, _ errorType: String?, _ message: String?, _ remote: RemoteRecord?, _ generation: Int64,
        _ time: Int64
    ) {
        let entry = entries[index]
        if entry.operation == .create {
            addDeadLetters(from: index, errorType: errorType, message: message, remote: remote, at: time)
            if let remote { accept(remote, generation: generation) } else { row = nil }
            return
        }
        keep(letter(for: entry, errorType, message, remote, time))
        let below = Array(entries[...index]).undone(entries.after(index, row, of: entity), of: entity)
        entries.removeSubrange(...index)
        if let remote, !remote.isDeleted, !entries.isEmpty, let below = below ?? nil, !isKnown(remote) {
            // On top of the service's record, a later change would replace what others have made of the same field:
            //
            //     this client:  a = 9 is sent and b = 5 waits, both based on version 1
            //     other client: b = 1, version 2
            //     answer:       conflict with version 2
            rebase(onto: below)
            leaveForgottenVersion(for: remote.version, at: remote.lastChangedAt)
            shelve(remote, .conflict, generation: generation)
        } else if let remote {
            if remote.isDeleted, entries.first?.operation == .update {
                addDeadLetters(from: 0, errorType: errorType, message: message, remote: nil, at: time)
            }
            goOn(from: remote, generation)
        } else if let below {
            if entries.isEmpty { row = metadata?.isOutside == true ? nil : below } else { rebase(onto: below) }
        }
    }

    /// Whether the changes were made on top of what the service has; a record that was made again can have a version
    /// that is not higher.
    private func isKnown(_ remote: RemoteRecord) -> Bool {
        metadata.map { $0.version == remote.version && $0.lastChangedAt == remote.lastChangedAt } ?? true
    }

    mutating func settleRetried(
        _ index: Int, _ remote: RemoteRecord, _ wanted: [Value]?, _ generation: Int64
    ) {
        let isCreation = entries[index].operation == .create
        let wanted = wanted ?? (isCreation ? filled(entries.after(index, row, of: entity), from: remote.row) : nil)
        entries[index].payload = nil
        entries[index].attempts += 1
        entries[index].notBefore = nil
        if let wanted {
            var later = self
            later.entries.removeSubrange(...index)
            later.rebase(onto: wanted)
            let changed = entity.fields.indices.filter { position in
                !readOnlyColumns.contains(position)
                    && remote.row.map { !entity.fields[position].type.meansTheSame($0[position], wanted[position]) }
                        ?? true
            }.joined(with: jointColumns)
            var entry = entries[index]
            entry.operation = .update
            entry.changedFields = changed.map { entity.fields[$0].name }
            entry.before = remote.row.map { FieldValues.text($0, changed, of: entity) } ?? FieldValues.noRecord
            entries = [entry] + later.entries
            row = later.row
        } else {
            rebase(onto: remote.row)
        }
        advance(to: remote, generation: generation)
    }

    /// A record that was to be created, with what the service has where it has no value: a creation sends no nulls.
    private func filled(_ row: [Value]?, from remote: [Value]?) -> [Value]? {
        guard let row, let remote else { return row }
        return row.indices.map { position in
            // A key of several columns is not made of two.
            let isPartOfKey = jointColumns.contains { $0.contains(position) && $0.contains { !row[$0].isNull } }
            return row[position].isNull && !isPartOfKey ? remote[position] : row[position]
        }
    }
}

extension ShelfItem {
    /// Whether it is a record that was made again after the service had forgotten one.
    ///
    /// What waits is of the forgotten record otherwise: it has a higher version, or came before the newest full sync.
    fileprivate func isLife(after tombstone: RemoteRecord, _ generation: Int64) -> Bool {
        version <= max(tombstone.version, 1) && lastChangedAt > tombstone.lastChangedAt && self.generation == generation
    }
}

extension [OutboxEntry] {
    /// The record right after one of the entries.
    package func after(_ index: Int, _ row: [Value]?, of entity: EntitySchema) -> [Value]? {
        var row = row
        for entry in self[(index + 1)...].reversed() { row = entry.undone(row, of: entity) ?? row }
        return row
    }
}
