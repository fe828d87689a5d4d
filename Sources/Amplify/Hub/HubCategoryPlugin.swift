/// Carries events from those who dispatch them to those who listen.
public protocol HubCategoryBehavior {
    /// Listens to events of one name; as ``HubCategory/listen(to:eventName:listener:)``.
    @preconcurrency func listen(
        to channel: HubChannel, eventName: HubPayloadEventName, listener: @escaping HubListener
    ) -> UnsubscribeToken

    /// Listens to events; as ``HubCategory/listen(to:isIncluded:listener:)``.
    @preconcurrency func listen(
        to channel: HubChannel, isIncluded: HubFilter?, listener: @escaping HubListener
    ) -> UnsubscribeToken

    /// Ends a listener; events dispatched before may still reach it.
    func removeListener(_ token: UnsubscribeToken)

    /// Sends an event to all listeners of a channel without waiting for them.
    func dispatch(to channel: HubChannel, payload: HubPayload)
}

/// What the Hub runs on.
public protocol HubCategoryPlugin: Plugin, HubCategoryBehavior {}

extension HubCategoryPlugin {
    /// The Hub.
    public var categoryType: CategoryType { .hub }
}
