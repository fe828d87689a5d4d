/// A broken rule: what was expected and what came instead.
public struct ClauseFailure: Error, Sendable, CustomStringConvertible {
    /// What differs, in one or more lines.
    public let message: String
    /// Swift that shows the same, where the check can give it.
    public let example: String?

    /// Creates a failure.
    public init(_ message: String, example: String? = nil) {
        self.message = message
        self.example = example
    }

    /// The message, then the example.
    public var description: String { example.map { "\(message)\n\($0)" } ?? message }
}

/// What was declared unsupported works.
struct UnderDeclaration: Error {
    let message: String
}

/// The harness cannot do what a check needs.
public struct HarnessFailure: Error, Sendable, CustomStringConvertible {
    /// What the harness failed to do.
    public let description: String

    /// Creates a failure.
    public init(_ description: String) { self.description = description }
}

/// A check cannot run here; the reason is shown as that of a skip.
public struct ClauseSkip: Error, Sendable {
    /// Why.
    public let reason: String

    /// Creates a skip.
    public init(_ reason: String) { self.reason = reason }

    static let noWorkers = ClauseSkip("This run has no executable to start as a child process.")
}
