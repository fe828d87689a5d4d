/// What an application wants of a session.
enum SyncCommand: Sendable, Hashable {
    case start, stop, clear
}

/// Names a command.
struct CommandID: Sendable, Hashable {
    /// Chosen by the shell.
    var number: Int
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
