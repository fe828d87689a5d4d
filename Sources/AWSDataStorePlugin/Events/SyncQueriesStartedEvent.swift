/// The service is about to be asked for records.
public struct SyncQueriesStartedEvent: Sendable, Hashable {
    /// The names of the models.
    public let models: [String]

    /// Creates the event.
    public init(models: [String]) { self.models = models }
}
