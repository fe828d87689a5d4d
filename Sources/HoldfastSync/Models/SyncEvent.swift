/// What happens to a sync session.
enum SyncEvent<Content: Sendable>: Sendable {
    /// The application wants something.
    case command(CommandID, SyncCommand)
    /// The device has a network, or has none.
    case network(isUp: Bool)
    /// The outbox has new entries.
    case outboxChanged
    /// Ends `claim`.
    case claimed(EffectID, ClaimResult)
    /// Ends `renew`.
    case renewed(EffectID, ClaimResult)
    /// Ends `release`.
    case released(EffectID)
    /// Ends `clear`; with the failure, if it failed.
    case cleared(EffectID, StoreFailure?)
    /// Ends `load`.
    case loaded(EffectID, Result<SyncPlan, StoreFailure>)
    /// Ends `openSocket`.
    case socketOpened(EffectID, Result<Void, ServiceFailure>)
    /// A frame came.
    case frame(SocketID, IncomingFrame<Content>)
    /// A socket closed or failed.
    case socketLost(SocketID)
    /// Ends `fetch`.
    case fetched(EffectID, Result<FetchedPage<Content>, ServiceFailure>)
    /// Ends `apply`.
    case applied(EffectID, Result<CommitReport<Content>, StoreFailure>)
    /// Ends `sweep`.
    case swept(EffectID, Result<CommitReport<Content>, StoreFailure>)
    /// Ends `take`.
    case taken(EffectID, Result<Taken, StoreFailure>)
    /// Ends `settle`.
    case settled(EffectID, Result<SettleReport<Content>, StoreFailure>)
    /// Ends `sendMutation`.
    case answered(EffectID, MutationAnswer<Content>)
    /// Ends `check`.
    case checked(EffectID, CheckAnswer<Content>)
    /// Ends `ask`.
    case decided(EffectID, ConflictDecision<Content>)
    /// Ends `timer`.
    case timerFired(EffectID)
}

/// Names a command.
struct CommandID: Sendable, Hashable {
    /// Chosen by the shell.
    var number: Int
}

/// What an application wants of a session.
enum SyncCommand: Sendable, Hashable {
    case start, stop, clear
}

/// How a command ended.
package enum CommandResult: Sendable, Hashable {
    /// It was carried out.
    case done
    /// Another process synchronizes the store; this one takes over when that one ends.
    case following
    /// It failed; the session is stopped.
    case failed(String)
}

/// Names a socket.
struct SocketID: Sendable, Hashable {
    /// Rises from socket to socket; a number is never used again.
    var number: Int
}

/// Names a subscription on its socket.
struct SubscriptionID: Sendable, Hashable {
    /// Rises from start to start; a number is never used again.
    var number: Int
}

/// What a service sends over a socket.
enum IncomingFrame<Content: Sendable>: Sendable {
    /// The socket is ready; without a frame for so long it is lost.
    case connectionAck(timeout: Duration)
    /// The socket is refused.
    case connectionError(ServiceFailure)
    /// A sign of life.
    case keepAlive
    /// A subscription is active.
    case startAck(SubscriptionID)
    /// A change.
    case data(SubscriptionID, RemoteChange<Content>)
    /// A change that could not be read. The subscription continues.
    case unreadable(SubscriptionID, String)
    /// A subscription failed.
    case error(SubscriptionID, ServiceFailure)
    /// A subscription ended.
    case complete(SubscriptionID)
}
