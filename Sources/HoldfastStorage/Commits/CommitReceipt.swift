/// What a commit did.
public struct CommitReceipt: Sendable, Hashable {
    /// The commit's place in the store's history, and the new version of every record it put; at least 1.
    ///
    /// A commit that starts after another was acknowledged has a greater sequence. A commit without operations
    /// changes nothing and returns the sequence of the last one, possibly 0.
    public var sequence: UInt64
    /// Rows put, counted as often as they were put.
    public var putCount: Int
    /// Records that existed and were deleted, by delete and clear.
    public var deletedCount: Int

    /// Creates a receipt.
    public init(sequence: UInt64, putCount: Int = 0, deletedCount: Int = 0) {
        self.sequence = sequence
        self.putCount = putCount
        self.deletedCount = deletedCount
    }
}
