/// A value that the type of its field does not admit.
///
/// Thrown by ``FieldType/canonical(_:)`` and by the parsing initializers of dates and times. It never contains the
/// offending value, so it may be logged.
public struct InvalidScalar: Error, Sendable, Equatable {
    /// The type that does not admit the value; the list type when an element is at fault.
    public let type: FieldType
    /// What is wrong and which form is expected, as a phrase without a final period.
    public let reason: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - type: The type that does not admit the value.
    ///   - reason: What is wrong and which form is expected; must not contain the value.
    public init(type: FieldType, reason: String) {
        self.type = type
        self.reason = reason
    }
}

extension InvalidScalar: CustomStringConvertible {
    /// The GraphQL name of the type and the reason.
    public var description: String { "invalid \(type.graphQLName): \(reason)" }
}
