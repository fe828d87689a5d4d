package import HoldfastStorage

/// A complete adapter with the required operations only: the proof that an adapter is small.
///
/// The store is a value behind a lock, and a snapshot is a copy of it. Everything else is the contract's default.
package final class MinimalAdapter: StorageAdapter {
    package let capabilities = Capabilities(adapterName: "minimal")
    private let content = Mutex<MinimalContent?>(nil)

    package init() {}

    package func open(_ request: OpenRequest) async throws(StorageError) {
        guard request.createsStore else { throw OpenRequest.missingStore }
        content.withLock { $0 = MinimalContent(schema: request.schema) }
    }

    package func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        MinimalSnapshot(try read(), of: self)
    }

    package func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try content.withLock { content throws(StorageError) in
            guard var next = content else { throw StorageError.closedStore() }
            let receipt = try next.apply(request)
            // Reached only if every step succeeded, so a failed commit leaves no trace.
            content = next
            return receipt
        }
    }

    package func close() async throws(StorageError) { content.withLock { $0 = nil } }

    /// The content of the open store.
    func read() throws(StorageError) -> MinimalContent {
        guard let content = content.withLock({ $0 }) else { throw StorageError.closedStore() }
        return content
    }
}

/// What the store holds as of one commit.
struct MinimalContent: Sendable {
    typealias Record = (row: [Value], version: UInt64)

    let schema: StorageSchema
    var records: [String: [RecordKey: Record]] = [:]
    var sequence: UInt64 = 0

    mutating func apply(_ request: CommitRequest) throws(StorageError) -> CommitReceipt {
        for (index, precondition) in request.preconditions.enumerated() where !holds(precondition) {
            throw StorageError.failedPrecondition(index)
        }
        if !request.operations.isEmpty { sequence += 1 }
        var receipt = CommitReceipt(sequence: sequence)
        for (index, operation) in request.operations.enumerated() {
            switch operation {
            case .put(let entity, let rows, let mode):
                try put(entity, rows, mode, operation: index)
                receipt.putCount += rows.rowCount
            case .delete(let entity, let keys):
                receipt.deletedCount += keys.count { records[entity]?.removeValue(forKey: $0) != nil }
            case .clear(let entity):
                receipt.deletedCount += records.removeValue(forKey: entity)?.count ?? 0
            }
        }
        return receipt
    }

    private mutating func put(
        _ entity: String, _ rows: RowBuffer, _ mode: WriteOperation.PutMode, operation: Int
    ) throws(StorageError) {
        for row in 0..<rows.rowCount {
            let key = try schema.entity(named: entity).key(of: rows[row])
            let exists = records[entity]?[key] != nil
            if mode == .insert && exists || mode == .update && !exists {
                throw StorageError.failedPut(exists: exists, operation: operation)
            }
            records[entity, default: [:]][key] = (Array(rows[row]), sequence)
        }
    }

    private func holds(_ precondition: Precondition) -> Bool {
        switch precondition {
        case .absent(let entity, let key): records[entity]?[key] == nil
        case .present(let entity, let key): records[entity]?[key] != nil
        case .version(let entity, let key, let version): records[entity]?[key]?.version == version
        // Any commit counts as a change of the range; the contract allows to be this coarse.
        case .unchanged(_, let since): sequence <= since
        }
    }
}

/// A copy of the content; it ends with its store.
final class MinimalSnapshot: AdapterSnapshot {
    let sequence: UInt64
    private let store: MinimalAdapter
    private let content: Mutex<MinimalContent?>

    init(_ content: MinimalContent, of store: MinimalAdapter) {
        sequence = content.sequence
        self.store = store
        self.content = Mutex(content)
    }

    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        let content = try read()
        rows.reset(columnCount: try content.schema.entity(named: request.entity).fields.count)
        for key in request.keys {
            if let record = content.records[request.entity]?[key] {
                rows.append(record.row, version: record.version)
            } else {
                rows.appendAbsentRow()
            }
        }
    }

    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan {
        let records = try read().records[range.entity, default: [:]]
        let keys = records.keys.filter { range.contains($0.components) }
        return MinimalScan(snapshot: self, entity: range.entity, keys: keys.sorted()[...])
    }

    func close() async { content.withLock { $0 = nil } }

    private func read() throws(StorageError) -> MinimalContent {
        _ = try store.read()
        guard let content = content.withLock({ $0 }) else { throw StorageError.closedStore() }
        return content
    }
}

/// The keys of a range that were not read yet.
struct MinimalScan: AdapterScan {
    let snapshot: MinimalSnapshot
    let entity: String
    var keys: ArraySlice<RecordKey>

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        try await snapshot.get(GetRequest(entity, keys: Array(keys.prefix(maximumRowCount))), into: &rows)
        keys = keys.dropFirst(maximumRowCount)
    }

    mutating func close() async { keys = [] }
}
