import HoldfastStorage
import HoldfastWire

/// The condition on the fields after the first of a key or an index, as arguments state it.
struct KeyCondition {
    /// What the condition demands.
    let predicates: [Predicate]

    /// Reads the condition.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the field.
    ///   - fields: The fields after the first; the argument has their names, joined.
    ///   - model: The model of the records.
    /// - Throws: ``RequestFault`` if there is more than one comparison.
    init(_ arguments: JSONObject, on fields: [String], of model: ServerModel) throws(RequestFault) {
        let name = Self.argument(for: fields)
        guard let condition = arguments[name]?.object?.members.filter({ !$0.value.isNull }), !condition.isEmpty else {
            predicates = []
            return
        }
        guard condition.count == 1 else {
            throw .invalidArgument("Argument \(name) must specify at most one key condition operation.")
        }
        let comparison = condition[0]
        if comparison.name == "between" {
            guard let bounds = comparison.value.array, bounds.count == 2 else {
                throw .invalidArgument("Argument \(name).between expects exactly 2 elements.")
            }
            let lower = try Self.values(bounds[0], fields, name)
            let upper = try Self.values(bounds[1], fields, name)
            predicates = [
                Self.compare(fields, lower, .greaterOrEqual), Self.compare(fields, upper, .lessOrEqual),
            ]
            return
        }
        let values = try Self.values(comparison.value, fields, name)
        switch comparison.name {
        case "eq": predicates = [Self.compare(fields, values, .equal)]
        case "lt": predicates = [Self.compare(fields, values, .less)]
        case "le": predicates = [Self.compare(fields, values, .lessOrEqual)]
        case "gt": predicates = [Self.compare(fields, values, .greater)]
        case "ge": predicates = [Self.compare(fields, values, .greaterOrEqual)]
        default: predicates = try Self.begins(fields, values, model)
        }
    }

    /// The name of the argument for some fields; empty for none.
    static func argument(for fields: [String]) -> String {
        guard let first = fields.first else { return "" }
        return first + fields.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The order of the records: by these fields, then by the key.
    func sort(_ fields: [String], _ arguments: JSONObject) -> [SortKey] {
        let direction: SortKey.Direction = arguments["sortDirection"]?.string == "DESC" ? .descending : .ascending
        return fields.map { SortKey($0, direction) }
    }

    private static func values(
        _ value: JSONValue, _ fields: [String], _ name: String
    ) throws(RequestFault) -> [Value] {
        guard fields.count > 1 else { return [value.operand] }
        let given = fields.map { value[$0] ?? .null }
        let values = Array(given.prefix { !$0.isNull })
        guard !values.isEmpty, given.dropFirst(values.count).allSatisfy(\.isNull) else {
            throw .invalidArgument("Argument \(name) needs each field of the key before those that are given.")
        }
        return values.map(\.operand)
    }

    /// A comparison of several fields in their order; of fewer values only the first fields count.
    private static func compare(
        _ fields: [String], _ values: [Value], _ comparison: Predicate.Comparison
    ) -> Predicate {
        let pairs = Array(zip(fields, values))
        let equal = pairs.map { Predicate.compare($0, .equal, $1) }
        let strict: Predicate.Comparison
        switch comparison {
        case .equal, .notEqual: return .and(equal)
        case .less, .lessOrEqual: strict = .less
        case .greater, .greaterOrEqual: strict = .greater
        }
        return .or(
            pairs.indices.map { index in
                let isLast = index == pairs.count - 1
                return .and(
                    Array(equal.prefix(index))
                        + [.compare(pairs[index].0, isLast ? comparison : strict, pairs[index].1)])
            })
    }

    private static func begins(
        _ fields: [String], _ values: [Value], _ model: ServerModel
    ) throws(RequestFault) -> [Predicate] {
        let pairs = Array(zip(fields, values))
        guard let last = pairs.last, case .text(let text) = last.1 else { return [.constant(false)] }
        let begins = Predicate.beginsWith(last.0, text)
        guard (try? model.bind(begins)) != nil else {
            throw .invalidArgument("The field \(last.0) is not text; compare it in another way.")
        }
        return pairs.dropLast().map { .compare($0.0, .equal, $0.1) } + [begins]
    }
}
