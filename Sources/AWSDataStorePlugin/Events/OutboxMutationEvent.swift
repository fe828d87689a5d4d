public import HoldfastModel

/// A local change awaits the service, or was accepted by it.
public struct OutboxMutationEvent: Sendable {
    /// The changed record.
    public struct OutboxMutationEventElement: Sendable {
        /// The record as it was saved here; for a deletion, as it was.
        public let model: any Model
        /// The version that the service gave it; `nil` before, and for a deletion if the service does not show it.
        public let version: Int?
        /// When it was last changed at the service, in milliseconds since 1970-01-01T00:00Z; `nil` as ``version``.
        public let lastChangedAt: Int64?
        /// Whether it is deleted at the service; `nil` before.
        public let deleted: Bool?

        /// Creates the element.
        public init(model: any Model, version: Int? = nil, lastChangedAt: Int64? = nil, deleted: Bool? = nil) {
            self.model = model
            self.version = version
            self.lastChangedAt = lastChangedAt
            self.deleted = deleted
        }
    }

    /// The model's name.
    public let modelName: String
    /// The changed record.
    public let element: OutboxMutationEventElement

    /// Creates the event.
    public init(modelName: String, element: OutboxMutationEventElement) {
        self.modelName = modelName
        self.element = element
    }
}
