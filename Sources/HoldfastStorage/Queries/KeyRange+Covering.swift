extension KeyRange {
    /// The smallest range of keys that this type can express and that holds every record a predicate selects.
    ///
    /// Uses the top-level comparisons, alone or in an `and`: equality on leading key fields, then bounds on the next
    /// one.
    init(covering predicate: BoundPredicate, of entity: EntitySchema) {
        let conjuncts = predicate.conjuncts
        var prefix: [Value] = []
        for position in entity.primaryKeyPositions {
            if let value = conjuncts.lazy.compactMap({ $0.equality(at: position) }).first {
                prefix.append(value)
                continue
            }
            let lower = conjuncts.lazy.compactMap { $0.lowerBound(at: position, after: prefix) }.first
            let upper = conjuncts.lazy.compactMap { $0.upperBound(at: position, after: prefix) }.first
            let inside: Bound = prefix.isEmpty ? .unbounded : .included(prefix)
            self.init(entity.name, from: lower ?? inside, to: upper ?? inside)
            return
        }
        self.init(entity.name, from: .included(prefix), to: .included(prefix))
    }
}

extension BoundPredicate {
    /// What must be true together: the top-level comparisons, alone or in an `and`.
    var conjuncts: [BoundPredicate] { if case .and(let all) = self { all } else { [self] } }

    /// The value the field at a position must equal, if this comparison says so.
    func equality(at position: Int) -> Value? {
        switch self {
        case .compare(position, .equal, let value): value
        case .isIn(position, let values) where values.count == 1: values[0]
        default: nil
        }
    }

    fileprivate func lowerBound(at position: Int, after prefix: [Value]) -> KeyRange.Bound? {
        switch self {
        case .compare(position, .greater, let value): .excluded(prefix + [value])
        case .compare(position, .greaterOrEqual, let value), .between(position, let value, _):
            .included(prefix + [value])
        case .beginsWith(position, let text): .included(prefix + [.text(text)])
        case .isIn(position, let values): values.first.map { .included(prefix + [$0]) }
        default: nil
        }
    }

    fileprivate func upperBound(at position: Int, after prefix: [Value]) -> KeyRange.Bound? {
        switch self {
        case .compare(position, .less, let value): .excluded(prefix + [value])
        case .compare(position, .lessOrEqual, let value), .between(position, _, let value):
            .included(prefix + [value])
        case .isIn(position, let values): values.last.map { .included(prefix + [$0]) }
        default: nil
        }
    }
}
