/// A change in a ``ForeignStore`` that the service has not confirmed.
public struct ForeignMutation: Sendable, Hashable {
    /// What happened to the record.
    public enum Operation: String, Sendable, Hashable {
        /// It is new.
        case create
        /// Some of its fields changed.
        case update
        /// It is gone.
        case delete
    }

    /// Its place in the store, by which a person finds it there.
    public var position: Int64
    /// The record's entity.
    public var entity: String
    /// How the store calls the record.
    public var identifier: String
    /// What happened; `nil` if it cannot be determined.
    public var operation: Operation?
    /// When it happened, in microseconds since 1970-01-01T00:00Z.
    public var madeAt: Int64
    /// The service's version of the record on which the change is based, if it is known.
    public var baseVersion: Int64?
    /// Whether the service should have made the change only under a condition.
    public var hasCondition: Bool

    /// Creates a mutation.
    public init(
        position: Int64, entity: String, identifier: String, operation: Operation?, madeAt: Int64,
        baseVersion: Int64? = nil, hasCondition: Bool = false
    ) {
        self.position = position
        self.entity = entity
        self.identifier = identifier
        self.operation = operation
        self.madeAt = madeAt
        self.baseVersion = baseVersion
        self.hasCondition = hasCondition
    }
}
