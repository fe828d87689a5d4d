/// What happens to a sync session.
enum SyncEvent<Content: Sendable>: Sendable {
    /// The application wants something.
    case command(CommandID, SyncCommand)
    /// The application wants to have what the service has now.
    case refresh(CommandID)
    /// The device has a network, or has none.
    case network(isUp: Bool)
    /// A request was not sent, since someone has signed in since the session began with no one.
    case userChanged
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
    /// What ``SyncPlan/identity`` is from now on, as was asked for a socket.
    case identified(SocketID, identity: String?)
    /// A frame came.
    case frame(SocketID, IncomingFrame<Content>)
    /// A socket closed or failed; with the failure, if it is known.
    case socketLost(SocketID, ServiceFailure? = nil)
    /// Ends `fetch`.
    case fetched(EffectID, Result<FetchedPage<Content>, ServiceFailure>)
    /// Ends `apply`.
    case applied(EffectID, Result<CommitReport<Content>, StoreFailure>)
    /// Ends `sweep`.
    case swept(EffectID, Result<CommitReport<Content>, StoreFailure>)
    /// Ends `take`.
    case taken(EffectID, Result<Taken<Content>, StoreFailure>)
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
