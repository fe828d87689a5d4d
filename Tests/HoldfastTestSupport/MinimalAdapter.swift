package import HoldfastStorage
import Synchronization

/// A complete adapter with the required operations only: the proof that an adapter is small.
///
/// The store is a value behind a lock, and a snapshot is a copy of it. All else is the contract's default.
package final class MinimalAdapter: StorageAdapter {
    package let capabilities = Capabilities(adapterName: "minimal")
    private let content = Mutex<MinimalContent?>(nil)
    package init() {}
    package func open(_ request: OpenRequest) async throws(StorageError) {
        guard request.createsStore else { throw OpenRequest.missingStore }
        content.withLock { $0 = MinimalContent(schema: request.schema) }
    }
    package func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        let (copy, content) = (MinimalAdapter(), try read())
        copy.content.withLock { $0 = content }
        return MinimalSnapshot(sequence: content.sequence, store: self, copy: copy)
    }
    package func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try content.withLock { content throws(StorageError) in
            guard var next = content else { throw StorageError(.closed, "The store is closed.") }
            let receipt = try next.apply(request)
            content = next  // Reached only if every step succeeded: a failed commit leaves no trace.
            return receipt
        }
    }
    package func close() async throws(StorageError) { content.withLock { $0 = nil } }
    func read() throws(StorageError) -> MinimalContent {
        guard let content = content.withLock({ $0 }) else { throw StorageError(.closed, "The store is closed.") }
        return content
    }
}

struct MinimalContent: Sendable {
    let schema: StorageSchema
    var records: [String: [RecordKey: (row: [Value], version: UInt64)]] = [:]
    var sequence: UInt64 = 0

    mutating func apply(_ request: CommitRequest) throws(StorageError) -> CommitReceipt {
        for (index, precondition) in request.preconditions.enumerated() where !holds(precondition) {
            throw StorageError(.preconditionFailed, "Read again and decide anew.", position: .precondition(index))
        }
        if !request.operations.isEmpty { sequence += 1 }
        var receipt = CommitReceipt(sequence: sequence)
        for (index, operation) in request.operations.enumerated() {
            switch operation {
            case .put(let name, let rows, let mode):
                receipt.putCount += rows.rowCount
                for row in 0..<rows.rowCount {
                    let key = try schema.entity(named: name).key(of: rows[row])
                    if mode != .upsert && (records[name]?[key] == nil) == (mode == .update) {
                        throw StorageError(.preconditionFailed, "Key taken or free.", position: .operation(index))
                    }
                    records[name, default: [:]][key] = (Array(rows[row]), sequence)
                }
            case .delete(let name, let keys):
                receipt.deletedCount += keys.count { records[name]?.removeValue(forKey: $0) != nil }
            case .clear(let name): receipt.deletedCount += records.removeValue(forKey: name)?.count ?? 0
            }
        }
        return receipt
    }
    private func holds(_ precondition: Precondition) -> Bool {
        switch precondition {
        case .absent(let entity, let key): records[entity]?[key] == nil
        case .present(let entity, let key): records[entity]?[key] != nil
        case .version(let entity, let key, let version): records[entity]?[key]?.version == version
        case .unchanged(_, let since): sequence <= since  // Coarser than asked, as the contract allows.
        }
    }
}

struct MinimalSnapshot: AdapterSnapshot {
    let sequence: UInt64, store: MinimalAdapter, copy: MinimalAdapter
    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        let (_, content) = (try store.read(), try copy.read())
        rows.reset(columnCount: try content.schema.entity(named: request.entity).fields.count)
        for key in request.keys {
            let record = content.records[request.entity]?[key]
            if let record { rows.append(record.row, version: record.version) } else { rows.appendAbsentRow() }
        }
    }
    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan {
        let keys = try copy.read().records[range.entity, default: [:]].keys.filter { range.contains($0.components) }
        return MinimalScan(snapshot: self, entity: range.entity, keys: keys.sorted()[...])
    }
    func close() async { try? await copy.close() }
}

struct MinimalScan: AdapterScan {
    let snapshot: MinimalSnapshot, entity: String
    var keys: ArraySlice<RecordKey>
    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        try await snapshot.get(GetRequest(entity, keys: Array(keys.prefix(maximumRowCount))), into: &rows)
        keys = keys.dropFirst(maximumRowCount)
    }
    mutating func close() async { keys = [] }
}
