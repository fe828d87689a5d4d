extension Defect {
    /// Defects that the clauses of `NUM` must find.
    static let numbers: [Defect] = []
}
