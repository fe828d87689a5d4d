import HoldfastConformance
public import HoldfastStorage

/// An adapter around another that passes everything on, except what is replaced.
public struct HookedAdapter: StorageAdapter {
    /// The adapter inside.
    public let base: any StorageAdapter
    /// Changes every cell of a put, one after the other.
    public var written: (@Sendable (Value) -> Value)?
    /// Changes every cell that get, scan and query deliver.
    public var read: (@Sendable (Value) -> Value)?
    /// Changes the declaration.
    public var declaration: (@Sendable (Capabilities) -> Capabilities)?
    /// Replaces opening.
    public var opening: (@Sendable (OpenRequest, any StorageAdapter) async throws(StorageError) -> Void)?
    /// Replaces a commit.
    public var committing: (@Sendable (CommitRequest, any StorageAdapter) async throws(StorageError) -> CommitReceipt)?
    /// Replaces the taking of a snapshot.
    public var snapshotting: (@Sendable (any StorageAdapter) async throws(StorageError) -> any AdapterSnapshot)?
    /// Replaces a read by key.
    public var getting: (@Sendable (GetRequest, any AdapterSnapshot) async throws(StorageError) -> RowBuffer)?
    /// Replaces reads of several entities at once.
    public var gettingAtOnce: (@Sendable ([GetRequest], any StorageAdapter) async throws(StorageError) -> [RowBuffer])?
    /// Replaces a scan.
    public var scanning: (@Sendable (KeyRange, any AdapterSnapshot) async throws(StorageError) -> any AdapterScan)?
    /// Replaces a query; scans, too, unless ``scanning`` is set.
    public var querying: (@Sendable (BoundQuery, any AdapterSnapshot) async throws(StorageError) -> any AdapterScan)?
    /// Replaces a page.
    public var paging: (@Sendable (BoundQuery, any StorageAdapter) async throws(StorageError) -> RowBuffer)?
    /// Replaces a scan by version.
    public var scanningVersions:
        (@Sendable (BoundVersionRange, any AdapterSnapshot) async throws(StorageError) -> any AdapterScan)?
    /// Replaces aggregates.
    public var aggregating: (@Sendable (BoundAggregate, any AdapterSnapshot) async throws(StorageError) -> [Value])?
    /// Replaces the start of a change feed.
    public var feeding: (@Sendable (UInt64?, any StorageAdapter) async throws(StorageError) -> any ChangeFeed)?
    /// Replaces the check of the store.
    public var verifying: (@Sendable (any StorageAdapter) async throws(StorageError) -> [String])?
    /// Replaces the copying of the store.
    public var backingUp: (@Sendable (String, any StorageAdapter) async throws(StorageError) -> Void)?
    /// Replaces closing.
    public var closing: (@Sendable (any StorageAdapter) async throws(StorageError) -> Void)?

    /// Wraps an adapter.
    ///
    /// - Parameters:
    ///   - base: The adapter inside.
    ///   - replace: Sets the replacements.
    public init(_ base: any StorageAdapter, _ replace: (inout HookedAdapter) -> Void = { _ in }) {
        self.base = base
        replace(&self)
    }

    /// The declaration of the adapter inside, changed if asked.
    public var capabilities: Capabilities { declaration?(base.capabilities) ?? base.capabilities }

    /// Opens.
    public func open(_ request: OpenRequest) async throws(StorageError) {
        if let opening { try await opening(request, base) } else { try await base.open(request) }
    }

    /// Takes a snapshot.
    public func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        let inside: any AdapterSnapshot
        if let snapshotting { inside = try await snapshotting(base) } else { inside = try await base.snapshot() }
        return HookedSnapshot(base: inside, hooks: self)
    }

    /// Commits.
    public func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        var request = request
        if let written {
            request.operations = request.operations.map { operation in
                guard case .put(let entity, var rows, let mode) = operation else { return operation }
                rows.mapCells(written)
                return .put(entity: entity, rows: rows, mode: mode)
            }
        }
        guard let committing else { return try await base.commit(request) }
        return try await committing(request, base)
    }

    /// Closes.
    public func close() async throws(StorageError) {
        if let closing { try await closing(base) } else { try await base.close() }
    }

    /// Reads through a snapshot if reads are changed.
    public func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        guard read != nil || getting != nil || snapshotting != nil else {
            return try await base.get(request, into: &rows)
        }
        let snapshot = try await snapshot()
        try await snapshot.get(request, into: &rows)
        await snapshot.close()
    }

    /// Reads one by one if reads are changed.
    public func get(_ requests: [GetRequest]) async throws(StorageError) -> [RowBuffer] {
        if let gettingAtOnce { return try await gettingAtOnce(requests, base) }
        if read == nil, getting == nil, snapshotting == nil { return try await base.get(requests) }
        return try await requests.answers { (request, rows) async throws(StorageError) in
            try await get(request, into: &rows)
        }
    }

    /// Reads through a snapshot if queries are changed.
    public func page(_ query: BoundQuery, into rows: inout RowBuffer) async throws(StorageError) {
        if let paging {
            rows = try await paging(query, base)
        } else if read != nil || querying != nil || snapshotting != nil {
            try await snapshot().page(query, into: &rows)
        } else {
            try await base.page(query, into: &rows)
        }
    }

    /// Checks the store.
    public func verify() async throws(StorageError) -> [String] {
        if let verifying { return try await verifying(base) }
        return try await base.verify()
    }

    /// Starts a change feed.
    public func changes(after sequence: UInt64?) async throws(StorageError) -> any ChangeFeed {
        if let feeding { return try await feeding(sequence, base) }
        return try await base.changes(after: sequence)
    }

    /// Copies the store.
    public func backUp(to destination: String) async throws(StorageError) {
        if let backingUp { try await backingUp(destination, base) } else { try await base.backUp(to: destination) }
    }
}

struct HookedSnapshot: AdapterSnapshot {
    let base: any AdapterSnapshot
    let hooks: HookedAdapter

    var sequence: UInt64 { base.sequence }

    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        if let getting = hooks.getting {
            rows = try await getting(request, base)
        } else {
            try await base.get(request, into: &rows)
        }
        if let read = hooks.read { rows.mapCells(read) }
    }

    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan {
        if let scanning = hooks.scanning { return interposed(try await scanning(range, base)) }
        return interposed(try await base.scan(range))
    }

    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
        if let querying = hooks.querying { return interposed(try await querying(query, base)) }
        return interposed(try await base.query(query))
    }

    func scan(_ range: BoundVersionRange) async throws(StorageError) -> any AdapterScan {
        if let scanningVersions = hooks.scanningVersions { return interposed(try await scanningVersions(range, base)) }
        return interposed(try await base.scan(range))
    }

    func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        guard let aggregating = hooks.aggregating else { return try await base.aggregate(aggregate) }
        return try await aggregating(aggregate, base)
    }

    func close() async { await base.close() }

    private func interposed(_ scan: any AdapterScan) -> any AdapterScan {
        guard let read = hooks.read else { return scan }
        return HookedScan(base: scan, read: read)
    }
}

struct HookedScan: AdapterScan {
    var base: any AdapterScan
    let read: @Sendable (Value) -> Value

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.next(maximumRowCount: maximumRowCount, into: &rows)
        rows.mapCells(read)
    }

    mutating func close() async { await base.close() }
}

extension RowBuffer {
    mutating func mapCells(_ change: (Value) -> Value) {
        for row in 0..<rowCount where versions[row] > 0 || !self[row].allSatisfy(\.isNull) {
            for column in 0..<columnCount { set(change(self[row, column]), row: row, column: column) }
        }
    }
}
