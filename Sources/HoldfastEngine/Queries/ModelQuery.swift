import HoldfastModel
import HoldfastStorage

/// A query of a model, which may ask for related records.
struct ModelQuery: Sendable {
    /// The model.
    let model: ModelCatalog.RegisteredModel
    /// Which records.
    let condition: Condition
    /// The rest of the question: predicate and sort as far as adapters know the values.
    var plan: QueryPlan
    /// The order, if it asks for related records or parts of embedded values.
    let order: RelationOrder?
    /// The row after which the results of an ``order`` begin.
    var last: RowBuffer?

    /// Whether it asks for more than ``plan``: for related records or for parts of embedded values.
    var exceedsPlan: Bool { order != nil || condition.predicate == nil }

    /// Whether the store answers it at once, without a snapshot that other reads share.
    var isPage: Bool {
        !exceedsPlan && !model.needsParents && plan.limit.map { $0 <= BoundQuery.maximumPageSize } ?? false
    }

    /// All entities that decide the answer.
    var entities: Set<String> {
        condition.relatedEntities.union(order?.relatedEntities ?? []).union([plan.entity])
    }
}

extension ModelCatalog {
    /// A query of a model.
    ///
    /// - Throws: ``ModelError`` `.invalidSchema` for an invalid path, and as
    ///   ``ModelSchema/plan(where:sort:paginate:)``.
    func query(
        _ model: RegisteredModel, where predicate: (any QueryPredicate)? = nil, sort: QuerySortInput? = nil,
        paginate: QueryPaginationInput? = nil
    ) throws -> ModelQuery {
        let condition = try condition(predicate, on: model)
        let order = try sort.flatMap { try relationOrder($0, of: model) }
        var plan = try model.schema.plan(sort: order == nil ? sort : nil, paginate: paginate)
        plan.predicate = condition.predicate ?? condition.upperBound
        return ModelQuery(model: model, condition: condition, plan: plan, order: order)
    }

    /// A query for the page after a record.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - predicate: Which records; `nil` for all.
    ///   - sort: In which order; `nil` for the order of keys.
    ///   - last: The row of the last record of the page before; `nil` for the first page.
    ///   - limit: The maximum number of records.
    /// - Returns: The query, with the limit and the place where the page begins.
    /// - Throws: ``ModelError`` `.unregistered`; otherwise as ``query(_:where:sort:paginate:)``.
    func query<M: Model>(
        _ type: M.Type, where predicate: (any QueryPredicate)?, sort: QuerySortInput?, after last: RowBuffer?,
        limit: Int
    ) throws -> ModelQuery {
        let model = try model(type)
        var query = try query(model, where: predicate, sort: sort)
        query.plan.limit = limit
        if query.order == nil {
            query.plan.after = last.map { Cursor(after: $0[0], of: model.entity, sortedBy: query.plan.sort) }
        } else {
            query.last = last
        }
        return query
    }

    /// A sort that asks for related records or parts of embedded values, or `nil` if it does not.
    private func relationOrder(
        _ sort: QuerySortInput, of model: RegisteredModel
    ) throws(ModelError) -> RelationOrder? {
        let criteria = sort.inputs.map { input in
            switch input {
            case .ascending(let field): (path: model.schema.path(field.stringValue), isDescending: false)
            case .descending(let field): (path: model.schema.path(field.stringValue), isDescending: true)
            }
        }
        if criteria.allSatisfy({ $0.path.count == 1 }) { return nil }
        var keys: [RelationOrder.Key] = []
        for (path, isDescending) in criteria { keys.append(try key(path, isDescending, of: model)) }
        return RelationOrder(entity: model.entity, keys: keys)
    }

    private func key(
        _ path: [String], _ isDescending: Bool, of model: RegisteredModel
    ) throws(ModelError) -> RelationOrder.Key {
        var model = model
        var steps: [RelationStep] = []
        for (index, field) in path.dropLast().enumerated() {
            if let embeddedPath = try model.schema.embeddedPath(path[index...]) {
                if embeddedPath.leadsThroughList || embeddedPath.type.storageType.isList {
                    throw ModelError(
                        .invalidSchema,
                        "'\(model.entity.name).\(field)' leads to a list; nothing can be sorted by it.")
                }
                return RelationOrder.Key(steps: steps, values: .embedded(embeddedPath), isDescending: isDescending)
            }
            let step = try step(through: field, of: model)
            if step.isToMany {
                throw ModelError(
                    .invalidSchema,
                    "'\(model.entity.name).\(field)' leads to several records; nothing can be sorted by them.")
            }
            steps.append(step)
            model = step.related
        }
        let field = path.last ?? ""
        let columns = model.schema.columns(named: field).compactMap(model.entity.position(of:))
        if columns.isEmpty || columns.contains(where: { model.entity.fields[$0].type.storageType.isList }) {
            throw ModelError(.invalidSchema, "'\(model.entity.name).\(field)' has no stored value to sort by.")
        }
        return RelationOrder.Key(steps: steps, values: .columns(columns), isDescending: isDescending)
    }
}
