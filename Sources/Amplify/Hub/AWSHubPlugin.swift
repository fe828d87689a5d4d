import Dispatch
import Foundation
import HoldfastStorage

/// What the Hub runs on; there is always one.
///
/// Each listener gets the events one after the other in the order in which they were dispatched, on a thread of its
/// own; a slow one delays no other.
public final class AWSHubPlugin: HubCategoryPlugin {
    private struct Registered: Sendable {
        let channel: HubChannel
        let isIncluded: HubFilter?
        let listener: HubListener
        let queue: DispatchQueue
    }

    private let listeners = Mutex<[UUID: Registered]>([:])

    /// The name under which the plug-in is found.
    public static var key: PluginKey { "awsHubPlugin" }

    /// The name under which the plug-in is found.
    public var key: PluginKey { Self.key }

    /// Creates a plug-in without listeners.
    public init() {}

    /// Does nothing: there is nothing to configure.
    public func configure(using configuration: Any?) throws {}

    /// Forgets all listeners.
    public func reset() async { listeners.withLock { $0 = [:] } }

    /// Whether a listener was registered and not removed.
    public func hasListener(withToken token: UnsubscribeToken) -> Bool { listeners.withLock { $0[token.id] != nil } }

    /// Listens to events of one name; as ``HubCategory/listen(to:eventName:listener:)``.
    @preconcurrency public func listen(
        to channel: HubChannel, eventName: HubPayloadEventName, listener: @escaping HubListener
    ) -> UnsubscribeToken {
        listen(to: channel, isIncluded: HubFilters.forEventName(eventName), listener: listener)
    }

    /// Listens to events; as ``HubCategory/listen(to:isIncluded:listener:)``.
    @preconcurrency public func listen(
        to channel: HubChannel, isIncluded: HubFilter? = nil, listener: @escaping HubListener
    ) -> UnsubscribeToken {
        let token = UnsubscribeToken(channel: channel, id: UUID())
        let registered = Registered(
            channel: channel, isIncluded: isIncluded, listener: listener, queue: DispatchQueue(label: "amplify.hub"))
        listeners.withLock { $0[token.id] = registered }
        return token
    }

    /// Ends a listener; events dispatched before may still reach it.
    public func removeListener(_ token: UnsubscribeToken) {
        listeners.withLock { _ = $0.removeValue(forKey: token.id) }
    }

    /// Sends an event to all listeners of a channel without waiting for them.
    public func dispatch(to channel: HubChannel, payload: HubPayload) {
        // Queued under the lock, so that two dispatchers cannot swap their events.
        listeners.withLock { listeners in
            for registered in listeners.values where registered.channel == channel {
                registered.queue.async {
                    if registered.isIncluded?(payload) ?? true { registered.listener(payload) }
                }
            }
        }
    }

    /// The channels on which there are listeners.
    var channels: Set<HubChannel> { listeners.withLock { Set($0.values.map(\.channel)) } }
}
