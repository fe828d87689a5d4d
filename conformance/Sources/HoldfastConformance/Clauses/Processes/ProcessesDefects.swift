extension Defect {
    /// Defects that the clauses of `PRC` must find.
    static let processes: [Defect] = []
}
