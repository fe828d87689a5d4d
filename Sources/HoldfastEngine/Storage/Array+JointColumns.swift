extension [Int] {
    /// These columns, and all that change together with one of them, in ascending order.
    ///
    /// - Parameter groups: The columns that change together.
    /// - Returns: The columns, each once.
    func joined(with groups: [[Int]]) -> [Int] {
        if groups.isEmpty { return self }
        var columns = Set(self)
        for group in groups where !columns.isDisjoint(with: group) { columns.formUnion(group) }
        return columns.sorted()
    }
}
