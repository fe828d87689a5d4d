package import HoldfastStorage

extension Value {
    /// Whether this value comes before another.
    package func isBefore(_ other: Value) -> Bool { ValueOrder.compare(self, other) == .ascending }
}

extension Array where Element == Value {
    /// The row with another cell at a position.
    package func replacing(_ position: Int, _ value: Value) -> [Value] {
        var row = self
        row[position] = value
        return row
    }
}
