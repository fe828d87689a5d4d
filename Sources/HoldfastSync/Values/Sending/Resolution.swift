/// How an entry of the outbox ends, or continues.
enum Resolution<Content: Sendable>: Sendable {
    /// The service has it; this is the record now.
    case confirmed(Content)
    /// A deletion of what is deleted already.
    case done(Content?)
    /// It becomes a dead letter, and its change is taken back. The remote record takes its place if it is known.
    case dead(DeadReason, remote: Content?)
    /// It becomes a dead letter, and its record goes: the service has no such record any longer, not even as deleted.
    case gone(DeadReason)
    /// It is sent again on the remote record, as it was or with other values.
    case resend(onto: Content, replacing: Content?)
}

extension Resolution {
    /// Whether the entry becomes a dead letter.
    var isDead: Bool {
        switch self {
        case .dead, .gone: true
        case .confirmed, .done, .resend: false
        }
    }
}

extension Resolution: Equatable where Content: Equatable {}
