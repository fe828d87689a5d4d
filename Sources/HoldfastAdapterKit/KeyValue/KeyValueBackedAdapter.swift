public import HoldfastStorage

/// An adapter whose work a ``KeyValueAdapter`` does.
///
/// Conforming takes one property; everything that an adapter does is forwarded to it.
public protocol KeyValueBackedAdapter: StorageAdapter {
    /// The engine of the adapter.
    associatedtype Engine: KeyValueEngine

    /// What does the work.
    var base: KeyValueAdapter<Engine> { get }
}

extension KeyValueBackedAdapter {
    /// What the base declares.
    public var capabilities: Capabilities { base.capabilities }

    /// Opens the base.
    public func open(_ request: OpenRequest) async throws(StorageError) { try await base.open(request) }

    /// A snapshot of the base.
    public func snapshot() async throws(StorageError) -> any AdapterSnapshot { try await base.snapshot() }

    /// Commits to the base.
    public func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try await base.commit(request)
    }

    /// Closes the base; idempotent.
    public func close() async throws(StorageError) { try await base.close() }

    /// Reads from the base.
    public func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.get(request, into: &rows)
    }

    /// A change feed of the base.
    public func changes(after sequence: UInt64?) async throws(StorageError) -> any ChangeFeed {
        try await base.changes(after: sequence)
    }

    /// Verifies the base.
    public func verify() async throws(StorageError) -> [String] { try await base.verify() }

    /// Copies the base.
    public func backUp(to destination: String) async throws(StorageError) {
        try await base.backUp(to: destination)
    }
}
