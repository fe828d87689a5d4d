/// What is called with an event.
public typealias HubListener = @Sendable (HubPayload) -> Void

/// Events: dispatched on a channel, received by all listeners of that channel.
///
/// Each listener gets the events one after the other in the order in which they were dispatched, on a thread of its
/// own; a slow one delays no other.
public final class HubCategory: CategoryTypeable, HubCategoryBehavior, Sendable {
    private let plugin = AWSHubPlugin()
    #if canImport(Combine) || OpenCombine
    let subjects = HubSubjects()
    #endif

    init() {}

    /// The Hub.
    public var categoryType: CategoryType { .hub }

    /// The plug-in of a key; there is one, ``AWSHubPlugin``.
    ///
    /// - Throws: ``PluginError`` `.noSuchPlugin` for any other key.
    public func getPlugin(for key: PluginKey) throws -> any HubCategoryPlugin {
        guard key == plugin.key else {
            throw PluginError.noSuchPlugin("The Hub has no plug-in '\(key)'.", "Use the key '\(plugin.key)'.")
        }
        return plugin
    }

    /// Listens to events of one name.
    ///
    /// - Returns: Ends the listener; without it the listener stays.
    @preconcurrency public func listen(
        to channel: HubChannel, eventName: HubPayloadEventName, listener: @escaping HubListener
    ) -> UnsubscribeToken {
        plugin.listen(to: channel, eventName: eventName, listener: listener)
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
        plugin.listen(to: channel, isIncluded: isIncluded, listener: listener)
    }

    /// Ends a listener; events dispatched before may still reach it.
    public func removeListener(_ token: UnsubscribeToken) { plugin.removeListener(token) }

    /// Sends an event to all listeners of a channel without waiting for them.
    public func dispatch(to channel: HubChannel, payload: HubPayload) {
        #if canImport(Combine) || OpenCombine
        subjects.send(payload, to: channel)
        #endif
        plugin.dispatch(to: channel, payload: payload)
    }

    /// Whether a channel may have listeners; events that cost something to make need not be made otherwise.
    package func isHeard(on channel: HubChannel) -> Bool {
        #if canImport(Combine) || OpenCombine
        if subjects.isHeard(on: channel) { return true }
        #endif
        return plugin.channels.contains(channel)
    }

    func dispatchToAllChannels(_ payload: HubPayload) {
        for channel in plugin.channels.union(HubChannel.all) { dispatch(to: channel, payload: payload) }
    }

    func reset() async { await plugin.reset() }
}
