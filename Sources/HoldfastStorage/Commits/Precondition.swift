/// What must hold for a commit to be applied; checked in the commit itself, against everything committed before it.
public enum Precondition: Sendable, Hashable {
    /// The record does not exist.
    case absent(entity: String, key: RecordKey)
    /// The record exists.
    case present(entity: String, key: RecordKey)
    /// The record exists and was last written by the commit of this sequence.
    case version(entity: String, key: RecordKey, UInt64)
    /// No record of the range was written or deleted by a commit after this sequence.
    ///
    /// An adapter may answer more coarsely and refuse although nothing in the range changed, never the reverse.
    case unchanged(KeyRange, since: UInt64)
}
