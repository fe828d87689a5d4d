extension CommittedChange {
    /// What a request changes once it is committed.
    ///
    /// - Parameters:
    ///   - request: Checked and committed.
    ///   - sequence: The sequence of the commit.
    ///   - schema: The store's schema.
    ///   - maximumRecordCount: Records of one entity beyond which the whole entity counts as changed; 1,000 by default.
    /// - Throws: ``StorageError`` `.schemaMismatch` if the request names an entity that the schema has not.
    /// - Complexity: O(rows and keys).
    public init(
        of request: CommitRequest, sequence: UInt64, in schema: StorageSchema, maximumRecordCount: Int = 1_000
    ) throws(StorageError) {
        var effects: [String: [RecordKey: Effect]] = [:]
        var whole: Set<String> = []
        for operation in request.operations where !whole.contains(operation.entity) {
            let entity = operation.entity
            switch operation {
            case .put(_, let rows, _):
                if rows.rowCount > maximumRecordCount {
                    whole.insert(entity)
                    continue
                }
                let schema = try schema.entity(named: entity)
                for row in 0..<rows.rowCount { effects[entity, default: [:]][schema.key(of: rows[row])] = .put }
            case .delete(_, let keys):
                for key in keys { effects[entity, default: [:]][key] = .deleted }
            case .clear: whole.insert(entity)
            }
            if effects[entity]?.count ?? 0 > maximumRecordCount { whole.insert(entity) }
        }
        let records = effects.filter { !whole.contains($0.key) }.flatMap { entity, effects in
            effects.map { Record(entity, $0.key, $0.value) }
        }
        self.init(sequence: sequence, records: records, wholeEntities: whole.sorted())
    }
}
