/// What a run says of one clause.
public enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
    /// The adapter keeps the rule.
    case conformant
    /// The adapter declares that it lacks what the rule is about, refuses it correctly, and nothing changes.
    case conformantWithout = "conformant-without"
    /// The adapter declares that it lacks what the rule is about, but does it nevertheless.
    case underDeclared = "under-declared"
    /// The adapter breaks the rule.
    case nonConformant = "non-conformant"
    /// The check ended without having seen what it is about.
    case vacuous
    /// The harness, not the adapter, is at fault.
    case harnessError = "harness-error"
    /// The adapter breaks the rule, and its author said so beforehand.
    case waived
    /// Not checked; the reason says why.
    case skipped

    /// Whether the verdict counts as passed.
    public var isPass: Bool { self == .conformant || self == .conformantWithout }
    /// Whether the verdict is neither passed nor failed.
    public var isSkip: Bool { self == .skipped || self == .waived }
    /// Whether the verdict counts as failed.
    public var isFailure: Bool { !isPass && !isSkip }
}
