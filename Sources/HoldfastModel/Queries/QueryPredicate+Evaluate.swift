import HoldfastStorage

extension QueryPredicateOperation {
    /// Whether a model satisfies the comparison, as a store would find it.
    ///
    /// Paths are followed into embedded values and through relations that are loaded. Where
    /// ``QueryPredicate/isSatisfied(by:)`` would throw, `ne` and `notContains` are true and everything else is false.
    ///
    /// - Complexity: Writes the model as a row; for many models query a store or bind the predicate once.
    public func evaluate(target: any Model) -> Bool {
        do {
            return try isSatisfied(by: target)
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

extension QueryPredicate {
    /// Whether a model satisfies the condition, as a store would find it.
    ///
    /// Paths are followed into embedded values and through relations that are loaded.
    ///
    /// ```swift
    /// let isShown = try (Post.keys.rating >= 4).isSatisfied(by: post)  // without asking a store
    /// ```
    ///
    /// - Throws: ``ModelError`` `.missingRelation` for a path through a relation that was not loaded, `.invalidSchema`
    ///   for an invalid path; ``/HoldfastStorage/StorageError`` where a store would refuse the comparison,
    ///   because the model has no such field or the field cannot hold the value.
    /// - Complexity: Writes the model as a row for each comparison; for many models query a store.
    public func isSatisfied(by target: any Model) throws -> Bool {
        let model = (target as? AnyModel)?.instance ?? target
        switch self {
        case let operation as QueryPredicateOperation:
            let path = type(of: model).schema.path(operation.field)
            return try operation.operator.holds(along: path[...], in: model)
        case let group as QueryPredicateGroup:
            return switch group.type {
            case .and: try group.predicates.allSatisfy { try $0.isSatisfied(by: model) }
            case .or: try group.predicates.contains { try $0.isSatisfied(by: model) }
            case .not: try !group.predicates.contains { try $0.isSatisfied(by: model) }
            }
        default: return evaluate(target: model)
        }
    }
}

extension QueryOperator {
    /// Whether the comparison is true of what a path leads to.
    fileprivate func holds(along path: ArraySlice<String>, in model: any Model) throws -> Bool {
        let schema = Swift.type(of: model).schema
        let name = path.joined(separator: ".")
        if let embedded = try schema.embeddedPath(path) {
            let comparison = try schema.lowered(self, of: [name], called: name)
            let predicate = try EmbeddedPredicate(embedded, of: schema.name, called: name, comparison)
            return try model.row().withRow(0, predicate.matches)
        }
        let relation = path.first.flatMap(schema.field(withName:)).flatMap { $0.hasAssociation ? $0 : nil }
        guard let relation, path.count > 1 || relation.columns.isEmpty else {
            if path.count == 1 { return try holds(ofColumns: schema.columns(named: name), called: name, in: model) }
            throw ModelError(.invalidSchema, "'\(schema.name).\(name)' is not a relation path.")
        }
        let (related, type) = try model.related(in: relation)
        if path.count == 1 {
            if let exists = asksForValue { return related.isEmpty != exists }
            let isNegated = isTrueOfNull && relation.isBelongsToOrHasOne
            return isNegated
                != (try related.contains { other in
                    let keys = Swift.type(of: other).schema.primaryKeyNames
                    return try holds(ofColumns: keys, called: name, in: other) != isNegated
                })
        }
        let rest = path.dropFirst()
        if relation.isBelongsToOrHasOne, related.isEmpty {
            return isTrueOfNull && !Self.leadsThroughMany(asksForValue == nil ? rest : rest.dropLast(), on: type.schema)
        }
        return try related.contains { try holds(along: rest, in: $0) }
    }

    /// Whether the comparison is true of a model's own columns.
    private func holds(ofColumns columns: [String], called name: String, in model: any Model) throws -> Bool {
        let schema = type(of: model).schema
        let row = try model.row()
        let entity = schema.entity(ofCells: row)
        let predicate = try schema.lowered(self, of: columns, called: name)
        let query = try StorageSchema(entities: [entity]).bind(
            QueryPlan(entity.name, where: predicate.convertingOperands(for: entity)))
        return row.withRow(0, query.predicate.matches)
    }

    /// Whether a path leads through a relation to several records or a list of embedded values, as far as the models
    /// after the first one are registered.
    private static func leadsThroughMany(_ path: ArraySlice<String>, on schema: ModelSchema) -> Bool {
        if let embedded = try? schema.embeddedPath(path) { return embedded.leadsThroughList }
        guard let next = path.first.flatMap(schema.field(withName:)), next.hasAssociation else { return false }
        if !next.isBelongsToOrHasOne { return true }
        let related = next.associatedModelName.flatMap(ModelRegistry.modelSchema(from:))
        return related.map { leadsThroughMany(path.dropFirst(), on: $0) } ?? false
    }
}

extension Model {
    /// The loaded models of a relation, and their type.
    ///
    /// - Throws: ``ModelError`` `.missingRelation` if they were not loaded.
    fileprivate func related(
        in relation: ModelField
    ) throws(ModelError) -> (models: [any Model], type: any Model.Type) {
        switch property(relation.name) {
        case let model as any Model: return ([model], type(of: model))
        case let value as any RelatedValue:
            if let models = value.relatedModels() { return (models, type(of: value).modelType) }
        case let optional as any OptionalType:
            guard let type = type(of: optional).wrappedType as? any Model.Type else { break }
            return ((optional.wrappedValue as? any Model).map { [$0] } ?? [], type)
        default: break
        }
        throw ModelError(
            .missingRelation, "'\(modelName).\(relation.name)' was not loaded; load it before comparing along it.")
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
