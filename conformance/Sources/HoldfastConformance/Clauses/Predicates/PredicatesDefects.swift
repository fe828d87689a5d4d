extension Defect {
    /// Defects that the clauses of `PRD` must find.
    static let predicates: [Defect] = []
}
