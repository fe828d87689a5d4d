/// How a store is to be opened.
public struct OpenRequest: Sendable {
    /// The entities the store shall hold.
    public var schema: StorageSchema

    /// Creates a request.
    public init(schema: StorageSchema) { self.schema = schema }
}
