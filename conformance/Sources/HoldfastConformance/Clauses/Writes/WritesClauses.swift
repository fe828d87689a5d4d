extension Clause {
    /// Puts, deletes, clears, receipts.
    static let writes: [Clause] = []
}
