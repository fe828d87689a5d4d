extension Defect {
    /// Defects that the clauses of `RES` must find.
    static let resources: [Defect] = []
}
