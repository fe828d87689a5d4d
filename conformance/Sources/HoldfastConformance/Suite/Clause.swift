/// One rule of the adapter contract, with the check that decides whether an adapter keeps it.
public struct Clause: Sendable {
    /// The check; throws ``ClauseFailure`` or anything else if the rule is broken.
    public typealias Check = @Sendable (ClauseContext) async throws -> Void

    /// Three letters for the family and a number, for instance `TXT-004`; never reused for another rule.
    public let id: String
    /// Raised when the check demands more than before; 1 at first.
    public let version: Int
    /// The rule, in one or two sentences.
    public let rule: String
    /// The level it belongs to.
    public let level: Level
    /// What the adapter needs for it; `nil` if every adapter must keep the rule.
    public let requirement: Requirement?
    /// The mistake of real back ends and adapters that the clause catches.
    public let catches: String
    /// What must have been observed for the check to mean anything.
    ///
    /// A check that ends without ``ClauseContext/witness(_:)`` is *vacuous*, a failure.
    public let witness: String
    /// Whether a broken rule loses or corrupts data; such a clause cannot be waived.
    public let protectsData: Bool
    /// Whether the check measures the process that it runs in: it gets one of its own, or is skipped in a run that
    /// cannot start one.
    public let measuresProcess: Bool
    /// The check.
    public let check: Check

    /// Creates a clause.
    ///
    /// - Parameters:
    ///   - id: Family and number.
    ///   - version: 1 by default.
    ///   - rule: What must hold.
    ///   - level: The level; ``Level/core`` by default.
    ///   - requirement: What the adapter needs; nothing by default.
    ///   - catches: The mistake it catches.
    ///   - witness: What must be seen.
    ///   - protectsData: `false` by default.
    ///   - measuresProcess: `false` by default.
    ///   - check: The check.
    public init(
        _ id: String, version: Int = 1, _ rule: String, level: Level = .core, requires requirement: Requirement? = nil,
        catches: String, witness: String, protectsData: Bool = false,
        measuresProcess: Bool = false, check: @escaping Check
    ) {
        self.id = id
        self.version = version
        self.rule = rule
        self.level = level
        self.requirement = requirement
        self.catches = catches
        self.witness = witness
        self.protectsData = protectsData
        self.measuresProcess = measuresProcess
        self.check = check
    }

    /// The three letters before the number.
    public var family: String { String(id.prefix { $0 != "-" }) }
}
