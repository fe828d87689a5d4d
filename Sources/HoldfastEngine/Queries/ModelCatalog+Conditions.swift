import HoldfastModel
import HoldfastStorage

extension ModelCatalog {
    /// A predicate on a model, its paths resolved.
    ///
    /// Over an empty relation to at most one record, or in an embedded value that is missing, a value is null. A list
    /// of embedded values asks whether some of them match. A relation to several records asks whether some
    /// of them match; by itself it is null if there are none, and is otherwise compared by their keys.
    ///
    /// - Throws: ``ModelError`` `.invalidSchema` for an invalid path, or as ``ModelSchema/lowered(_:)``.
    func condition(
        _ predicate: (any QueryPredicate)?, on model: RegisteredModel
    ) throws(ModelError) -> Condition {
        switch predicate {
        case let operation as QueryPredicateOperation:
            return try condition(operation.operator, along: model.schema.path(operation.field)[...], on: model)
        case let group as QueryPredicateGroup:
            var parts: [Condition] = []
            for part in group.predicates { parts.append(try condition(part, on: model)) }
            let condition: Condition =
                switch group.type {
                case .and: .and(parts)
                case .or: .or(parts)
                case .not: .not(.or(parts))
                }
            return condition.predicate.map { .local($0) } ?? condition
        case let predicate?: return .local(try model.schema.lowered(predicate))
        case nil: return .local(.all)
        }
    }

    private func condition(
        _ comparison: QueryOperator, along path: ArraySlice<String>, on model: RegisteredModel
    ) throws(ModelError) -> Condition {
        guard let field = path.first else { return .local(.all) }
        let rest = path.dropFirst()
        if rest.isEmpty {
            guard let relation = model.schema.field(withName: field), relation.hasAssociation, relation.columns.isEmpty
            else {
                let columns = model.schema.columns(named: field)
                return .local(
                    try model.schema.lowered(comparison, of: columns, called: field)
                        .convertingOperands(for: model.entity))
            }
            return try condition(comparison, ofKeysAt: step(through: field, of: model))
        }
        if let embeddedPath = try model.schema.embeddedPath(path) {
            let name = path.joined(separator: ".")
            return .embedded(embeddedPath, called: name, try model.schema.lowered(comparison, of: [name], called: name))
        }
        let step = try step(through: field, of: model)
        let inner = try condition(comparison, along: rest, on: step.related)
        if step.isToMany { return .related(step, inner) }
        let leadsThroughMany = try leadsThroughMany(
            comparison.asksForValue == nil ? rest : rest.dropLast(), on: step.related)
        return comparison.isTrueOfNull && !leadsThroughMany
            ? .not(.related(step, .not(inner))) : .related(step, inner)
    }

    /// The comparison of a relation whose other side holds the key, by the primary keys of that side.
    private func condition(
        _ comparison: QueryOperator, ofKeysAt step: RelationStep
    ) throws(ModelError) -> Condition {
        switch comparison.asksForValue {
        case true?: return .related(step, .local(.all))
        case false?: return .not(.related(step, .local(.all)))
        case nil: break
        }
        let schema = step.related.schema
        let inner = Condition.local(
            try schema.lowered(comparison, of: schema.primaryKeyNames, called: step.field)
                .convertingOperands(for: step.related.entity))
        let isNegated = comparison.isTrueOfNull && !step.isToMany
        return isNegated ? .not(.related(step, .not(inner))) : .related(step, inner)
    }

    /// Whether a path leads through a relation to several records, or through a list of embedded values.
    private func leadsThroughMany(
        _ path: ArraySlice<String>, on model: RegisteredModel
    ) throws(ModelError) -> Bool {
        if let embeddedPath = try model.schema.embeddedPath(path) { return embeddedPath.leadsThroughList }
        guard let field = path.first, model.schema.field(withName: field)?.hasAssociation ?? false else { return false }
        let step = try step(through: field, of: model)
        if step.isToMany { return true }
        return try leadsThroughMany(path.dropFirst(), on: step.related)
    }
}
