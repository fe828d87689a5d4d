package import HoldfastStorage

extension FieldType {
    /// Whether two values of the type mean the same, however they are written.
    ///
    /// Times are compared as instants, JSON without regard to the order of members, to spaces, and to the form of
    /// numbers.
    package func meansTheSame(_ left: Value, _ right: Value) -> Bool {
        if left == right { return true }
        switch (self, left, right) {
        case (.json, .text(let left), .text(let right)), (.embedded, .text(let left), .text(let right)):
            guard let left = ExactJSON(parsing: left), let right = ExactJSON(parsing: right) else { return false }
            return left == right
        case (.list(let element, _), .list(let left), .list(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { element.meansTheSame($0, $1) }
        case (_, .timestamp(let left), .timestamp(let right)): return left.utcText == right.utcText
        case (_, .time(let left), .time(let right)): return left.clockText == right.clockText
        case (_, .date(let left), .date(let right)): return left.dayText == right.dayText
        default: return false
        }
    }

    /// Whether a service that merges takes or keeps the whole value, and does not join two of them.
    package var isMergedWhole: Bool {
        switch self {
        case .list, .json, .embedded: false
        default: true
        }
    }
}
