public import Foundation

/// Where events of one kind are dispatched.
public enum HubChannel: Sendable, Hashable {
    /// Events of Analytics.
    case analytics
    /// Events of the API.
    case api
    /// Events of Auth.
    case auth
    /// Events of the DataStore.
    case dataStore
    /// Events of Geo.
    case geo
    /// Events of the Hub.
    case hub
    /// Events of Logging.
    case logging
    /// Events of Predictions.
    case predictions
    /// Events of push notifications.
    case pushNotifications
    /// Events of Storage.
    case storage
    /// Events of the application, under a name of its own.
    case custom(String)

    /// The channels of the library.
    static let all: [HubChannel] = [
        .analytics, .api, .auth, .dataStore, .geo, .hub, .logging, .predictions, .pushNotifications, .storage,
    ]
}

/// Ends a listener; see ``HubCategory/removeListener(_:)``.
public struct UnsubscribeToken: Sendable, Hashable {
    /// Where the listener listens.
    public let channel: HubChannel
    let id: UUID

    /// Creates a token, for a Hub of one's own.
    public init(channel: HubChannel, id: UUID) {
        self.channel = channel
        self.id = id
    }
}

/// Whether an event is wanted.
public typealias HubFilter = @Sendable (HubPayload) -> Bool

/// Filters of events.
public enum HubFilters {
    /// Wants what all filters want.
    public static func all(filters: HubFilter...) -> HubFilter {
        { payload in filters.allSatisfy { $0(payload) } }
    }

    /// Wants what one of the filters wants.
    public static func any(filters: HubFilter...) -> HubFilter {
        { payload in filters.contains { $0(payload) } }
    }

    /// Wants events of one name.
    public static func forEventName(_ eventName: HubPayloadEventName) -> HubFilter { { $0.eventName == eventName } }
}
