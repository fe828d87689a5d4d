/// Where something happens in a run.
public enum RunPlace: Sendable, Hashable, Codable {
    /// At a client.
    case client(Int)
    /// At a process of the service.
    case server(Int)
    /// At no place of its own.
    case everywhere
}

/// One thing that happens in a run.
public struct RunMark: Sendable, Hashable, Codable {
    /// What kind of thing it is.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// What an application or an operator does.
        case edit
        /// What goes wrong.
        case fault
        /// A commit of records.
        case commit
        /// Something that the run reports.
        case note
        /// Something that the run reports for the record, and a diagram has no room for.
        case detail
        /// What must never happen.
        case violation
    }

    /// When it happens, in microseconds since the run began.
    public var at: Int64
    /// Where it happens.
    public var place: RunPlace
    /// What kind of thing it is.
    public var kind: Kind
    /// What happens, in words.
    public var text: String
}

/// A message between a client and the service.
public struct RunMessage: Sendable, Hashable, Codable {
    /// What kind of message it is.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// A request of a client.
        case request
        /// The answer to a request.
        case answer
        /// What a subscription delivers.
        case event
    }

    /// Who sends it.
    public var from: RunPlace
    /// Who receives it.
    public var to: RunPlace
    /// When it leaves, in microseconds since the run began.
    public var sentAt: Int64
    /// When it arrives; `nil` if it never does.
    public var arrivedAt: Int64?
    /// What kind of message it is.
    public var kind: Kind
    /// What it says, in a few words.
    public var text: String
}
