public import HoldfastStorage

extension Predicate {
    /// The same predicate with negations only at comparisons, without constants inside, and without nested groups of
    /// one kind.
    var normal: Predicate { normal(isNegated: false) }

    private func normal(isNegated: Bool) -> Predicate {
        switch self {
        case .constant(let truth): return .constant(truth != isNegated)
        case .not(let inner): return inner.normal(isNegated: !isNegated)
        case .and(let parts): return Self.joined(parts.map { $0.normal(isNegated: isNegated) }, byAnd: !isNegated)
        case .or(let parts): return Self.joined(parts.map { $0.normal(isNegated: isNegated) }, byAnd: isNegated)
        case .compare(_, let comparison, .null) where comparison != .equal && comparison != .notEqual:
            return .constant(isNegated)
        case .compare(let field, .equal, let value) where isNegated: return .compare(field, .notEqual, value)
        case .compare(let field, .notEqual, let value) where isNegated: return .compare(field, .equal, value)
        case .between(_, .null, _), .between(_, _, .null): return .constant(isNegated)
        case .isIn(let field, let values) where values.count <= 1:
            guard let value = values.first else { return .constant(isNegated) }
            return .compare(field, isNegated ? .notEqual : .equal, value)
        default: return isNegated ? .not(self) : self
        }
    }

    private static func joined(_ parts: [Predicate], byAnd: Bool) -> Predicate {
        var joined: [Predicate] = []
        for part in parts {
            switch part {
            case .constant(let truth) where truth == byAnd: continue
            case .constant: return part
            case .and(let inner) where byAnd: joined += inner
            case .or(let inner) where !byAnd: joined += inner
            default: joined.append(part)
            }
        }
        if joined.isEmpty { return .constant(byAnd) }
        return joined.count == 1 ? joined[0] : byAnd ? .and(joined) : .or(joined)
    }

    /// A text that is the same for predicates that differ only in their form: in the order and nesting of groups, in
    /// repetitions, in double negations, and in the spelling of numbers.
    ///
    /// For comparing a stored sync expression with the current one. Different texts do not mean different conditions.
    public var canonicalText: String { Self.canonical(normal).text }

    private static func canonical(_ predicate: Predicate) -> WireValue {
        switch predicate {
        case .constant(let truth): return .boolean(truth)
        case .compare(let field, let comparison, let value):
            return [.string(comparison.operatorName), .string(field), canonical(value)]
        case .between(let field, let lower, let upper):
            return ["between", .string(field), canonical(lower), canonical(upper)]
        case .isIn(let field, let values): return ["in", .string(field), .array(sorted(values.map(canonical)))]
        case .beginsWith(let field, let text): return ["beginsWith", .string(field), .string(text)]
        case .contains(let field, let value): return ["contains", .string(field), canonical(value)]
        case .not(let inner): return ["not", canonical(inner)]
        case .and(let parts): return ["and", .array(sorted(parts.map(canonical)))]
        case .or(let parts): return ["or", .array(sorted(parts.map(canonical)))]
        }
    }

    /// The values by their texts, each once.
    private static func sorted(_ values: [WireValue]) -> [WireValue] {
        var texts: Set<[UInt8]> = []
        let unique = values.map { ($0, $0.bytes) }.filter { texts.insert($0.1).inserted }
        return unique.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
    }

    private static func canonical(_ value: Value) -> WireValue {
        switch value {
        case .null: return nil
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .double(let value): return JSONNumber(value).map { .number($0.shortest) } ?? nil
        case .text(let value): return .string(value)
        case .bytes(let value): return ["bytes": .array(value.map { .integer(Int64($0)) })]
        case .date(let value): return ["date": .integer(Int64(value.daysSinceEpoch))]
        case .time(let value): return ["time": .integer(value.nanosecondsSinceMidnight)]
        case .timestamp(let value): return ["timestamp": .string(value.utcText)]
        case .list(let values): return ["list": .array(values.map(canonical))]
        }
    }
}

extension Predicate.Comparison {
    /// The comparison's operator in filters.
    var operatorName: String {
        switch self {
        case .equal: "eq"
        case .notEqual: "ne"
        case .less: "lt"
        case .lessOrEqual: "le"
        case .greater: "gt"
        case .greaterOrEqual: "ge"
        }
    }

    /// The comparison of an operator, or `nil`.
    init?(operatorName: String) {
        guard let comparison = Self.allCases.first(where: { $0.operatorName == operatorName }) else { return nil }
        self = comparison
    }
}
