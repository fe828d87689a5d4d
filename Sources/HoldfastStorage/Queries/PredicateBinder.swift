/// Checks a predicate against an entity and resolves its names.
struct PredicateBinder {
    let entity: EntitySchema
    let limits: Capabilities.Limits
    private var nodeCount = 0

    init(entity: EntitySchema, limits: Capabilities.Limits) {
        self.entity = entity
        self.limits = limits
    }

    mutating func bind(_ predicate: Predicate) throws(StorageError) -> BoundPredicate {
        try bind(predicate, depth: 1)
    }

    private mutating func bind(_ predicate: Predicate, depth: Int) throws(StorageError) -> BoundPredicate {
        if depth > limits.predicateDepth {
            throw StorageError(
                .limitExceeded, "The predicate is nested more than \(limits.predicateDepth) deep; flatten it.")
        }
        try count(1)
        switch predicate {
        case .constant(let truth): return .constant(truth)
        case .compare(let field, let comparison, let value):
            let position = try position(of: field, comparedInOrder: comparison != .equal && comparison != .notEqual)
            if let operand = NumericOperand(value, for: entity.fields[position].type.storageType) {
                return operand.comparison(position, comparison)
            }
            return .compare(position, comparison, try entity.canonicalOperand(value, at: position))
        case .between(let field, let lower, let upper):
            return try bindBetween(field, lower, upper)
        case .isIn(let field, let values):
            return try bindIn(field, values)
        case .beginsWith(let field, let text):
            let position = try entity.requirePosition(of: field)
            try requireText(position)
            return .beginsWith(position, try needle(text, for: position))
        case .contains(let field, let value):
            return try bindContains(field, value)
        case .not(let inner): return .not(try bind(inner, depth: depth + 1))
        case .and(let all): return .and(try bindAll(all, depth: depth))
        case .or(let any): return .or(try bindAll(any, depth: depth))
        }
    }

    private mutating func bindAll(_ predicates: [Predicate], depth: Int) throws(StorageError) -> [BoundPredicate] {
        var bound: [BoundPredicate] = []
        bound.reserveCapacity(predicates.count)
        for predicate in predicates { bound.append(try bind(predicate, depth: depth + 1)) }
        return bound
    }

    private func bindBetween(
        _ field: String, _ lower: Value, _ upper: Value
    ) throws(StorageError) -> BoundPredicate {
        let position = try position(of: field, comparedInOrder: true)
        let type = entity.fields[position].type.storageType
        let nearestLower = NumericOperand(lower, for: type).map(\.above) ?? lower
        let nearestUpper = NumericOperand(upper, for: type).map(\.below) ?? upper
        let bounds = try (
            nearestLower.map { value throws(StorageError) in try entity.canonicalOperand(value, at: position) },
            nearestUpper.map { value throws(StorageError) in try entity.canonicalOperand(value, at: position) }
        )
        guard case (let lower?, let upper?) = bounds else { return .constant(false) }
        return .between(position, lower, upper)
    }

    private mutating func bindIn(_ field: String, _ values: [Value]) throws(StorageError) -> BoundPredicate {
        let position = try entity.requirePosition(of: field)
        try count(values.count)
        var operands: [Value] = []
        operands.reserveCapacity(values.count)
        let type = entity.fields[position].type.storageType
        for value in values {
            let operand = NumericOperand(value, for: type).map(\.exact) ?? value
            guard let operand else { continue }
            operands.append(try entity.canonicalOperand(operand, at: position))
        }
        operands.sort { ValueOrder.compare($0, $1) == .ascending }
        var distinct: [Value] = []
        distinct.reserveCapacity(operands.count)
        for operand in operands where distinct.last.map({ !ValueOrder.areEqual($0, operand) }) ?? true {
            distinct.append(operand)
        }
        return .isIn(position, distinct)
    }

    private func bindContains(_ field: String, _ value: Value) throws(StorageError) -> BoundPredicate {
        let position = try entity.requirePosition(of: field)
        if case .list(let element, _) = entity.fields[position].type {
            let operand = NumericOperand(value, for: element.storageType).map(\.exact) ?? value
            guard let operand else { return .constant(false) }
            do {
                return .containsElement(position, try element.operandType.canonical(operand))
            } catch {
                throw StorageError(
                    .unrepresentable, "'\(entity.name).\(field)' cannot contain this element: \(error.reason)")
            }
        }
        try requireText(position)
        guard case .text(let text) = value else {
            throw StorageError(.unrepresentable, "'\(entity.name).\(field)' is text and can contain only text.")
        }
        return .containsText(position, try needle(text, for: position))
    }

    private func position(of field: String, comparedInOrder: Bool) throws(StorageError) -> Int {
        let position = try entity.requirePosition(of: field)
        if comparedInOrder, entity.fields[position].type.storageType.isList {
            throw StorageError(.schemaMismatch, "'\(entity.name).\(field)' is a list and has no order.")
        }
        return position
    }

    private func requireText(_ position: Int) throws(StorageError) {
        switch entity.fields[position].type.storageType {
        case .text, .json: return
        default:
            throw StorageError(
                .schemaMismatch,
                "'\(entity.name).\(entity.fields[position].name)' is not a text field; beginsWith and contains need one."
            )
        }
    }

    private func needle(_ text: String, for position: Int) throws(StorageError) -> String {
        if text.utf8.contains(0) {
            throw StorageError(
                .unrepresentable,
                "'\(entity.name).\(entity.fields[position].name)' never contains NUL; search for other text.")
        }
        return text
    }

    private mutating func count(_ nodes: Int) throws(StorageError) {
        nodeCount += nodes
        if nodeCount > limits.predicateNodeCount {
            throw StorageError(
                .limitExceeded,
                "The predicate has more than \(limits.predicateNodeCount) terms; split the query.")
        }
    }
}
