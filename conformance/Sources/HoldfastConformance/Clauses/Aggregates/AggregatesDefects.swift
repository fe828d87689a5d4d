extension Defect {
    /// Defects that the clauses of `AGG` must find.
    static let aggregates: [Defect] = []
}
