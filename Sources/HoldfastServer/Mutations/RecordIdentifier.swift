import HoldfastStorage

/// The model and the key of a record.
struct RecordIdentifier: Hashable, Comparable, Sendable {
    var model: String
    var key: RecordKey

    static func < (left: Self, right: Self) -> Bool {
        left.model == right.model ? left.key < right.key : left.model < right.model
    }
}
