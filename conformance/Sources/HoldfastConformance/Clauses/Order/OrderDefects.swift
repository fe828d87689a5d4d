extension Defect {
    /// Defects that the clauses of `ORD` must find.
    static let order: [Defect] = []
}
