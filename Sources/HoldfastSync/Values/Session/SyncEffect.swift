import HoldfastEngine

/// What a sync session wants done.
///
/// An effect with an id ends in exactly one event with that id.
enum SyncEffect<Content: Sendable>: Sendable {
    // The store. One of these is in progress at most.
    /// Take the lease.
    case claim(EffectID)
    /// Keep the lease.
    case renew(EffectID)
    /// Give it back. Does nothing if it is not held.
    case release(EffectID)
    /// Remove all records and all that is known of them.
    case clear(EffectID)
    /// Reconcile a page, changes, or only a state, in one commit.
    case apply(EffectID, RemoteWork<Content>)
    /// Remove the records that the full sync of this number has not seen.
    case sweep(EffectID, model: String, generation: Int64)
    /// Freeze the payloads of the first entries of the outbox that are not yet taken, and return them. With
    /// `includesSent` all entries that an earlier session took come first, and count. Records that are judged meanwhile
    /// get the numbers of their models' newest full syncs.
    case take(EffectID, limit: Int, includesSent: Bool)
    /// Record what became of mutations, in one commit. The records get the numbers of their models' newest full syncs.
    case settle(EffectID, [OutgoingMutation.ID: Resolution<Content>], generations: [String: Int64])

    // Reads and requests. Any number is in progress.
    /// Evaluate the sync expressions and read what the store knows of the models.
    case load(EffectID)
    /// Open a socket in a mode of authorization.
    case openSocket(EffectID, SocketID, mode: Int)
    /// Read a page.
    case fetch(EffectID, FetchRequest)
    /// Send the payload of an entry.
    case sendMutation(EffectID, OutgoingMutation.ID, mode: Int)
    /// Read the record of an entry and compare it with the payload.
    case check(EffectID, OutgoingMutation.ID, mode: Int)
    /// Ask the conflict handler.
    case ask(EffectID, OutgoingMutation.ID, remote: Content)
    /// Wait.
    case timer(EffectID, Duration)

    // What ends in no event.
    /// Send a frame; a failure ends the socket.
    case sendFrame(SocketID, OutgoingFrame)
    /// Close a socket. No event about it counts any longer.
    case closeSocket(SocketID)
    /// Notify the status that a model is complete; the hub is notified of it once in a connection.
    case synced(model: String)
    /// Notify the hub.
    case emit(HubEvent<Content>)
    /// Notify the error handler and the status.
    case report(SyncReport)
    /// Answer a command.
    case answer(CommandID, CommandResult)
    /// Answer a refresh: with the problem, if models could not be read.
    case refreshed(CommandID, SyncProblem?)
}

extension SyncEffect: Equatable where Content: Equatable {}
