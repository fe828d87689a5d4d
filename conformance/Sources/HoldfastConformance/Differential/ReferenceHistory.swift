import HoldfastStorage

/// The reference with the commits that made it, so that it can live on under a wider schema.
struct ReferenceHistory {
    private(set) var reference: ReferenceStore
    private var commits: [CommitRequest] = []

    var schema: StorageSchema { reference.schema }

    init(schema: StorageSchema) { reference = ReferenceStore(schema: schema) }

    /// Commits to the reference; on an error nothing has changed.
    mutating func commit(_ request: CommitRequest) throws(StorageError) -> CommitReceipt {
        let receipt = try reference.commit(request)
        if !request.operations.isEmpty { commits.append(CommitRequest(operations: request.operations)) }
        return receipt
    }

    /// Changes the schema; rows get a null for a new field.
    mutating func widen(_ widening: SchemaWidening) throws(StorageError) {
        let schema = try reference.schema.widened(by: widening)
        if case .field(let entity, _) = widening {
            commits = commits.map { request in
                CommitRequest(operations: request.operations.map { $0.padded(entity) })
            }
        }
        var next = ReferenceStore(schema: schema)
        for request in commits { _ = try next.commit(request) }
        reference = next
    }

    /// Whether the rows of a request are as wide as the schema says.
    func fits(_ request: CommitRequest) -> Bool {
        request.operations.allSatisfy { operation in
            guard let entity = try? reference.schema.entity(named: operation.entity) else { return false }
            guard case .put(_, let rows, _) = operation else { return true }
            return rows.columnCount == entity.fields.count
        }
    }
}

extension WriteOperation {
    /// The operation with one null more in the rows of an entity.
    fileprivate func padded(_ name: String) -> WriteOperation {
        guard case .put(name, let rows, let mode) = self else { return self }
        var wider = RowBuffer(columnCount: rows.columnCount + 1, rowCapacity: rows.rowCount)
        for row in 0..<rows.rowCount { wider.append(Array(rows[row]) + [.null]) }
        return .put(entity: name, rows: wider, mode: mode)
    }
}
