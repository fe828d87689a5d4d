extension Defect {
    /// Defects that the clauses of `CAN` must find.
    static let cancellation: [Defect] = []
}
