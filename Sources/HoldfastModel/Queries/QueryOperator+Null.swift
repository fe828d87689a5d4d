import HoldfastStorage

extension QueryOperator {
    /// Whether the comparison asks only if there is a value (`true`) or none (`false`).
    package var asksForValue: Bool? {
        switch self {
        case .attributeExists(let exists): exists
        case .equals(nil): false
        case .notEqual(nil): true
        default: nil
        }
    }

    /// Whether the comparison holds for null.
    package var isTrueOfNull: Bool {
        switch self {
        case .equals(let value): value?.storageValue.isNull ?? true
        case .notEqual(let value): !(value?.storageValue.isNull ?? true)
        case .notContains: true
        case .attributeExists(let exists): !exists
        default: false
        }
    }
}
