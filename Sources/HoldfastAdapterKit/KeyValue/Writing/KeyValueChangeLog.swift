package import HoldfastStorage

/// The last commits of a store, among its own keys: what change feeds read.
///
/// One entry for each commit, written in the commit's batch, which also deletes the one that is too old.
package struct KeyValueChangeLog: Sendable {
    private let schema: StorageSchema
    private let commitCount: UInt64

    /// The prefix of the keys, which is followed by the sequence: 8 bytes, big endian.
    private static let prefix = KeyValueCatalog.prefix(of: 0) + [3]
    /// The maximum number of commits delivered at a time.
    private static let batchCount = 256

    /// - Parameters:
    ///   - schema: What the store holds.
    ///   - commitCount: How many commits are kept; more than 0.
    init(_ schema: StorageSchema, commitCount: Int) {
        self.schema = schema
        self.commitCount = UInt64(commitCount)
    }

    private static func key(_ sequence: UInt64) -> [UInt8] {
        prefix + withUnsafeBytes(of: sequence.bigEndian) { Array($0) }
    }

    /// Adds a commit to its batch.
    func append(_ request: CommitRequest, _ sequence: UInt64, to batch: inout KeyValueBatch) throws(StorageError) {
        let change = try CommittedChange(of: request, sequence: sequence, in: schema)
        batch.put(Self.key(sequence), ChangeCodec.encode(change))
        if sequence > commitCount { batch.delete(Self.key(sequence - commitCount)) }
    }

    /// Deletes what is too old, where more commits were kept before.
    func trim(_ engine: any KeyValueEngine, last: UInt64) throws(StorageError) {
        if last <= commitCount { return }
        var batch = KeyValueBatch()
        try Self.forget(through: last - commitCount, engine, &batch)
        if !batch.isEmpty { try engine.write(batch, isSynced: false) }
    }

    /// Has a batch delete the commits up to a sequence; all of them by default.
    package static func forget(
        through sequence: UInt64 = .max, _ reader: any KeyValueReader, _ batch: inout KeyValueBatch
    ) throws(StorageError) {
        try reader.scan(ByteRange(from: prefix, to: key(sequence) + [0]), isReversed: false) { (key, _) in
            batch.delete(key)
            return true
        }
    }

    /// What a feed delivers after a sequence.
    ///
    /// - Parameters:
    ///   - sequence: The sequence that the feed has reached.
    ///   - last: The last commit that was acknowledged; later ones may be in the database already.
    ///   - reader: Reads the database.
    /// - Returns: At most 256 commits, or a gap if some are no longer kept; `nil` if there is nothing to deliver.
    /// - Throws: ``/HoldfastStorage/StorageError`` if the database cannot be read or an entry cannot be decoded.
    func element(
        after sequence: UInt64, last: UInt64, _ reader: any KeyValueReader
    ) throws(StorageError) -> ChangeFeedElement? {
        if sequence >= last { return nil }
        var commits: [CommittedChange] = []
        let range = ByteRange(from: Self.key(sequence + 1), to: Self.key(last) + [0])
        try reader.scan(range, isReversed: false) { (key, value) throws(StorageError) in
            var reader = KeyValueCellReader(UnsafeRawBufferPointer(rebasing: key[Self.prefix.count...]))
            let number = UInt64(bigEndian: try reader.fixed().littleEndian)
            commits.append(try ChangeCodec.decode(Array(value), sequence: number))
            return commits.count < Self.batchCount
        }
        return .fromLog(commits, after: sequence, last: last)
    }
}
