package import HoldfastModel
package import HoldfastStorage

extension DataStore {
    /// The schemas of all models, in the order in which the store was opened with them.
    package var modelSchemas: [ModelSchema] { catalog.entities.compactMap { catalog.model(named: $0.name)?.schema } }

    /// The entity of a model that a service names.
    ///
    /// - Parameter model: The model's name.
    /// - Returns: The entity.
    /// - Throws: ``StorageError`` `.misuse` if the store was opened without the model.
    func remoteEntity(_ model: String) throws(StorageError) -> EntitySchema {
        guard let entity = catalog.model(named: model)?.entity else {
            throw StorageError(.misuse, ModelError.unregistered(model).message)
        }
        return entity
    }

    /// The models of rows that are or were records of the store, with related records as they are now.
    ///
    /// - Parameters:
    ///   - name: The model's name.
    ///   - rows: All cells of each record, in the order of the entity's fields.
    /// - Returns: A model for each row; `nil` for one whose required related record is missing or that cannot be read.
    /// - Throws: ``StorageError`` `.closed`, `.io`.
    @concurrent package func models(_ name: String, _ rows: [[Value]]) async throws -> [(any Model)?] {
        guard let model = catalog.model(named: name), let type = model.type, !rows.isEmpty else {
            return rows.map { _ in nil }
        }
        return try await withSnapshot { snapshot in
            var models: [(any Model)?] = []
            for row in rows { models.append(try await self.model(type, row, of: model, in: snapshot)) }
            return models
        }
    }

    /// The model of a row; `nil` if its required related record is missing or it cannot be read.
    func model<M: Model>(
        _ type: M.Type, _ row: [Value], of model: ModelCatalog.RegisteredModel, in snapshot: StoreSnapshot
    ) async throws -> M? {
        var models: [M] = []
        do {
            try await read(RowBuffer(row: row), of: model, from: snapshot, loader: self, into: &models)
        } catch is ModelError {
            return nil
        }
        return models.first
    }

    /// The stored record of a key as a row; `nil` if there is none.
    @concurrent package func storedRow(_ name: String, _ key: RecordKey) async throws -> [Value]? {
        guard let entity = catalog.model(named: name)?.entity else { return nil }
        var rows = RowBuffer()
        try await cancellable { try await store.get([key], of: entity.name, into: &rows) }
        return rows.versions[0] == 0 ? nil : Array(rows[0])
    }

    /// A model as a row of the store, in place of a service's record.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - name: The name of the record's model.
    ///   - key: The record's key, which the row gets.
    ///   - remote: The record. Foreign keys of it stay that lead to no stored record, which the model could not show.
    /// - Returns: `nil` if the model is of another type than the record.
    /// - Throws: ``ModelError`` for a model that cannot be a row; ``StorageError`` `.unrepresentable` or
    ///   `.limitExceeded` for one that the store cannot hold; `.closed`, `.io`.
    @concurrent package func row(
        of model: any Model, as name: String, at key: RecordKey, over remote: [Value]
    ) async throws -> [Value]? {
        guard let entity = catalog.model(named: name)?.entity, model.schema.name == name else { return nil }
        var row = Array(try model.row()[0])
        for (position, value) in zip(entity.primaryKeyPositions, key.components) { row[position] = value }
        for position in catalog.shape(of: entity).readOnlyColumns { row[position] = remote[position] }
        let rows = try await engine.keepingKeysOfAbsentParents(
            of: RowBuffer(row: row), over: RowBuffer(row: remote, version: 1), of: entity)
        return Array(try store.canonical(rows, of: entity)[0])
    }

    /// The record that a dead letter would have made on top of the current record; for a deletion as it was before.
    ///
    /// - Returns: `nil` if nothing is known of it.
    @concurrent package func row(of letter: DeadLetter) async throws -> [Value]? {
        guard let entity = catalog.model(named: letter.model)?.entity,
            let key = RecordKey(outboxText: letter.key, of: entity)
        else { return nil }
        if letter.operation == .delete {
            guard let before = letter.before, before != FieldValues.noRecord else { return nil }
            return FieldValues.row(before, of: entity)
        }
        let stored = letter.operation == .create ? nil : try await storedRow(letter.model, key)
        var row = stored ?? entity.row(ofKey: key.components)
        let text = letter.payload ?? "{}"
        let set = entity.fields.indices.filter { JSONMembers.contains(entity.fields[$0].name, in: text) }
        for (position, value) in zip(set, FieldValues.values(text, set, of: entity)) { row[position] = value }
        return row
    }

    /// Whether a record has changes that await the service.
    @concurrent package func hasUnsentChanges(_ model: String, _ key: String) async throws -> Bool {
        guard engine.recordsMutations else { return false }
        var rows = RowBuffer()
        try await cancellable {
            try await store.get([OutboxEntry.newestKey(model, key)], of: OutboxEntry.entity.name, into: &rows)
        }
        return rows.versions[0] != 0
    }
}
