extension Defect {
    /// Defects that the clauses of `TIM` must find.
    static let temporal: [Defect] = []
}
