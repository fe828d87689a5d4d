import HoldfastStorage

extension RowReader {
    /// The relation whose foreign key begins at a column.
    public func reference<Parent: Model>(_ column: Int, to type: Parent.Type = Parent.self) -> LazyReference<Parent> {
        reference(keyColumns: Array(column..<column + Parent.schema.primaryKeyNames.count))
    }

    /// The relation whose foreign key is kept in columns, for instance because they are fields of their own too.
    ///
    /// - Parameters:
    ///   - keyColumns: The columns, in the order of the other model's primary key.
    ///   - type: The other model.
    /// - Returns: A reference to the record; it refers to none if a column is null.
    public func reference<Parent: Model>(
        keyColumns: Int..., to type: Parent.Type = Parent.self
    ) -> LazyReference<Parent> {
        reference(keyColumns: keyColumns)
    }

    /// The relation whose foreign key is kept in columns.
    func reference<Parent: Model>(keyColumns: [Int]) -> LazyReference<Parent> {
        LazyReference(key: key(keyColumns), loader: loader)
    }

    /// The records of another model whose foreign key leads to this row's.
    ///
    /// - Parameters:
    ///   - field: The field of the other model that belongs to this one.
    ///   - keyColumns: The columns of this row's primary key.
    ///   - type: The other model.
    /// - Returns: A list that is empty until it is fetched.
    public func children<Child: Model>(
        by field: String, keyColumns: Int..., of type: Child.Type = Child.self
    ) -> List<Child> {
        List(parent: RecordKey(keyColumns.map(cell)), fields: [field], loader: loader)
    }

    /// The records of another model whose fields hold this row's primary key.
    ///
    /// - Parameters:
    ///   - fields: The fields of the other model, one for each field of this one's primary key.
    ///   - keyColumns: The columns of this row's primary key.
    ///   - type: The other model.
    /// - Returns: A list that is empty until it is fetched.
    public func children<Child: Model>(
        by fields: [String], keyColumns: Int..., of type: Child.Type = Child.self
    ) -> List<Child> {
        List(parent: RecordKey(keyColumns.map(cell)), fields: fields, loader: loader)
    }

    /// The one record of another model whose fields hold this row's primary key.
    ///
    /// - Parameters:
    ///   - fields: The field of the other model that belongs to this one, or its fields that hold the key.
    ///   - keyColumns: The columns of this row's primary key.
    ///   - type: The other model.
    /// - Returns: A reference that finds the record when it is needed.
    public func child<Child: Model>(
        by fields: [String], keyColumns: Int..., of type: Child.Type = Child.self
    ) -> LazyReference<Child> {
        LazyReference(childBy: fields, of: key(keyColumns), loader: loader)
    }

    /// The related model that an eager model holds, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - keyColumns: The columns that hold the related record's key; for a has-one relation whose other side holds
    ///     the key, those of this row's primary key.
    ///   - type: The related model.
    /// - Returns: The related model; `nil` if a key column is null or no record has the key.
    /// - Throws: ``ModelError`` `.missingRelation` if the row relates to a record and was read without ``parents``;
    ///   `.decodingFailed` if the related record does not fit.
    public func parent<Parent: Model>(
        _ field: String, keyColumns: Int..., as type: Parent.Type = Parent.self
    ) throws(ModelError) -> Parent? {
        try parent(field, keyColumns: keyColumns, as: type)
    }

    /// The related model of a required relation that an eager model holds.
    ///
    /// - Throws: As ``parent(_:keyColumns:as:)-(_,Int...,_)``; ``ModelError`` `.missingRelation` if there is none.
    public func requiredParent<Parent: Model>(
        _ field: String, keyColumns: Int..., as type: Parent.Type = Parent.self
    ) throws(ModelError) -> Parent {
        guard let parent = try parent(field, keyColumns: keyColumns, as: type) else { throw Self.missing(field, type) }
        return parent
    }

    /// The related model that an eager model holds, or `nil` if there is none.
    func parent<Parent: Model>(
        _ field: String, keyColumns: [Int], isHeldHere: Bool = true, as type: Parent.Type
    ) throws(ModelError) -> Parent? {
        guard let key = key(keyColumns) else { return nil }
        guard let relation = parents?[field] else {
            if !isHeldHere { return nil }
            throw ModelError(
                .missingRelation, "The record in '\(field)' of type '\(Parent.modelName)' was not loaded with the row.")
        }
        guard let row = relation.positions[key] else { return nil }
        return try Parent(row: RowReader(relation.rows, row: row, loader: loader, parents: relation.parents))
    }

    /// The key in columns, or `nil` if one of them is null.
    func key(_ columns: [Int]) -> RecordKey? {
        var components: [Value] = []
        components.reserveCapacity(columns.count)
        for column in columns {
            let value = cell(column)
            if value.isNull { return nil }
            components.append(value)
        }
        return RecordKey(components)
    }

    static func missing(_ field: String, _ type: any Model.Type) -> ModelError {
        ModelError(.missingRelation, "The required relation '\(field)' to '\(type.modelName)' leads to no record.")
    }
}
