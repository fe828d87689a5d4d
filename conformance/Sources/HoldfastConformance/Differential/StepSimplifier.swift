import HoldfastStorage

/// Simpler variants of steps, the boldest first.
enum StepSimplifier {
    static func simplifications(of step: DifferentialStep, entities: [EntitySchema]) -> [DifferentialStep] {
        switch step {
        case .commit(let request): commits(request, entities).map(DifferentialStep.commit)
        case .query(let plan, let batch, let number):
            (number == nil ? [] : [.query(plan, batch: batch, from: nil)])
                + (batch == 100 ? [] : [.query(plan, batch: 100, from: number)])
                + queries(plan).map { .query($0, batch: batch, from: number) }
        case .readPages(let plan, let page, let number):
            [.query(plan, batch: 100, from: number)]
                + (number == nil ? [] : [.readPages(plan, page: page, from: nil)])
                + queries(plan).map { .readPages($0, page: page, from: number) }
        case .aggregate(let plan, let number):
            (number == nil ? [] : [.aggregate(plan, from: nil)])
                + variants(plan.functions).map {
                    .aggregate(AggregatePlan(plan.entity, where: plan.predicate, $0), from: number)
                }
                + predicates(plan.predicate).map {
                    .aggregate(AggregatePlan(plan.entity, where: $0, plan.functions), from: number)
                }
        case .get(let entity, let keys, let number):
            (number == nil ? [] : [.get(entity, keys, from: nil)])
                + variants(keys).map { .get(entity, $0, from: number) }
        case .widen: [.reopen]
        case .open, .close, .reopen: []
        }
    }

    /// Lists with parts left out: half, then single elements.
    private static func variants<Element>(_ elements: [Element]) -> [[Element]] {
        guard !elements.isEmpty else { return [] }
        if elements.count == 1 { return [[]] }
        let half = elements.count / 2
        let single: [[Element]] = elements.indices.prefix(16).map { index in
            var rest = elements
            rest.remove(at: index)
            return rest
        }
        return [Array(elements[half...]), Array(elements[..<half])] + single
    }

    // MARK: Commits

    private static func commits(_ request: CommitRequest, _ entities: [EntitySchema]) -> [CommitRequest] {
        var result: [CommitRequest] = []
        for preconditions in variants(request.preconditions) {
            result.append(CommitRequest(preconditions: preconditions, operations: request.operations))
        }
        for operations in variants(request.operations) {
            result.append(CommitRequest(preconditions: request.preconditions, operations: operations))
        }
        for (index, operation) in request.operations.enumerated() {
            let entity = entities.first { $0.name == operation.entity }
            for simpler in Self.operations(operation, entity) {
                var candidate = request
                candidate.operations[index] = simpler
                result.append(candidate)
            }
        }
        return result
    }

    private static func operations(_ operation: WriteOperation, _ entity: EntitySchema?) -> [WriteOperation] {
        switch operation {
        case .put(let name, let rows, let mode):
            var result: [WriteOperation] = []
            for kept in variants(Array(0..<rows.rowCount)) {
                var fewer = RowBuffer(columnCount: rows.columnCount)
                for row in kept { fewer.append(rows[row]) }
                result.append(.put(entity: name, rows: fewer, mode: mode))
            }
            guard let entity, rows.rowCount <= 4, rows.columnCount == entity.fields.count else { return result }
            for row in 0..<rows.rowCount {
                for (column, field) in entity.fields.enumerated() {
                    for value in simplerValues(than: rows[row, column], field) {
                        var changed = rows
                        changed.set(value, row: row, column: column)
                        result.append(.put(entity: name, rows: changed, mode: mode))
                    }
                }
            }
            return result
        case .delete(let name, let keys): return variants(keys).map { .delete(entity: name, keys: $0) }
        case .clear: return []
        }
    }

    /// Values that say less, each strictly simpler, so that shrinking ends.
    private static func simplerValues(than value: Value, _ field: FieldSchema) -> [Value] {
        if value.isNull { return [] }
        if !field.isRequired { return [.null] + shorterLists(value) }
        return shorterLists(value)
            + ValuePool.values(of: field.type).prefix(2).prefix { $0 != value }
    }

    private static func shorterLists(_ value: Value) -> [Value] {
        if case .list(let elements) = value { return variants(elements).map(Value.list) }
        return []
    }

    // MARK: Plans

    private static func queries(_ plan: QueryPlan) -> [QueryPlan] {
        var result: [QueryPlan] = []
        func add(_ change: (inout QueryPlan) -> Void) {
            var candidate = plan
            change(&candidate)
            result.append(candidate)
        }
        if plan.limit != nil { add { $0.limit = nil } }
        if plan.offset != 0 { add { $0.offset = 0 } }
        if plan.projection != nil { add { $0.projection = nil } }
        for sort in variants(plan.sort) { add { $0.sort = sort } }
        for (index, key) in plan.sort.enumerated() where key.direction == .descending {
            add { $0.sort[index].direction = .ascending }
        }
        for predicate in predicates(plan.predicate) { add { $0.predicate = predicate } }
        return result
    }

    static func predicates(_ predicate: Predicate) -> [Predicate] {
        switch predicate {
        case .constant(true): return []
        case .constant(false): return [.all]
        case .not(let inner):
            return [.all, inner] + predicates(inner).map(Predicate.not)
        case .and(let all):
            return [.all] + all + variants(all).map(Predicate.and)
                + nested(all).map(Predicate.and)
        case .or(let any):
            return [.all] + any + variants(any).map(Predicate.or) + nested(any).map(Predicate.or)
        case .isIn(let field, let values): return [.all] + variants(values).map { .isIn(field, $0) }
        default: return [.all]
        }
    }

    private static func nested(_ predicates: [Predicate]) -> [[Predicate]] {
        predicates.indices.flatMap { index in
            self.predicates(predicates[index]).map { simpler in
                var changed = predicates
                changed[index] = simpler
                return changed
            }
        }
    }

    // MARK: Schema parts

    /// The step without what it does to an entity; `nil` if nothing is left.
    static func without(entity: String, _ step: DifferentialStep) -> DifferentialStep? {
        switch step {
        case .commit(var request):
            request.operations.removeAll { $0.entity == entity }
            request.preconditions.removeAll { $0.entity == entity }
            return .commit(request)
        case .query(let plan, _, _): return plan.entity == entity ? nil : step
        case .readPages(let plan, _, _): return plan.entity == entity ? nil : step
        case .aggregate(let plan, _): return plan.entity == entity ? nil : step
        case .get(let name, _, _): return name == entity ? nil : step
        case .widen(let widening): return widening.entity == entity ? nil : step
        case .open, .close, .reopen: return step
        }
    }

    /// The step for an entity that lacks a column.
    static func without(
        column: Int, named field: String, of entity: String, _ step: DifferentialStep
    ) -> DifferentialStep {
        switch step {
        case .commit(var request):
            request.operations = request.operations.map { operation in
                guard case .put(entity, let rows, let mode) = operation else { return operation }
                var narrower = RowBuffer(columnCount: max(0, rows.columnCount - 1))
                for row in 0..<rows.rowCount {
                    var cells = Array(rows[row])
                    cells.remove(at: column)
                    narrower.append(cells)
                }
                return .put(entity: entity, rows: narrower, mode: mode)
            }
            return .commit(request)
        case .query(var plan, let batch, let number) where plan.entity == entity:
            plan.sort.removeAll { $0.field == field }
            plan.projection?.removeAll { $0 == field }
            return .query(plan, batch: batch, from: number)
        case .readPages(var plan, let page, let number) where plan.entity == entity:
            plan.sort.removeAll { $0.field == field }
            return .readPages(plan, page: page, from: number)
        case .aggregate(var plan, let number) where plan.entity == entity:
            plan.functions.removeAll { $0.field == field }
            return .aggregate(plan, from: number)
        default: return step
        }
    }
}
