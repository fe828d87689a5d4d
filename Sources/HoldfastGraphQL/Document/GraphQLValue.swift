/// A literal value or a variable, as written.
public struct GraphQLValue: Hashable, Sendable {
    /// What a value is.
    public enum Content: Hashable, Sendable {
        /// A variable, named without the dollar sign.
        case variable(String)
        /// An integer in the digits of the source.
        case int(String)
        /// A number with fraction or exponent, in the digits of the source.
        case float(String)
        /// A string without quotation marks and escapes.
        case string(String)
        /// `true` or `false`.
        case boolean(Bool)
        /// `null`.
        case null
        /// A bare name.
        case enumeration(String)
        /// Values in order.
        case list([GraphQLValue])
        /// Named values in the order of the source; a name that occurs twice occurs twice here.
        case object([ObjectField])
    }

    /// What the value is.
    public var content: Content
    /// Where the value starts.
    public var location: Location

    /// Makes a value.
    public init(_ content: Content, location: Location = .none) {
        self.content = content
        self.location = location
    }
}

/// One entry of an object value.
public struct ObjectField: Hashable, Sendable {
    /// The name of the input field.
    public var name: Name
    /// Its value.
    public var value: GraphQLValue

    /// Makes an entry.
    public init(name: Name, value: GraphQLValue) {
        self.name = name
        self.value = value
    }
}

/// A named value given to a field or a directive.
public struct Argument: Hashable, Sendable {
    /// The name of the argument.
    public var name: Name
    /// Its value.
    public var value: GraphQLValue

    /// Makes an argument.
    public init(name: Name, value: GraphQLValue) {
        self.name = name
        self.value = value
    }
}

/// A directive with its arguments where it is applied.
public struct Directive: Hashable, Sendable {
    /// The name without the at sign.
    public var name: Name
    /// The arguments in the order of the source.
    public var arguments: [Argument]
    /// Where the at sign is.
    public var location: Location

    /// Makes an application of a directive.
    public init(name: Name, arguments: [Argument] = [], location: Location = .none) {
        self.name = name
        self.arguments = arguments
        self.location = location
    }

    /// The value of an argument, if it is given; the first of several.
    public func argument(_ name: String) -> GraphQLValue? {
        arguments.first { $0.name.text == name }?.value
    }
}
