import HoldfastStorage

extension QueryPredicateOperation {
    /// Whether a model satisfies the comparison, as a store would find it.
    ///
    /// Where a store would refuse the comparison, because the model has no such field or the field cannot hold the
    /// value, `ne` and `notContains` are true and everything else is false.
    ///
    /// - Complexity: Writes the model as a row; for many models query a store or bind the predicate once.
    public func evaluate(target: any Model) -> Bool {
        let model = (target as? AnyModel)?.instance ?? target
        let schema = type(of: model).schema
        do {
            let row = try model.row()
            let entity = schema.entity(ofCells: row)
            let predicate = try schema.lowered(self)
            let query = try StorageSchema(entities: [entity]).bind(QueryPlan(entity.name, where: predicate))
            return row.withRow(0, query.predicate.matches)
        } catch {
            return switch `operator` {
            case .notEqual, .notContains: true
            default: false
            }
        }
    }
}

extension QueryPredicateGroup {
    /// Whether a model satisfies all, one or none of the conditions.
    public func evaluate(target: any Model) -> Bool {
        switch type {
        case .and: predicates.allSatisfy { $0.evaluate(target: target) }
        case .or: predicates.contains { $0.evaluate(target: target) }
        case .not: !predicates.contains { $0.evaluate(target: target) }
        }
    }
}

extension ModelSchema {
    /// The model's entity on its own: foreign keys have the types of their cells.
    fileprivate func entity(ofCells row: RowBuffer) -> EntitySchema {
        var types: [String: FieldType] = [:]
        for field in orderedFields {
            if let type = field.type.fieldType { types[field.name] = type }
        }
        let fields = columns.enumerated().map { index, column in
            FieldSchema(column, types[column] ?? Self.type(of: row[0, index]))
        }
        let key = primaryKeyNames.isEmpty ? Array(columns.prefix(1)) : primaryKeyNames
        return EntitySchema(name, fields: fields, primaryKey: key)
    }

    private static func type(of cell: Value) -> FieldType {
        switch cell {
        case .boolean: .boolean
        case .integer: .int
        case .double: .float
        case .bytes: .bytes
        case .date: .date
        case .time: .time
        case .timestamp: .dateTime
        case .null, .text, .list: .string
        }
    }
}
