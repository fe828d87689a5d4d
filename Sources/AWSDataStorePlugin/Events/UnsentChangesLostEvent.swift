public import Amplify

extension HubPayload.EventName.DataStore {
    /// The models changed, and unsent changes were discarded with the records of their models; the data
    /// is an ``UnsentChangesLostEvent``.
    public static let unsentChangesLost = "DataStore.unsentChangesLost"
}

/// How many unsent changes were discarded when the store was opened with other models.
public struct UnsentChangesLostEvent: Sendable, Hashable {
    /// The changes of each model, by its name in the store.
    public let counts: [String: Int]

    /// Creates an event.
    public init(counts: [String: Int]) { self.counts = counts }
}
