import HoldfastAdapterKit
public import HoldfastStorage

/// A store that lives as long as its adapter: for tests, previews, and data that is not kept.
///
/// Queries, indexes, preconditions, and errors work as in a persistent store. Snapshots cost O(1) and never hold up a
/// commit; a commit costs O(log n) per row and index; nothing is written anywhere. Open it once; after ``close()``,
/// or when the adapter and its snapshots are gone, the data is gone.
///
/// Small requests run on the caller's thread in microseconds. Long ones (commits of many rows, sorting, reads that
/// skip many records) continue off the caller's executor.
///
/// ```swift
/// let store = try await Store.open(InMemoryAdapter(), schema: schema)
/// ```
public final class InMemoryAdapter: StorageAdapter {
    private let lifecycle = AdapterLifecycle<InMemoryStore>()
    /// The last commits, if a change feed was asked for.
    private let log: ChangeRing?
    private let changeLogCommitCount: Int

    /// Creates an adapter that holds nothing yet.
    ///
    /// - Parameter changeLogCommitCount: How many commits a change feed can look back, at least; 0, the default, for
    ///   no change feed.
    public init(changeLogCommitCount: Int = 0) {
        self.changeLogCommitCount = changeLogCommitCount
        log = changeLogCommitCount > 0 ? ChangeRing(capacity: changeLogCommitCount) : nil
    }

    /// Another adapter, open, with all that is committed here under the same numbers, as a copy of the files of a store
    /// on disk would have it; in O(1).
    ///
    /// - Returns: The other adapter; its change feed begins with its next commit.
    /// - Throws: ``StorageError`` `.closed`; `.misuse` before ``open(_:)``.
    package func copy() async throws(StorageError) -> InMemoryAdapter {
        let state = try lifecycle.store().state()
        let copy = InMemoryAdapter(changeLogCommitCount: changeLogCommitCount)
        try await copy.lifecycle.open {
            InMemoryStore(state, log: copy.log)
        } discard: {
            $0.close()
        }
        return copy
    }

    /// Everything but several processes and backup is native, the change feed if it was asked for; commits survive
    /// nothing.
    public var capabilities: Capabilities {
        var capabilities = Capabilities.inMemory
        if log != nil { capabilities.support[.changeFeed] = .native }
        return capabilities
    }

    /// Opens the store, empty.
    ///
    /// - Throws: ``StorageError`` `.misuse` if it is open already, `.closed` after ``close()``, `.incompatibleStore`
    ///   if the request does not allow it to create a store.
    public func open(_ request: OpenRequest) async throws(StorageError) {
        try await lifecycle.open { () throws(StorageError) in
            guard request.createsStore else { throw OpenRequest.missingStore }
            return InMemoryStore(InMemoryState(request.schema), log: log)
        } discard: {
            $0.close()
        }
    }

    /// A view of everything committed so far, in O(1).
    ///
    /// - Throws: ``StorageError`` `.closed`; `.misuse` before ``open(_:)``.
    public func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        try InMemorySnapshot(of: lifecycle.store())
    }

    /// Reads records as last committed, on the caller's thread.
    ///
    /// - Throws: ``StorageError`` `.closed`; `.misuse` before ``open(_:)``.
    /// - Complexity: O(k log n) for k keys.
    public func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try lifecycle.store().state().get(request, into: &rows)
    }

    /// Checks and applies a change as a whole.
    ///
    /// `.unchanged` is exact for puts and for deletes of single records, but after `clear`, or once more than
    /// 1,024 and more than there are records were deleted, it refuses for every range of the entity that was read
    /// before.
    ///
    /// - Throws: ``StorageError`` `.preconditionFailed`, `.uniqueViolation`, `.cancelled`, `.closed`; `.misuse`
    ///   before ``open(_:)``. Nothing was changed then.
    /// - Complexity: O(log n) per row and index; `.unchanged` O(records of the range) if the entity changed at all.
    public func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try await lifecycle.store().commit(request)
    }

    /// Checks that every index agrees with its records.
    ///
    /// - Returns: One sentence per damaged index; always empty unless there is a defect in Holdfast.
    /// - Throws: ``StorageError`` `.closed`; `.misuse` before ``open(_:)``.
    /// - Complexity: O(n log n) for n records.
    @concurrent
    public func verify() async throws(StorageError) -> [String] { try lifecycle.store().state().verify() }

    /// Starts a change feed, if the adapter was created with a log.
    ///
    /// - Throws: ``StorageError`` `.unsupported` without a log; `.closed`; `.misuse` before ``open(_:)``.
    public func changes(after sequence: UInt64?) async throws(StorageError) -> any ChangeFeed {
        try lifecycle.store().changes(after: sequence)
    }

    /// Closes the store and its snapshots and frees its data; idempotent.
    @concurrent
    public func close() async throws(StorageError) { await lifecycle.close { $0.close() } }
}
