/// An event's name, such as `DataStore.ready`.
public typealias HubPayloadEventName = String

/// An event: immutable, so it may go to any thread with what it carries, if that may.
public struct HubPayload: @unchecked Sendable {
    /// The names of events.
    public struct EventName {}

    /// The event's name.
    public let eventName: HubPayloadEventName
    /// What the event belongs to.
    public let context: Any?
    /// What the event says; its type depends on the name.
    public let data: Any?

    /// Creates an event.
    public init(eventName: HubPayloadEventName, context: Any? = nil, data: Any? = nil) {
        self.eventName = eventName
        self.context = context
        self.data = data
    }
}

extension HubPayload.EventName {
    /// Events on every channel.
    public struct Amplify {
        /// `configure` has ended.
        public static let configured = "Amplify.configured"
    }

    /// Events on the channel of Auth.
    public struct Auth {
        /// A user signed in.
        public static let signedIn = "Auth.signedIn"
        /// The user signed out.
        public static let signedOut = "Auth.signedOut"
        /// The user has to sign in again.
        public static let sessionExpired = "Auth.sessionExpired"
        /// The user was deleted.
        public static let userDeleted = "Auth.userDeleted"
    }

    /// Events on the channel of the DataStore.
    public struct DataStore {
        /// Whether the service can be reached; at start and whenever it changes.
        public static let networkStatus = "DataStore.networkStatus"
        /// Changes of all models are being received.
        public static let subscriptionsEstablished = "DataStore.subscriptionEstablished"
        /// The service is about to be asked for the records of these models.
        public static let syncQueriesStarted = "DataStore.syncQueriesStarted"
        /// The records of one model are synchronized with the service.
        public static let modelSynced = "DataStore.modelSynced"
        /// The records of all models are synchronized with the service.
        public static let syncQueriesReady = "DataStore.syncQueriesReady"
        /// Local changes are being sent.
        public static let syncStarted = "DataStore.syncStarted"
        /// The DataStore can be used.
        public static let ready = "DataStore.ready"
        /// Whether local changes await the service; at start and whenever it may have changed.
        public static let outboxStatus = "DataStore.outboxStatus"
        /// A local change now awaits the service.
        public static let outboxMutationEnqueued = "DataStore.outboxMutationEnqueued"
        /// The service has accepted a local change.
        public static let outboxMutationProcessed = "DataStore.outboxMutationProcessed"
        /// A record came from the service.
        public static let syncReceived = "DataStore.syncReceived"
        /// The service has refused a change because of its condition.
        public static let conditionalSaveFailed = "DataStore.conditionalSaveFailed"
    }
}
