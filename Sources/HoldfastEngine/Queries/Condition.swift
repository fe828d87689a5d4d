import HoldfastStorage

/// A predicate along paths: what it asks of a record itself, of parts of its embedded values, and of the records it
/// relates to.
///
/// The logic is two-valued, as ``Predicate``'s is.
indirect enum Condition: Sendable {
    /// Asks only for the record's own fields.
    case local(Predicate)
    /// Asks for a part of an embedded value, which the predicate calls by a name.
    case embedded(EmbeddedPath, called: String, Predicate)
    /// Whether some record at the other end of a relation satisfies a condition; false if there is none.
    case related(RelationStep, Condition)
    /// The exact complement.
    case not(Condition)
    /// True if all are; true when empty.
    case and([Condition])
    /// True if any is; false when empty.
    case or([Condition])

    /// The condition as a predicate, or `nil` if it asks for more than an adapter knows.
    var predicate: Predicate? {
        switch self {
        case .local(let predicate): return predicate
        case .embedded, .related: return nil
        case .not(let inner): return inner.predicate.map { .not($0) }
        case .and(let all):
            let predicates = all.compactMap(\.predicate)
            return predicates.count == all.count ? .and(predicates) : nil
        case .or(let any):
            let predicates = any.compactMap(\.predicate)
            return predicates.count == any.count ? .or(predicates) : nil
        }
    }

    /// A predicate that every satisfying record satisfies, and perhaps others.
    var upperBound: Predicate { bound(restIs: true) }

    private func bound(restIs truth: Bool) -> Predicate {
        switch self {
        case .local(let predicate): predicate
        case .embedded, .related: .constant(truth)
        case .not(let inner): .not(inner.bound(restIs: !truth))
        case .and(let all): .and(all.map { $0.bound(restIs: truth) })
        case .or(let any): .or(any.map { $0.bound(restIs: truth) })
        }
    }

    /// The entities at the other ends of all relations.
    var relatedEntities: Set<String> {
        switch self {
        case .local, .embedded: []
        case .related(let step, let inner): inner.relatedEntities.union([step.related.entity.name])
        case .not(let inner): inner.relatedEntities
        case .and(let parts), .or(let parts): parts.reduce(into: []) { $0.formUnion($1.relatedEntities) }
        }
    }
}

extension Predicate {
    /// The comparisons, groups and list elements, as adapters limit them.
    var nodeCount: Int {
        switch self {
        case .isIn(_, let values): 1 + values.count
        case .not(let inner): 1 + inner.nodeCount
        case .and(let parts), .or(let parts): parts.reduce(1) { $0 + $1.nodeCount }
        default: 1
        }
    }
}

extension Predicate {
    /// The nesting, as adapters limit it.
    var depth: Int {
        switch self {
        case .not(let inner): 1 + inner.depth
        case .and(let parts), .or(let parts): 1 + (parts.lazy.map(\.depth).max() ?? 0)
        default: 1
        }
    }
}
