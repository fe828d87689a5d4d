/// How much validation does before it gives up.
public struct ValidationLimits: Hashable, Sendable {
    /// The greatest number of problems that are reported; 100 by default.
    ///
    /// One more says that there are more.
    public var problemCount: Int
    /// The greatest number of steps for rules that follow fragments from operation to operation; 4 million by default.
    ///
    /// Ordinary documents need fewer steps than they have bytes. One that needs more is refused with a problem of rule
    /// ``GraphQLRule/limits``, since it can only be meant to waste time.
    public var stepCount: Int
    /// Whether problems have hints; `true` by default.
    ///
    /// For a hint a misspelled name is compared with thousands of others. A service that does not show hints saves the
    /// time.
    public var givesHints: Bool

    /// Makes limits.
    public init(problemCount: Int = 100, stepCount: Int = 4_000_000, givesHints: Bool = true) {
        self.problemCount = problemCount
        self.stepCount = stepCount
        self.givesHints = givesHints
    }
}
