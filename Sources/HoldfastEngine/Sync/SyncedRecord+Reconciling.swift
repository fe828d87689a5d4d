import HoldfastStorage

extension SyncedRecord {
    /// What became of a service's record.
    package enum Verdict: Sendable, Hashable {
        /// It says nothing new.
        case dropped
        /// The record is as the service has it.
        case applied
        /// Local changes of other fields are on top of it.
        case rebased
        /// It waits.
        case shelved
        /// It was applied, and local changes were given up.
        case buried
    }

    /// Milliseconds by which services' clocks may differ among themselves.
    private static let clockTolerance: Int64 = 60_000

    /// Merges what a service says with the record: a pure function, whose result does not depend on the order in which
    /// several versions of one record arrive.
    ///
    /// - Parameters:
    ///   - incoming: What the service says.
    ///   - generation: The number of the model's newest full sync.
    ///   - rebases: Whether local changes of other fields are applied on top.
    ///   - time: The present, in microseconds since 1970-01-01T00:00Z.
    /// - Returns: What became of the service's record.
    package mutating func reconcile(
        _ incoming: RemoteRecord, generation: Int64 = 0, rebases: Bool = true, at time: Int64 = 0
    ) -> Verdict {
        let verdict = isNews(incoming, generation) ? judge(incoming, generation, rebases, time) : .dropped
        if verdict == .shelved {
            // The stored record may have been deleted and created again at the service. With the number of the full
            // sync, later versions of the record that was created again would look old.
            seeShelf(generation)
        } else {
            see(generation)
        }
        if verdict != .shelved && verdict != .dropped { judgeShelf(rebases, time) }
        return verdict
    }

    /// Notes that a full sync has seen the record, or the sweep would take it away.
    mutating func see(_ generation: Int64) {
        if let seen = metadata?.generation, seen < generation { metadata?.generation = generation }
        seeShelf(generation)
    }

    private mutating func seeShelf(_ generation: Int64) {
        if let seen = shelf?.generation, seen < generation { shelf?.generation = generation }
    }

    /// Judges again what waits, if it may be judged now.
    mutating func judgeShelf(_ rebases: Bool = true, _ time: Int64 = 0) {
        guard let item = shelf, item.reason != .notStorable, !isInFlight else { return }
        let waiting = RemoteRecord(
            key: key, row: item.item.map { FieldValues.row($0, of: entity) }, version: item.version,
            lastChangedAt: item.lastChangedAt, isInScope: !item.isOutside)
        shelf = nil
        // What waits at the version of the record came with a full sync, and may have more than the record.
        let isNews = waiting.version == metadata?.version || isNews(waiting, item.generation)
        if isNews { _ = judge(waiting, item.generation, rebases, time) }
    }

    /// Merges what is news.
    private mutating func judge(
        _ incoming: RemoteRecord, _ generation: Int64, _ rebases: Bool, _ time: Int64
    ) -> Verdict {
        if isInFlight {
            shelve(incoming, .inFlight, generation: generation)
            return .shelved
        }
        guard let first = entries.first, let last = entries.last else {
            accept(incoming, generation: generation)
            return .applied
        }
        if first.operation == .create {
            shelve(incoming, .conflict, generation: generation)
            return .shelved
        }
        if incoming.isDeleted {
            if last.operation == .delete {
                entries = []
            } else if first.operation == .delete {
                // The service has done the deletion; the record that was saved after it stays.
                entries.removeFirst()
                dropIdleDeletions()
                advance(to: incoming, generation: generation)
                return .rebased
            } else if metadata?.isDeleted == true, incoming.version == metadata?.version, base == .some(nil) {
                // A full sync shows the deleted record again, over which the changes were made.
                advance(to: incoming, generation: generation)
                return .rebased
            } else {
                addDeadLetters(
                    from: 0, errorType: "ConflictUnhandled", message: "The service has deleted the record.",
                    remote: nil, at: time)
                accept(incoming, generation: generation)
                return .buried
            }
            accept(incoming, generation: generation)
            return .applied
        }
        // What the changes were made on is not known after a migration.
        let isBase = base == nil && incoming.version == metadata?.version
        guard let remote = incoming.row,
            isBase || first.operation == .update && last.operation == .update && rebases && !overlaps(with: remote)
        else {
            shelve(incoming, .conflict, generation: generation)
            return .shelved
        }
        rebase(onto: remote)
        advance(to: incoming, generation: generation)
        return .rebased
    }

    /// Whether what a service says is newer than what the record holds of it.
    private func isNews(_ incoming: RemoteRecord, _ generation: Int64) -> Bool {
        guard let metadata else { return true }
        // What came before the service made the record again may arrive once more.
        if metadata.version == 0, incoming.lastChangedAt <= metadata.lastChangedAt { return false }
        if incoming.version > metadata.version {
            // A higher version from long before belongs to an earlier life of the record.
            let (earliest, overflow) = metadata.lastChangedAt.subtractingReportingOverflow(Self.clockTolerance)
            return overflow || incoming.lastChangedAt >= earliest
        }
        // Versions begin again when the service has forgotten the deleted record. A device that was away since
        // before the deletion learns of both in a full sync, where the record may be deleted once more.
        let beginsAgain =
            (metadata.isDeleted ? !incoming.isDeleted : generation > metadata.generation)
            && incoming.lastChangedAt > metadata.lastChangedAt
        if incoming.version == metadata.version {
            if generation > metadata.generation || beginsAgain { return true }
            // A query has all values, an event only those for which the sender of the mutation asked.
            if metadata.isFromEvent, !incoming.isEvent, !incoming.isDeleted { return true }
            return row == nil && !metadata.isDeleted && !metadata.isOutside && entries.isEmpty
        }
        return beginsAgain
    }

    /// Whether a field was changed both here and at the service; also `true` if that is not known.
    private func overlaps(with remote: [Value]) -> Bool {
        guard let known = base, let base = known else { return true }
        let changed = Set(entries.flatMap(\.changedFields)).compactMap(entity.position(of:))
        return changed.contains { !entity.fields[$0].type.meansTheSame(base[$0], remote[$0]) }
    }
}
