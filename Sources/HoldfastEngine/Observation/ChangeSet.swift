import HoldfastModel
import HoldfastStorage

/// The changes of one entity by one commit.
struct ChangeSet: Sendable {
    var sequence: UInt64
    var entity: EntitySchema
    var kinds: [ChangeKind]
    /// The changed records; for a deletion as they were.
    var rows: RowBuffer
    /// All records that the same commit deleted, by entity: where an eager model finds a parent that is gone too.
    var deletedTogether: [String: [RowBuffer]] = [:]
    /// The related records that the observer's models hold themselves, once they were looked up.
    var parents: ParentRows?
    /// Whether each record matches the observer's condition, if that took a look at related records.
    var matches: [Bool]?
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
