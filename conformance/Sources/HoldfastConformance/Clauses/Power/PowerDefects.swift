extension Defect {
    /// Defects that the clauses of `PWR` must find.
    static let power: [Defect] = []
}
