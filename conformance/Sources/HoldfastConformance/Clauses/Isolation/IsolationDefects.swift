extension Defect {
    /// Defects that the clauses of `ISO` must find.
    static let isolation: [Defect] = []
}
