extension Defect {
    /// Defects that the clauses of `LST` must find.
    static let lists: [Defect] = []
}
