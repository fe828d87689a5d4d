public import HoldfastStorage

/// Where relations find their records: the store that a model was read from.
public protocol ModelLoader: Sendable {
    /// The record of a key, or `nil` if there is none.
    func load<M: Model>(_ type: M.Type, key: RecordKey) async throws -> M?

    /// The records whose foreign key leads to a record, in key order.
    ///
    /// - Parameters:
    ///   - type: The model that has the foreign key.
    ///   - field: Its field that belongs to the parent.
    ///   - parent: The parent's key.
    func loadChildren<M: Model>(_ type: M.Type, by field: String, of parent: RecordKey) async throws -> [M]
}
