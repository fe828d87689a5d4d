/// Records to be read by their keys.
public struct GetRequest: Sendable {
    /// The entity.
    public var entity: String
    /// The keys; the answer has one row for each, in this order.
    public var keys: [RecordKey]

    /// Creates a request.
    public init(_ entity: String, keys: [RecordKey]) {
        self.entity = entity
        self.keys = keys
    }
}
