/// What must hold for a commit to be applied; checked in the commit itself, against everything committed before it.
///
/// ```swift
/// var rows = RowBuffer()
/// try await store.get([RecordKey("b1")], of: "Book", into: &rows)
/// let isAsRead = Precondition.version(entity: "Book", key: RecordKey("b1"), rows.versions[0])
/// rows.set(.integer(640), row: 0, column: 2)
/// let put = WriteOperation.put(entity: "Book", rows: rows, mode: .update)
/// _ = try await store.commit(CommitRequest(preconditions: [isAsRead], operations: [put]))
/// ```
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
    ///
    /// With a ``KeyRange/indexPrefix`` it is about the records that have some values in an index, or had them at this
    /// sequence: none was written, deleted, or given other values, and none was given these. What a cascade or a
    /// relation has read is still so then.
    ///
    /// ```swift
    /// let books = IndexPrefix("byPages", [.integer(635)], keys: [RecordKey("b1")])
    /// let areAsRead = Precondition.unchanged(KeyRange("Book", under: books), since: snapshot.sequence)
    /// ```
    case unchanged(KeyRange, since: UInt64)

    /// The entity that it is about.
    package var entity: String {
        switch self {
        case .absent(let entity, _), .present(let entity, _), .version(let entity, _, _): entity
        case .unchanged(let range, _): range.entity
        }
    }
}
