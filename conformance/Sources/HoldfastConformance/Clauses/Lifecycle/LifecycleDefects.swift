extension Defect {
    /// Defects that the clauses of `LIF` must find.
    static let lifecycle: [Defect] = []
}
