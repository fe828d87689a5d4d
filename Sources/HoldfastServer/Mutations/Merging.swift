import HoldfastStorage

/// How the values of a field are merged when two sides changed a record.
package enum Merging: Sendable, Hashable {
    /// The stored value stays.
    case scalar
    /// The new elements are appended to the stored ones, duplicates too.
    case list
    /// The new elements that the stored list lacks are appended to it.
    case set
    /// Each member is merged.
    case map

    init(_ type: FieldType, isSet: Bool) {
        switch type {
        case .list: self = isSet ? .set : .list
        case .embedded, .json: self = .map
        default: self = .scalar
        }
    }
}
