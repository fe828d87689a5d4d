extension Defect {
    /// Defects that the clauses of `LIM` must find.
    static let limits: [Defect] = []
}
