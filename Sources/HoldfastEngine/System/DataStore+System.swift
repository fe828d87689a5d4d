import HoldfastStorage

extension DataStore {
    /// What the service last said of records; `nil` for those it never mentioned.
    ///
    /// - Parameters:
    ///   - keys: The records' keys as text.
    ///   - model: Their model.
    /// - Returns: One element for each key, in the order of `keys`.
    /// - Throws: ``StorageError`` `.schemaMismatch` if the store does not record mutations; `.closed`, `.io`.
    @concurrent package func recordMetadata(_ keys: [String], of model: String) async throws -> [RecordMetadata?] {
        var rows = RowBuffer()
        let keys = keys.map { RecordKey([.text(model), .text($0)]) }
        try await store.get(keys, of: RecordMetadata.entity.name, into: &rows)
        return (0..<rows.rowCount).map { rows.versions[$0] == 0 ? nil : RecordMetadata(rows[$0]) }
    }

    /// How far a model has been synchronized, or `nil` if it never was.
    @concurrent package func modelState(of model: String) async throws -> ModelState? {
        var rows = RowBuffer()
        try await store.get([RecordKey(model)], of: ModelState.entity.name, into: &rows)
        return rows.versions[0] == 0 ? nil : ModelState(rows[0])
    }

    /// Writes metadata of records and states of models in one commit.
    @concurrent package func save(metadata: [RecordMetadata] = [], states: [ModelState] = []) async throws {
        let operations =
            WriteOperation.put(metadata.map(\.row), in: RecordMetadata.entity)
            + WriteOperation.put(states.map(\.row), in: ModelState.entity)
        if !operations.isEmpty { _ = try await store.commit(CommitRequest(operations: operations)) }
    }

    /// The value of a setting, or `nil`.
    @concurrent package func setting(_ key: String) async throws -> String? { try await store.setting(key) }

    /// Changes a setting.
    @concurrent package func setSetting(_ key: String, to value: String) async throws {
        try await store.set(Setting(key: key, value: value))
    }
}

extension WriteOperation {
    /// Creates or replaces rows; no operation if there are none.
    static func put(_ rows: [[Value]], in entity: EntitySchema) -> [WriteOperation] {
        if rows.isEmpty { return [] }
        var buffer = RowBuffer(columnCount: entity.fields.count, rowCapacity: rows.count)
        for row in rows { buffer.append(row) }
        return [.put(entity: entity.name, rows: buffer, mode: .upsert)]
    }
}

extension Store {
    func setting(_ key: String) async throws -> String? {
        var rows = RowBuffer()
        try await get([RecordKey(key)], of: Setting.entity.name, into: &rows)
        guard rows.versions[0] != 0, case .text(let value) = rows[0, 1] else { return nil }
        return value
    }

    func set(_ setting: Setting) async throws {
        _ = try await commit(CommitRequest(operations: WriteOperation.put([setting.row], in: Setting.entity)))
    }
}
