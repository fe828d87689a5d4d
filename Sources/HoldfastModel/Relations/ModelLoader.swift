public import HoldfastStorage

/// Where relations find their records: the store that a model was read from.
public protocol ModelLoader: Sendable {
    /// The record of a key, or `nil` if there is none.
    func load<M: Model>(_ type: M.Type, key: RecordKey) async throws -> M?

    /// Records of a model that lead to one record, in key order.
    func loadChildren<M: Model>(_ type: M.Type, _ request: ChildrenRequest) async throws -> ChildrenPage<M>
}
