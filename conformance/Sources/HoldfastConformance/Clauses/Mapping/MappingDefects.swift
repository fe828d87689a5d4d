extension Defect {
    /// Defects that the clauses of `MAP` must find.
    static let mapping: [Defect] = []
}
