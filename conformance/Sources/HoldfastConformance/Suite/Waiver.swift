/// An author's statement that the adapter is known to break a rule.
///
/// Without effect on clauses that protect data. A waiver that has expired, or whose clause passes, is a failure.
public struct Waiver: Sendable, Hashable {
    /// Why the rule is broken.
    public enum Reason: Sendable, Hashable {
        /// The back end cannot keep it.
        case unsupportedByBackend(String)
        /// The adapter does not keep it yet.
        case notYet
        /// A defect that has been reported at this address.
        case knownBug(String)
    }

    /// The clause's id.
    public let clause: String
    /// Why.
    public let reason: Reason
    /// The last day on which it holds, as `YYYY-MM-DD`.
    public let expires: String

    /// Creates a waiver.
    ///
    /// - Parameters:
    ///   - clause: The clause's id.
    ///   - reason: Why the rule is broken.
    ///   - expires: The last day on which it holds, as `YYYY-MM-DD`.
    public init(_ clause: String, _ reason: Reason, expires: String) {
        self.clause = clause
        self.reason = reason
        self.expires = expires
    }
}
