extension Defect {
    /// Defects that the clauses of `SCH` must find.
    static let schema: [Defect] = []
}
