/// Why a text is not a GraphQL document.
public struct GraphQLSyntaxError: Error, Hashable, Sendable {
    /// What sort of failure it is.
    public enum Kind: Hashable, Sendable {
        /// The text breaks the grammar.
        case syntax
        /// The bytes are not UTF-8.
        case encoding
        /// The text goes over one of the ``SyntaxLimits``.
        case limit
    }

    /// What sort of failure it is.
    public let kind: Kind
    /// What is wrong, as a sentence without a period.
    public let message: String
    /// The place of the first byte that is not allowed where it is.
    public let location: Location
    /// What is allowed there, as a phrase; `nil` where that would say nothing.
    public let expected: String?
    /// How to get out of it, as a sentence; `nil` when there is no likely cause.
    public let hint: String?

    /// Makes an error from its parts.
    public init(
        kind: Kind = .syntax, message: String, location: Location, expected: String? = nil, hint: String? = nil
    ) {
        self.kind = kind
        self.message = message
        self.location = location
        self.expected = expected
        self.hint = hint
    }
}

extension GraphQLSyntaxError: CustomStringConvertible {
    /// Line, column, message, expectation and hint on one line.
    public var description: String {
        var text = "\(location): \(message)"
        if let expected { text += "; expected \(expected)" }
        if let hint { text += ". \(hint)" }
        return text
    }
}
