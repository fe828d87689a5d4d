import HoldfastConformance
package import HoldfastStorage

/// The reference as a store: right by definition, slow, with unique indexes.
///
/// Keeps its content when closed, so that it can be opened again.
package final class ReferenceAdapter: StorageAdapter {
    /// Everything by default but unique indexes.
    package let capabilities: Capabilities
    private let state = Mutex<State>(State())

    private struct State: Sendable {
        var reference: ReferenceStore?
        var isOpen = false
    }

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - durability: What it claims.
    ///   - limits: What it claims; checked by ``Store`` alone.
    package init(durability: Durability = .none, limits: Capabilities.Limits = Capabilities.Limits()) {
        capabilities = Capabilities(
            adapterName: "model", support: [.uniqueIndexes: .native], durability: durability, limits: limits)
    }

    /// Opens the store with the content it had.
    package func open(_ request: OpenRequest) async throws(StorageError) {
        try state.withLock { state throws(StorageError) in
            if state.isOpen { throw StorageError(.misuse, "The store is open already.") }
            if state.reference == nil && !request.createsStore { throw OpenRequest.missingStore }
            let reference = state.reference ?? ReferenceStore(schema: request.schema)
            let change = SchemaChange(from: reference.schema, to: request.schema)
            guard change.differences.isEmpty else {
                throw StorageError(.schemaMismatch, "\(change.differences.map(\.description))")
            }
            state = State(reference: reference, isOpen: true)
        }
    }

    /// A copy of the reference.
    package func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        ReferenceSnapshot(reference: try content(), adapter: self, isClosed: Flag())
    }

    /// Commits to the reference.
    @concurrent package func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try state.withLock { state throws(StorageError) in
            guard state.isOpen, var reference = state.reference else { throw Self.closed }
            let receipt = try reference.commit(request)
            state.reference = reference
            return receipt
        }
    }

    /// Closes the store and keeps its content.
    package func close() async throws(StorageError) { state.withLock { $0.isOpen = false } }

    fileprivate func content() throws(StorageError) -> ReferenceStore {
        let state = state.withLock { $0 }
        guard state.isOpen, let reference = state.reference else { throw Self.closed }
        return reference
    }

    fileprivate static let closed = StorageError(.closed, "The store is closed.")
}

/// A boolean that several copies of a snapshot share.
private final class Flag: Sendable {
    let isSet = Mutex(false)
}

private struct ReferenceSnapshot: AdapterSnapshot {
    let reference: ReferenceStore
    let adapter: ReferenceAdapter
    let isClosed: Flag

    var sequence: UInt64 { reference.sequence }

    fileprivate func checkOpen() throws(StorageError) {
        _ = try adapter.content()
        if isClosed.isSet.withLock({ $0 }) { throw ReferenceAdapter.closed }
    }

    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try checkOpen()
        rows.reset(columnCount: try reference.schema.entity(named: request.entity).fields.count)
        for key in request.keys {
            if let record = reference.record(request.entity, key) {
                rows.append(record.row, version: record.version)
            } else {
                rows.appendAbsentRow()
            }
        }
    }

    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan {
        try checkOpen()
        let entity = try reference.schema.entity(named: range.entity)
        let rows = RowsScan(
            rows: reference.records(in: range).map { StoredRow($0.row, version: $0.version) },
            columnCount: entity.fields.count)
        return ReferenceScan(rows: rows, snapshot: self)
    }

    @concurrent func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
        try checkOpen()
        let rows = RowsScan(
            rows: reference.query(query).map { StoredRow($0.row, version: $0.version) },
            columnCount: query.projection.count)
        return ReferenceScan(rows: rows, snapshot: self)
    }

    @concurrent func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        try checkOpen()
        return try reference.aggregate(aggregate)
    }

    func close() async { isClosed.isSet.withLock { $0 = true } }
}

/// Rows of a snapshot, until it is closed.
private struct ReferenceScan: AdapterScan {
    var rows: RowsScan
    let snapshot: ReferenceSnapshot

    mutating func next(maximumRowCount: Int, into output: inout RowBuffer) async throws(StorageError) {
        try snapshot.checkOpen()
        try await rows.next(maximumRowCount: maximumRowCount, into: &output)
    }

    mutating func close() async { await rows.close() }
}
