/// What the store keeps about the synchronization of a model.
struct StoredState: Sendable, Hashable {
    /// The watermark: the service's label of the last complete query.
    ///
    /// An opaque number.
    var lastSync: Int64?
    /// The sync expression under which the model was read.
    var expression: String?
    /// The shape under which it was read.
    var shape: String?
    /// For whom it was read, as ``SyncPlan/identity``.
    var identity: String?
    /// When it was last read in full, by the device's clock in milliseconds; with an unfinished full sync when that
    /// began.
    var fullSyncAt: Int64?
    /// The number of the newest full sync, also of one of which no page is stored.
    ///
    /// Records that it did not see have a lower one.
    var generation: Int64 = 0
    /// Whether records may be missing: the last full sync stopped at the limit of records, or came with errors.
    var isTruncated = false
    /// Whether pages since the last full sync began came with errors or unreadable records, so that they are read again
    /// soon.
    var hasErrors = false
    /// Where an unfinished query continues.
    var resume: Resume?
}

/// Where an unfinished query continues.
struct Resume: Sendable, Hashable {
    /// What is left to do.
    enum Kind: String, Sendable, Hashable {
        /// The next page of a base query.
        case base
        /// The next page of a base query that has no limit of records.
        case whole
        /// The next page of a delta query.
        case delta
        /// All pages of a base query are stored; what it did not see is not yet removed.
        case sweep
    }

    /// What is left to do.
    var kind: Kind
    /// The service's token of the next page; `nil` for ``Kind/sweep``.
    var token: String?
    /// The service's label of the first page, which becomes the watermark.
    var label: Int64?
    /// How many records the stored pages had.
    var count = 0
}
