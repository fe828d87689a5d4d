/// One step of a commit.
public enum WriteOperation: Sendable {
    /// What a put demands of the records it writes.
    public enum PutMode: Sendable, Hashable {
        /// Creates or replaces.
        case upsert
        /// Creates; an existing record fails the commit with ``StorageError/Kind/preconditionFailed``.
        case insert
        /// Replaces; a missing record fails the commit with ``StorageError/Kind/preconditionFailed``.
        case update
    }

    /// Writes whole records: every cell of each row, in the order of the entity's fields.
    ///
    /// A replaced record is changed in place, never deleted and created. Rows with one key are applied in order.
    case put(entity: String, rows: RowBuffer, mode: PutMode)
    /// Deletes records; one that does not exist is skipped and not counted.
    case delete(entity: String, keys: [RecordKey])
    /// Deletes every record of an entity.
    case clear(entity: String)

    /// The entity written to.
    public var entity: String {
        switch self {
        case .put(let entity, _, _), .delete(let entity, _), .clear(let entity): entity
        }
    }
}
