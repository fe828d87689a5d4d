/// One way in which a document or schema breaks a rule.
public struct GraphQLProblem: Hashable, Sendable {
    /// The rule that is broken.
    public let rule: GraphQLRule
    /// What is wrong, as a sentence without a period.
    public let message: String
    /// The places that are concerned, the one to change first; empty for something that is missing altogether.
    public let locations: [Location]
    /// How to get out of it, as a sentence; every problem that this module finds has one, unless
    /// ``ValidationLimits/givesHints`` is `false`.
    public let hint: String?

    /// Makes a problem from its parts.
    public init(rule: GraphQLRule, message: String, locations: [Location], hint: String? = nil) {
        self.rule = rule
        self.message = message
        self.locations = locations
        self.hint = hint
    }

    /// The place to change.
    public var location: Location? { locations.first }
}

extension GraphQLProblem: CustomStringConvertible {
    /// Line, column, message and hint on one line.
    public var description: String {
        var text = location.map { "\($0): " } ?? ""
        text += message
        if let hint { text += ". \(hint)" }
        return text
    }
}

/// All problems of a document or schema.
public struct GraphQLValidationError: Error, Hashable, Sendable {
    /// The problems in the order of their places; never empty.
    public let problems: [GraphQLProblem]

    /// Makes an error.
    public init(problems: [GraphQLProblem]) {
        self.problems = problems
    }
}

extension GraphQLValidationError: CustomStringConvertible {
    /// One problem on each line.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
