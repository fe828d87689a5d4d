/// A change of the store as a value: applied whole or not at all.
///
/// Sendable and without behavior, so that it can be replayed after a conflict, recorded, and shrunk by a test.
///
/// ```swift
/// let row = RowBuffer(row: [.text("b2"), .text("Emma"), .integer(474)])
/// let request = CommitRequest(
///     preconditions: [.absent(entity: "Book", key: RecordKey("b2"))],
///     operations: [
///         .put(entity: "Book", rows: row, mode: .insert), .delete(entity: "Book", keys: [RecordKey("b1")]),
///     ])
/// let receipt = try await store.commit(request)  // both, or none
/// ```
public struct CommitRequest: Sendable {
    /// What must hold; checked before the first operation.
    public var preconditions: [Precondition]
    /// The steps, applied in order; a later step sees the earlier ones.
    public var operations: [WriteOperation]
    /// What the commit must survive once it is acknowledged; `nil` for the strongest the adapter declares.
    public var durability: Durability?

    /// Creates a request; nothing to check, nothing to do and the adapter's strongest durability by default.
    public init(
        preconditions: [Precondition] = [], operations: [WriteOperation] = [], durability: Durability? = nil
    ) {
        self.preconditions = preconditions
        self.operations = operations
        self.durability = durability
    }
}
