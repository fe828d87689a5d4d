extension Defect {
    /// Defects that the clauses of `CRS` must find.
    static let crash: [Defect] = []
}
