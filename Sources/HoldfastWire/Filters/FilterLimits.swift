/// What a service takes of a filter or condition.
package enum FilterLimits {
    /// The maximum number of values in one: each is compared with each record.
    package static let valueCount = 2_000
}

extension JSONValue {
    /// How many values it has that contain no others.
    package var leafCount: Int {
        switch self {
        case .array(let elements) where !elements.isEmpty: elements.reduce(0) { $0 + $1.leafCount }
        case .object(let object) where !object.members.isEmpty: object.members.reduce(0) { $0 + $1.value.leafCount }
        default: 1
        }
    }
}
