public import HoldfastStorage

extension ModelSchema {
    /// The entity in which an adapter keeps the model's records.
    ///
    /// Columns are in the order of ``columns``. The key of a `belongsTo` takes the types of the other model's primary
    /// key and gets its own index, so that has-many relations are found by it.
    ///
    /// - Parameter models: The schemas of all models of the store, by name.
    /// - Returns: The model's columns, primary key, and indexes, those of its relations included.
    /// - Throws: ``ModelError`` `.invalidSchema` if the model has no primary key, or a relation leads to a model that
    ///   is not among `models` or whose key has another number of fields.
    public func entity(among models: [String: ModelSchema]) throws(ModelError) -> EntitySchema {
        guard !primaryKeyNames.isEmpty else {
            throw ModelError(.invalidSchema, "Model '\(name)' has no primary key; declare an id or a key.")
        }
        var columns: [FieldSchema] = []
        var relationIndexes: [IndexSchema] = []
        for field in orderedFields {
            let added = try self.columns(of: field, among: models)
            for column in added where !columns.contains(where: { $0.name == column.name }) {
                columns.append(column)
            }
            if field.association != nil && !added.isEmpty {
                relationIndexes.append(IndexSchema("by_" + field.name, on: added.map(\.name)))
            }
        }
        let declared = declaredIndexes
        for index in relationIndexes.indices {
            while declared.contains(where: { $0.name == relationIndexes[index].name }) {
                relationIndexes[index].name += "_"
            }
        }
        return EntitySchema(name, fields: columns, primaryKey: primaryKeyNames, indexes: declared + relationIndexes)
    }

    private func columns(
        of field: ModelField, among models: [String: ModelSchema]
    ) throws(ModelError) -> [FieldSchema] {
        if let type = field.type.fieldType {
            return [FieldSchema(field.name, type, isRequired: field.isRequired)]
        }
        guard let other = field.associatedModelName.flatMap({ models[$0] }) else {
            throw ModelError(
                .invalidSchema, "'\(name).\(field.name)' relates to a model that the store was not opened with.")
        }
        if field.columns.isEmpty { return [] }
        guard other.primaryKeyNames.count == field.columns.count else {
            throw ModelError(
                .invalidSchema,
                "'\(name).\(field.name)' needs one target name for each field of the key of '\(other.name)'.")
        }
        var columns: [FieldSchema] = []
        for (column, key) in zip(field.columns, other.primaryKeyNames) {
            guard let type = other.field(withName: key)?.type.fieldType else {
                throw ModelError(
                    .invalidSchema, "The key '\(key)' of model '\(other.name)' is not a field with a value.")
            }
            columns.append(FieldSchema(column, type, isRequired: field.isRequired))
        }
        return columns
    }

    private var declaredIndexes: [IndexSchema] {
        attributes.compactMap { attribute in
            guard case .index(let fields, let name?) = attribute else { return nil }
            return IndexSchema(name, on: fields)
        }
    }
}
