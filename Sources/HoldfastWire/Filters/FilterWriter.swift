import HoldfastStorage

/// Says a predicate in the service's words, as exactly as they allow.
struct FilterWriter {
    /// A condition that is true wherever the predicate is.
    enum Sent: Hashable {
        case everything
        case nothing
        case some(WireValue)
    }

    let model: WireModel
    let dialect: FilterDialect

    /// A condition for a normal predicate, and whether it is true only where the predicate is.
    func sent(_ predicate: Predicate) -> (Sent, isExact: Bool) {
        switch predicate {
        case .constant(let truth): return (truth ? .everything : .nothing, true)
        case .and(let parts): return all(parts)
        case .or(let parts): return any(parts)
        default: return comparison(predicate)
        }
    }

    /// Whether a part of a conjunction needs no second look.
    func sentAsPart(_ part: Predicate) -> Bool {
        let (sent, isExact) = sent(part)
        return isExact && sent != .everything
    }

    /// What is sent; `nil` for everything, and a null key for nothing, since all records have a key.
    func json(_ sent: Sent) -> WireValue? {
        switch sent {
        case .everything: nil
        case .nothing: [model.columns[model.keyColumns[0]].wireName: ["eq": nil]]
        case .some(let filter): filter
        }
    }

    private func all(_ parts: [Predicate]) -> (Sent, isExact: Bool) {
        var (filters, isExact) = ([WireValue](), true)
        for part in parts {
            let (sent, partIsExact) = sent(part)
            isExact = isExact && partIsExact
            switch sent {
            case .everything: break
            case .nothing: return (.nothing, true)
            case .some(let filter): filters.append(filter)
            }
        }
        guard !filters.isEmpty else { return (.everything, isExact) }
        if dialect == .subscription, !SubscriptionFilterLimits.allow(all: filters) { return (.everything, false) }
        return (.some(filters.count == 1 ? filters[0] : ["and": .array(filters)]), isExact)
    }

    private func any(_ parts: [Predicate]) -> (Sent, isExact: Bool) {
        var (filters, isExact) = ([WireValue](), true)
        for part in parts {
            let (sent, partIsExact) = sent(part)
            isExact = isExact && partIsExact
            switch sent {
            case .everything: return (.everything, partIsExact)
            case .nothing: break
            case .some(let filter): filters.append(filter)
            }
        }
        guard !filters.isEmpty else { return (.nothing, isExact) }
        if dialect == .subscription, !SubscriptionFilterLimits.allow(any: filters) { return (.everything, false) }
        return (.some(filters.count == 1 ? filters[0] : ["or": .array(filters)]), isExact)
    }

    private func comparison(_ predicate: Predicate) -> (Sent, isExact: Bool) {
        let (name, isNegated) = predicate.comparedField
        guard let name, let position = model.position(of: name),
            // Conditions name neither the key nor an `id` beside another key.
            dialect != .condition || !model.keyColumns.contains(position) && model.columns[position].wireName != "id",
            dialect != .subscription || model.columns[position].isInSubscriptionFilters
        else { return (.everything, false) }
        let column = model.columns[position]
        let comparisons = ColumnComparison(column: column, dialect: dialect)
        guard isNegated, case .not(let inner) = predicate else { return comparisons.sent(predicate) }
        return comparisons.sentNegated(inner)
    }
}

extension Predicate {
    /// The field of a comparison, and whether the comparison is negated; no field for a group.
    fileprivate var comparedField: (String?, isNegated: Bool) {
        switch self {
        case .compare(let field, _, _), .between(let field, _, _), .isIn(let field, _), .beginsWith(let field, _),
            .contains(let field, _):
            (field, false)
        case .not(let inner): (inner.comparedField.0, true)
        case .constant, .and, .or: (nil, false)
        }
    }
}

extension SubscriptionFilterLimits {
    /// Whether conditions of which all must hold are few enough, each on another field, and at most one of them a
    /// choice.
    static func allow(all filters: [WireValue]) -> Bool {
        let names = filters.flatMap { $0.object?.members.map(\.name) ?? [] }
        let fields = names.filter { $0 != "or" && $0 != "and" }
        return filters.count <= fieldCount && Set(names).count == names.count && fields.count >= names.count - 1
            && !names.contains("and")
    }

    /// Whether conditions of which one must hold are few enough.
    static func allow(any filters: [WireValue]) -> Bool { filters.count <= combinationCount }
}
