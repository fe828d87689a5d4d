extension CommittedChange {
    /// What a request changes once it is committed.
    ///
    /// A record that the request demands to be absent, by a precondition or by the mode of the first put, was
    /// created; one that it demands to be present was replaced; of any other it is not known. Records of entities
    /// that are not in the change feed are left out.
    ///
    /// - Parameters:
    ///   - request: Checked and committed.
    ///   - sequence: The sequence of the commit.
    ///   - schema: The store's schema.
    ///   - maximumRecordCount: Records of one entity beyond which the whole entity counts as changed; 1,000 by default.
    /// - Throws: ``StorageError`` `.schemaMismatch` if the request names an entity that the schema does not have.
    /// - Complexity: O(preconditions, rows and keys).
    public init(
        of request: CommitRequest, sequence: UInt64, in schema: StorageSchema, maximumRecordCount: Int = 1_000
    ) throws(StorageError) {
        var fates: [String: [RecordKey: RecordFate]] = [:]
        var whole: Set<String> = []
        for operation in request.operations where !whole.contains(operation.entity) {
            let entity = operation.entity
            let schema = try schema.entity(named: entity)
            if !schema.isInChangeFeed { continue }
            // Taken out, so that the entity is looked up once and not for each record.
            var records = fates.removeValue(forKey: entity) ?? [:]
            switch operation {
            case .put(_, let rows, let mode):
                if rows.rowCount > maximumRecordCount {
                    whole.insert(entity)
                    continue
                }
                records.reserveCapacity(records.count + rows.rowCount)
                for row in 0..<rows.rowCount {
                    records[schema.key(of: rows[row]), default: RecordFate()].put(mode)
                }
            case .delete(_, let keys):
                for key in keys { records[key, default: RecordFate()].delete() }
            case .clear: whole.insert(entity)
            }
            if records.count > maximumRecordCount { whole.insert(entity) }
            if !records.isEmpty { fates[entity] = records }
        }
        for entity in whole { fates[entity] = nil }
        for precondition in request.preconditions {
            switch precondition {
            case .absent(let entity, let key): fates[entity]?[key]?.existed = false
            case .present(let entity, let key), .version(let entity, let key, _): fates[entity]?[key]?.existed = true
            case .unchanged: break
            }
        }
        let records = fates.flatMap { entity, fates in
            fates.map { Record(entity, $0.key, $0.value.effect) }
        }
        self.init(sequence: sequence, records: records, wholeEntities: whole.sorted())
    }
}

/// What a request says of one record.
private struct RecordFate {
    /// Whether it was there before; `nil` if the request leaves that open.
    var existed: Bool?
    private var isFirst = true
    private var isThere = false

    var effect: CommittedChange.Effect {
        guard isThere else { return .deleted }
        guard let existed else { return .put }
        return existed ? .replaced : .created
    }

    mutating func put(_ mode: WriteOperation.PutMode) {
        if isFirst && mode != .upsert { existed = mode == .update }
        isFirst = false
        isThere = true
    }

    mutating func delete() {
        isFirst = false
        isThere = false
    }
}
