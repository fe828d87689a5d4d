/// Whether local changes await the service.
public struct OutboxStatusEvent: Sendable, Hashable {
    /// Whether none does.
    public let isEmpty: Bool

    /// Creates the event.
    public init(isEmpty: Bool) { self.isEmpty = isEmpty }
}
