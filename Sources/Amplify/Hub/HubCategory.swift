import Dispatch
import Foundation
import Synchronization

/// What is called with an event.
public typealias HubListener = @Sendable (HubPayload) -> Void

/// Events: dispatched on a channel, received by whoever listens there.
///
/// Each listener gets the events one after the other in the order in which they were dispatched, on a thread of its
/// own; a slow one holds up nobody.
public final class HubCategory: CategoryTypeable, Sendable {
    private struct Registered: Sendable {
        let channel: HubChannel
        let isIncluded: HubFilter?
        let listener: HubListener
        let queue: DispatchQueue
    }

    private let listeners = Mutex<[UUID: Registered]>([:])
    #if canImport(Combine) || OpenCombine
    let subjects = HubSubjects()
    #endif

    init() {}

    /// The Hub.
    public var categoryType: CategoryType { .hub }

    /// Listens to events of one name.
    ///
    /// - Returns: Ends the listener; without it the listener stays.
    @preconcurrency public func listen(
        to channel: HubChannel, eventName: HubPayloadEventName, listener: @escaping HubListener
    ) -> UnsubscribeToken {
        listen(to: channel, isIncluded: HubFilters.forEventName(eventName), listener: listener)
    }

    /// Listens to events.
    ///
    /// - Parameters:
    ///   - channel: Where.
    ///   - isIncluded: To which; to all by default.
    ///   - listener: Called with each.
    /// - Returns: Ends the listener; without it the listener stays.
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

    /// Hands an event to everybody who listens on a channel; does not wait for them.
    public func dispatch(to channel: HubChannel, payload: HubPayload) {
        #if canImport(Combine) || OpenCombine
        subjects.send(payload, to: channel)
        #endif
        // Queued under the lock, so that two dispatchers cannot swap their events.
        listeners.withLock { listeners in
            for registered in listeners.values where registered.channel == channel {
                registered.queue.async {
                    if registered.isIncluded?(payload) ?? true { registered.listener(payload) }
                }
            }
        }
    }

    /// Whether anybody may listen on a channel; events that cost something to make need not be made otherwise.
    package func isHeard(on channel: HubChannel) -> Bool {
        #if canImport(Combine) || OpenCombine
        if subjects.isHeard(on: channel) { return true }
        #endif
        return listeners.withLock { $0.values.contains { $0.channel == channel } }
    }

    func dispatchToAllChannels(_ payload: HubPayload) {
        let custom = listeners.withLock { Set($0.values.map(\.channel)) }
        for channel in custom.union(HubChannel.all) { dispatch(to: channel, payload: payload) }
    }

    func reset() { listeners.withLock { $0 = [:] } }
}
