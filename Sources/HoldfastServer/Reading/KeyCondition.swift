import HoldfastStorage
import HoldfastWire

/// The condition on the fields after the first of a key or an index, as arguments state it.
struct KeyCondition {
    /// What the condition demands; `nil` if the arguments state none.
    let test: FilterTest?

    /// Reads the condition.
    ///
    /// It compares values as filters do, so that a part of a date is one that a field can be compared with.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the field.
    ///   - fields: The fields after the first; the argument has their names, joined.
    ///   - reader: Reads the comparisons.
    /// - Throws: ``RequestFault`` if there is more than one comparison; ``StorageError`` if it is not valid.
    init(_ arguments: JSONObject, on fields: [String], with reader: FilterReader) throws {
        let name = Self.argument(for: fields)
        guard let condition = arguments[name]?.object?.members.filter({ !$0.value.isNull }), !condition.isEmpty else {
            test = nil
            return
        }
        guard condition.count == 1 else {
            throw RequestFault.invalidArgument("Argument \(name) must specify at most one key condition operation.")
        }
        let comparison = condition[0]
        if comparison.name == "between" {
            guard let bounds = comparison.value.array, bounds.count == 2 else {
                throw RequestFault.invalidArgument("Argument \(name).between expects exactly 2 elements.")
            }
            let lower = try Self.operands(bounds[0], fields, name)
            let upper = try Self.operands(bounds[1], fields, name)
            test = .and([try reader.test("ge", of: fields, lower), try reader.test("le", of: fields, upper)])
        } else {
            test = try reader.test(comparison.name, of: fields, Self.operands(comparison.value, fields, name))
        }
    }

    /// The name of the argument for some fields; empty for none.
    static func argument(for fields: [String]) -> String {
        guard let first = fields.first else { return "" }
        return first + fields.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The order of the records as arguments state it: by some fields, then by the key.
    static func sort(_ fields: [String], _ arguments: JSONObject) -> [SortKey] {
        let direction: SortKey.Direction = arguments["sortDirection"]?.string == "DESC" ? .descending : .ascending
        return fields.map { SortKey($0, direction) }
    }

    private static func operands(
        _ value: WireValue, _ fields: [String], _ name: String
    ) throws(RequestFault) -> [WireValue] {
        guard fields.count > 1 else { return [value] }
        let given = fields.map { value[$0] ?? .null }
        let operands = Array(given.prefix { !$0.isNull })
        guard !operands.isEmpty, given.dropFirst(operands.count).allSatisfy(\.isNull) else {
            throw .invalidArgument("Argument \(name) needs each field of the key before those that are given.")
        }
        return operands
    }
}

extension FilterReader {
    /// A comparison of several fields in their order; of fewer operands only the first fields count.
    fileprivate func test(
        _ comparison: String, of fields: [String], _ operands: [WireValue]
    ) throws(StorageError) -> FilterTest {
        var alternatives: [FilterTest] = []
        var equal: [FilterTest] = []
        for (index, (field, operand)) in zip(fields, operands).enumerated() {
            guard let column = model.column(field) else { return .never }
            let isLast = index == operands.count - 1
            // Where the fields before are equal, this one decides.
            if isLast || ["lt", "le", "gt", "ge"].contains(comparison) {
                let decisive = isLast ? comparison : String(comparison.prefix(1)) + "t"
                alternatives.append(.and(equal + [try leaf(decisive, operand, column)]))
            }
            equal.append(try leaf("eq", operand, column))
        }
        return .or(alternatives)
    }
}
