extension Defect {
    /// Defects that the clauses of `WRT` must find.
    static let writes: [Defect] = []
}
