/// What an engine reports while it works.
package enum SyncNotification: Sendable, Equatable {
    /// What applications learn through the hub.
    case hub(HubEvent<SyncContent>)
    /// What went wrong.
    case report(SyncReport)
}
