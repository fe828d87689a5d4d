extension Clause {
    /// Opening, closing, reopening, several handles.
    static let lifecycle: [Clause] = []
}
