extension Defect {
    /// Defects that the clauses of `HIS` must find.
    static let histories: [Defect] = []
}
