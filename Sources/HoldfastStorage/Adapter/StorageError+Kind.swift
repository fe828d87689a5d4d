extension StorageError.Kind {
    /// The request breaks the contract; a bug in the caller.
    public static let misuse = Self(rawValue: "storage.misuse")
    /// An entity, field or index is not what the open schema says, or the stored schema cannot become the new one.
    public static let schemaMismatch = Self(rawValue: "storage.schema-mismatch")
    /// The file or database is not a Holdfast store, a newer version wrote it, or it is an unfinished copy.
    ///
    /// For a copy also a target that holds something else. It was left untouched.
    public static let incompatibleStore = Self(rawValue: "storage.incompatible-store")
    /// A value cannot be stored in its field.
    public static let unrepresentable = Self(rawValue: "storage.unrepresentable")
    /// A declared limit of the adapter is exceeded.
    public static let limitExceeded = Self(rawValue: "storage.limit-exceeded")
    /// A precondition of the commit does not hold, a record to insert exists, or a record to update does not.
    public static let preconditionFailed = Self(rawValue: "storage.precondition-failed")
    /// A unique index already has a record with these values.
    public static let uniqueViolation = Self(rawValue: "storage.unique-violation")
    /// Concurrent work made this commit impossible; re-read and try again.
    public static let conflict = Self(rawValue: "storage.conflict")
    /// Others held the store, or what is needed to reach it, for longer than the wait allowed.
    ///
    /// For instance a write, too many open snapshots, or the sessions of a pool. Also a statement that took too long,
    /// and a schema that was changed meanwhile.
    public static let busy = Self(rawValue: "storage.busy")
    /// Another process or handle owns the store exclusively.
    public static let locked = Self(rawValue: "storage.locked")
    /// No space is left.
    public static let full = Self(rawValue: "storage.full")
    /// The store can be read but not written.
    public static let readOnly = Self(rawValue: "storage.read-only")
    /// The operating system or device refused an operation.
    public static let io = Self(rawValue: "storage.io")
    /// Stored data is damaged.
    public static let corruption = Self(rawValue: "storage.corruption")
    /// The store, snapshot or scan was closed.
    public static let closed = Self(rawValue: "storage.closed")
    /// The adapter declares that it cannot do this.
    public static let unsupported = Self(rawValue: "storage.unsupported")
    /// The task was cancelled.
    public static let cancelled = Self(rawValue: "storage.cancelled")
    /// The connection to the database was lost.
    public static let connectionLost = Self(rawValue: "storage.connection-lost")
    /// An observer cannot be given some changes one by one; query again what matters, then continue observing.
    public static let changesMissed = Self(rawValue: "storage.changes-missed")

    /// Every kind, in the order of `docs/errors.md`.
    public static let allCases: [Self] = [
        .misuse, .schemaMismatch, .incompatibleStore, .unrepresentable, .limitExceeded, .preconditionFailed,
        .uniqueViolation, .conflict, .busy, .locked, .full, .readOnly, .io, .corruption, .closed, .unsupported,
        .cancelled, .connectionLost, .changesMissed,
    ]

    /// The advice that goes with the kind unless an error says otherwise.
    var usualRetry: StorageError.Retry {
        switch self {
        case .conflict, .preconditionFailed, .changesMissed: .immediately
        case .busy, .locked, .full, .connectionLost: .afterBackoff
        default: .never
        }
    }
}
