import HoldfastModel
import HoldfastStorage

/// The changes of one entity by one commit.
struct ChangeSet: Sendable {
    /// How much is known of the changes.
    enum Knowledge: Sendable {
        /// They were committed.
        case certain
        /// The outcome of their commit is unknown: ``rows`` are what it should have written or deleted.
        case mayHaveHappened
        /// Another handle committed them: ``rows`` have the keys alone, and a record that was put counts as updated.
        case keysOnly
        /// Any record of the entity may have changed; ``rows`` is empty.
        case missed
    }

    var sequence: UInt64
    var entity: EntitySchema
    var kinds: [ChangeKind]
    /// The changed records; for a deletion as they were.
    var rows: RowBuffer
    var knowledge = Knowledge.certain
    /// Who made the changes.
    var origin = ChangeOrigin.local
    /// The service's version of each record, where the changes came from it.
    var serviceVersions: [Int64?]?
    /// Whether other records were deleted of which only the key is known.
    var hasUnknownDeletions = false
    /// Whether the records are still stored and only hidden from now on, which counts as their deletion.
    var areHidden = false
    /// Whether observers of single records do not learn of the changes: the records are hidden before and after, another
    /// set has what they see, or only what the service knows of the model has changed.
    var isForLiveQueriesOnly = false
    /// All records that the same commit deleted; `nil` for what still exists, and for observers that need no related
    /// records.
    ///
    /// An eager model finds a parent there that is gone, too.
    var deletedTogether: DeletedRecords?
    /// How many rows are held for ``deletedTogether``, besides those of the sets that have it: 0 for all of these sets
    /// but one.
    var otherDeletedCount = 0
    /// The related records that the observer's models hold themselves, once they were looked up.
    var parents: ParentRows?
    /// What was looked up for ``parents``, if the observer is a live query.
    var held: HeldParents?
    /// Whether each record matches the observer's condition, if that took a look at related records.
    var matches: [Bool]?

    /// Whether the set tells of deletions.
    ///
    /// Deletions have sets of their own.
    var isDeletion: Bool { kinds.first == .deleted }

    /// The rows that are held for the changes.
    ///
    /// A set that says only that any record may have changed counts as one. A busy observer of the outbox gets nothing
    /// else, and would never have them folded otherwise.
    var heldRowCount: Int { (knowledge == .missed ? 1 : kinds.count) + otherDeletedCount }

    /// Whether a live query can take the changes in; it goes by keys, so deletions need no more.
    var tellsEnoughForLiveQuery: Bool {
        knowledge == .certain || knowledge == .keysOnly && kinds.allSatisfy { $0 == .deleted }
    }

    /// The changes of some of the rows, by their numbers in ascending order.
    func changes(of numbers: [Int]) -> ChangeSet {
        var some = self
        some.kinds = numbers.map { kinds[$0] }
        some.rows.keepRows(numbers)
        some.serviceVersions = serviceVersions.map { versions in numbers.map { versions[$0] } }
        return some
    }

    /// The records that exist after the changes and match a predicate.
    func rows(where predicate: BoundPredicate) -> RowBuffer {
        var matching = RowBuffer(columnCount: rows.columnCount)
        for row in kinds.indices where kinds[row] != .deleted && rows.withRow(row, predicate.matches) {
            matching.append(rows[row], version: rows.versions[row])
        }
        return matching
    }

    /// Any record of an entity may have changed.
    static func missed(_ entity: EntitySchema, through sequence: UInt64) -> ChangeSet {
        ChangeSet(
            sequence: sequence, entity: entity, kinds: [], rows: RowBuffer(columnCount: entity.fields.count),
            knowledge: .missed)
    }
}

extension [ChangeSet] {
    /// Sets ``ChangeSet/otherDeletedCount``, so that records that several sets have are counted once.
    mutating func countDeletedTogether() {
        var firsts: [ObjectIdentifier: Int] = [:]
        for index in indices {
            guard let deleted = self[index].deletedTogether else { continue }
            let first = firsts[ObjectIdentifier(deleted), default: index]
            firsts[ObjectIdentifier(deleted)] = first
            self[index].otherDeletedCount = first == index ? deleted.rowCount : 0
            self[first].otherDeletedCount = Swift.max(0, self[first].otherDeletedCount - self[index].kinds.count)
        }
    }
}

/// Who made a change.
public enum ChangeOrigin: Sendable, Hashable {
    /// The application, by this or another handle.
    case local
    /// The service: it sent the change, or refused a local one, which was undone.
    case remote
}

/// What happened to a record.
public enum ChangeKind: Sendable, Hashable {
    /// It is new.
    case created
    /// It was replaced.
    case updated
    /// It is gone.
    case deleted

    /// This change and a later one of the same record as one; `nil` if they cancel out.
    func folding(_ later: ChangeKind) -> ChangeKind? {
        switch (self, later) {
        case (.created, .deleted): nil
        case (.created, _): .created
        case (.deleted, .created): .updated
        case (_, let later): later
        }
    }
}
