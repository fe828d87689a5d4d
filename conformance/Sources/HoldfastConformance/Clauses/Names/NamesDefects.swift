extension Defect {
    /// Defects that the clauses of `NAM` must find.
    static let names: [Defect] = []
}
