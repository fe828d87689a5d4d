/// What a service takes of a filter or condition.
package enum FilterLimits {
    /// The maximum number of values in one: each is compared with each record.
    package static let valueCount = 2_000
}

/// What a service takes of the filter of a subscription.
package enum SubscriptionFilterLimits {
    /// The maximum number of levels of objects; each `and` and each `or` adds one.
    package static let levelCount = 5
    /// The maximum number of fields that are compared side by side.
    package static let fieldCount = 5
    /// The maximum number of ways in which a filter can be true.
    package static let combinationCount = 10
    /// The maximum number of values in one comparison.
    package static let valueCount = 5
    /// The maximum length of a text in a comparison.
    package static let textByteCount = 256
}

extension WireValue {
    /// How many values it has that contain no others.
    package var leafCount: Int {
        switch self {
        case .array(let elements) where !elements.isEmpty: elements.reduce(0) { $0 + $1.leafCount }
        case .object(let object) where !object.members.isEmpty: object.members.reduce(0) { $0 + $1.value.leafCount }
        default: 1
        }
    }
}
