/// Whether the service can be reached.
public struct NetworkStatusEvent: Sendable, Hashable {
    /// Whether it can.
    public let active: Bool

    /// Creates the event.
    public init(active: Bool) { self.active = active }
}
