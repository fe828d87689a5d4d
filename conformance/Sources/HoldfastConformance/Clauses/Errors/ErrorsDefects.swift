extension Defect {
    /// Defects that the clauses of `ERR` must find.
    static let errors: [Defect] = []
}
