extension Defect {
    /// Defects that the clauses of `FED` must find.
    static let feed: [Defect] = []
}
