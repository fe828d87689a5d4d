public import HoldfastStorage

/// A condition on one field that no predicate of the store can say.
public struct FilterCheck: Sendable, Hashable {
    /// What is asked of the field's value.
    public enum Question: Sendable, Hashable {
        /// How many characters a text has, bytes of UTF-8 as the service counts, or elements a list.
        case size(Predicate.Comparison, Int64)
        /// Whether the value is of a type of the service's store: `string`, `number`, `bool`, `list`, `map`, `_null`.
        case attributeType(String)
        /// How the text of a date or time compares with a text.
        case text(Predicate.Comparison, String)
        /// Whether the text of a date or time begins with a text.
        case beginsWith(String)
        /// Whether the text of a date or time contains a text.
        case contains(String)
    }

    /// The field's name in the filter.
    public var field: String
    /// What is asked.
    public var question: Question

    /// Whether a value of the field satisfies the condition; null satisfies only the question for it.
    public func matches(_ value: Value) -> Bool {
        switch question {
        case .size(let comparison, let operand):
            guard let size = value.size else { return false }
            return comparison.isTrue(of: Ordering(size, operand))
        case .attributeType(let name): return value.attributeType == name
        case .text(let comparison, let operand):
            guard let text = value.dateText else { return false }
            return comparison.isTrue(of: ValueOrder.compareText(text, operand))
        case .beginsWith(let operand): return value.dateText?.utf8.starts(with: operand.utf8) ?? false
        case .contains(let operand): return operand.isEmpty || (value.dateText?.contains(operand) ?? false)
        }
    }
}

extension Value {
    fileprivate var size: Int64? {
        switch self {
        case .text(let text): Int64(text.utf8.count)
        case .list(let values): Int64(values.count)
        case .date, .time, .timestamp: dateText.map { Int64($0.utf8.count) }
        case .null, .boolean, .integer, .double, .bytes: nil
        }
    }

    /// The name of the value's type as filters have it.
    package var attributeType: String {
        switch self {
        case .null: "_null"
        case .boolean: "bool"
        case .integer, .double: "number"
        case .text, .date, .time, .timestamp: "string"
        case .bytes: "binary"
        case .list: "list"
        }
    }

    fileprivate var dateText: String? {
        switch self {
        case .date(let value): value.text
        case .time(let value): value.text
        case .timestamp(let value): value.text
        default: nil
        }
    }
}
