extension Defect {
    /// Defects that the clauses of `PRE` must find.
    static let preconditions: [Defect] = []
}
