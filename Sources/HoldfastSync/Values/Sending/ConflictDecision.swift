/// What a conflict handler decided, with content that the core passes on and does not read.
enum ConflictDecision<Content: Sendable>: Sendable {
    /// The remote record wins.
    case applyRemote
    /// The local change is made again on the remote record.
    case retryLocal
    /// Another record takes the place of both.
    case retry(Content)
    /// The remote record wins, for this reason.
    case giveUp(DeadReason)
}

extension ConflictDecision: Equatable where Content: Equatable {}
