/// What commits did, delivered in commit order to one task.
///
/// Every commit after the place where the feed began is delivered exactly once, no matter who made it: this handle,
/// another, or another process. Commits without operations and commits that failed are not delivered.
///
/// ```swift
/// var keys: [RecordKey] = []
/// var feed = try await store.changes()
/// _ = try await store.commit(request)
/// switch try await feed.next() {
/// case .commits(let commits): keys = commits.flatMap(\.records).map(\.key)
/// case .gap, nil: break  // read again what matters
/// }
/// await feed.close()
/// ```
public protocol ChangeFeed: Sendable {
    /// Waits until there is something to deliver.
    ///
    /// - Returns: One commit or more in commit order, or that some were forgotten; `nil` once the store is closed.
    /// - Throws: ``StorageError`` `.cancelled` if the task is cancelled while it waits, which ends the feed;
    ///   `.connectionLost`, `.io`, after which the feed continues where it was.
    mutating func next() async throws(StorageError) -> ChangeFeedElement?

    /// Delivers what ``next()`` delivers, perhaps without the records of commits that the reader knows.
    ///
    /// A `DataStore` reads a feed for the commits of others, and does not need its own once more. An adapter that does
    /// not implement this delivers them whole.
    ///
    /// - Parameter isKnown: Whether the reader knows the commit of a sequence; called from any thread.
    /// - Returns: As ``next()``. A commit that is known is delivered, too; its records and entities may be missing.
    /// - Throws: As ``next()``.
    mutating func next(
        withoutRecordsOf isKnown: @escaping @Sendable (_ sequence: UInt64) -> Bool
    ) async throws(StorageError) -> ChangeFeedElement?

    /// Ends the feed; idempotent.
    mutating func close() async
}

extension ChangeFeed {
    /// Delivers what ``next()`` delivers.
    public mutating func next(
        withoutRecordsOf isKnown: @escaping @Sendable (_ sequence: UInt64) -> Bool
    ) async throws(StorageError) -> ChangeFeedElement? { try await next() }
}

/// What a change feed delivers.
public enum ChangeFeedElement: Sendable, Hashable {
    /// Commits, in order.
    case commits([CommittedChange])
    /// The commits after the last one delivered, up to this sequence, are no longer known: read again what matters.
    case gap(through: UInt64)
}

/// What one commit did to the records of a store.
public struct CommittedChange: Sendable, Hashable {
    /// What became of a record.
    public enum Effect: Sendable, Hashable {
        /// Created: there was no such record before the commit.
        case created
        /// Replaced: there was such a record before the commit.
        case replaced
        /// Created or replaced; the request left it open, and the adapter does not know.
        ///
        /// An adapter that cannot distinguish the two reports this for every record that was put.
        case put
        /// Deleted, or found missing when it should have been deleted.
        case deleted

        /// Whether the record is there by the end of the commit.
        public var isPut: Bool { self != .deleted }
    }

    /// A record and what became of it.
    public struct Record: Sendable, Hashable {
        /// The entity.
        public var entity: String
        /// The record's key.
        public var key: RecordKey
        /// What became of it, by the end of the commit.
        public var effect: Effect

        /// Creates a record's change.
        public init(_ entity: String, _ key: RecordKey, _ effect: Effect) {
            self.entity = entity
            self.key = key
            self.effect = effect
        }
    }

    /// The commit's sequence.
    public var sequence: UInt64
    /// The records that changed, each once, in no particular order.
    public var records: [Record]
    /// Entities of which any record may have changed: cleared, or changed in more records than the log keeps.
    ///
    /// Records of these are not listed.
    public var wholeEntities: [String]

    /// Creates a change; no whole entities by default.
    public init(sequence: UInt64, records: [Record], wholeEntities: [String] = []) {
        self.sequence = sequence
        self.records = records
        self.wholeEntities = wholeEntities
    }
}
