/// A kind of authorization, or that of the service's configuration.
public enum AmplifyAuthorizationType: Sendable, Hashable {
    /// That of the configuration.
    case inferred
    /// This kind.
    case designated(AWSAuthorizationType)

    /// The kind; `nil` for that of the configuration.
    public var awsAuthType: AWSAuthorizationType? {
        switch self {
        case .inferred: nil
        case .designated(let type): type
        }
    }
}

/// Kinds of authorization, one after the other.
public protocol AuthorizationTypeIterator {
    /// What names a kind.
    associatedtype AuthorizationType

    /// Creates an iterator over kinds.
    init(withValues: [AuthorizationType])

    /// How many kinds there are in total.
    var count: Int { get }
    /// Whether there is another kind.
    var hasNext: Bool { get }

    /// The next kind; `nil` if there is none.
    mutating func next() -> AuthorizationType?
}

/// Kinds of authorization that an API of AWS knows.
public struct AWSAuthorizationTypeIterator: AuthorizationTypeIterator, Sequence, IteratorProtocol, Sendable {
    /// How many kinds there are in total.
    public let count: Int
    private var rest: ArraySlice<AmplifyAuthorizationType>

    /// Creates an iterator over kinds.
    public init(withValues values: [AmplifyAuthorizationType]) { self.init(withValues: values, valuesOnEmpty: []) }

    /// Creates an iterator over kinds, or over others if there are none.
    public init(withValues values: [AmplifyAuthorizationType], valuesOnEmpty defaults: [AmplifyAuthorizationType]) {
        rest = (values.isEmpty ? defaults : values)[...]
        count = rest.count
    }

    /// Whether there is another kind.
    public var hasNext: Bool { !rest.isEmpty }

    /// The next kind; `nil` if there is none.
    public mutating func next() -> AmplifyAuthorizationType? { rest.popFirst() }
}
