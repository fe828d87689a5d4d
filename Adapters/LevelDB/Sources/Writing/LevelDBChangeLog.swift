#if LevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// The last commits of a store, among its own keys: what change feeds read.
///
/// One entry for each commit, written in the commit's batch, which also deletes the one that is too old.
struct LevelDBChangeLog: Sendable {
    private let schema: StorageSchema
    private let commitCount: UInt64

    /// With what the keys begin; behind it comes the sequence, 8 bytes, big endian.
    private static let prefix = LevelDBCatalog.prefix(of: 0) + [3]
    /// The commits told at a time, at most.
    private static let newsCount = 256

    /// - Parameter commitCount: How many commits are kept; more than 0.
    init(_ schema: StorageSchema, commitCount: Int) {
        self.schema = schema
        self.commitCount = UInt64(commitCount)
    }

    private static func key(_ sequence: UInt64) -> [UInt8] {
        prefix + withUnsafeBytes(of: sequence.bigEndian) { Array($0) }
    }

    /// Adds a commit to its batch.
    func append(_ request: CommitRequest, _ sequence: UInt64, to batch: LevelDBBatch) throws(StorageError) {
        let change = try CommittedChange(of: request, sequence: sequence, in: schema)
        batch.put(Self.key(sequence), ChangeCodec.encode(change))
        if sequence > commitCount { batch.delete(Self.key(sequence - commitCount)) }
    }

    /// Deletes what is too old, where more commits were kept before.
    func trim(_ writer: LevelDBWriter, last: UInt64) throws(StorageError) {
        if last <= commitCount { return }
        let batch = LevelDBBatch()
        try Self.forget(through: last - commitCount, writer.handle, batch)
        try writer.flush(batch, over: 0)
    }

    /// Has a batch delete the commits up to a sequence; all of them by default.
    static func forget(
        through sequence: UInt64 = .max, _ handle: LevelDBConnection, _ batch: LevelDBBatch
    ) throws(StorageError) {
        let end = key(sequence) + [0]
        let place = handle.iterator(LevelDBReadOptions(fillsCache: false))
        place.seek(prefix)
        while place.isValid && place.key.precedes(end) {
            batch.delete(place.key)
            place.next()
        }
        try place.check()
    }

    /// What a feed at a place is told next.
    ///
    /// - Parameter last: The last commit that was acknowledged; later ones may be in the database already.
    func news(after sequence: UInt64, last: UInt64, _ handle: LevelDBConnection) throws(StorageError)
        -> ChangeFeedElement?
    {
        if sequence >= last { return nil }
        var commits: [CommittedChange] = []
        let end = Self.key(last) + [0]
        let place = handle.iterator(.latest)
        place.seek(Self.key(sequence + 1))
        while place.isValid && place.key.precedes(end) && commits.count < Self.newsCount {
            var reader = LevelDBCellReader(UnsafeRawBufferPointer(rebasing: place.key[Self.prefix.count...]))
            let number = UInt64(bigEndian: try reader.fixed().littleEndian)
            commits.append(try ChangeCodec.decode(Array(place.value), sequence: number))
            place.next()
        }
        try place.check()
        return .fromLog(commits, after: sequence, last: last)
    }
}
#endif
