/// A field of an object or interface.
public struct FieldDefinition: Hashable, Sendable {
    /// What the author says of it.
    public var description: String?
    /// Its name.
    public var name: Name
    /// The arguments it takes.
    public var arguments: [InputValueDefinition]
    /// The type of its values.
    public var type: TypeReference
    /// The directives on it.
    public var directives: [Directive]

    /// Makes a field.
    public init(
        description: String? = nil, name: Name, arguments: [InputValueDefinition] = [], type: TypeReference,
        directives: [Directive] = []
    ) {
        self.description = description
        self.name = name
        self.arguments = arguments
        self.type = type
        self.directives = directives
    }

    /// The first use of a directive on the field, if there is one.
    public func directive(_ name: String) -> Directive? {
        directives.first { $0.name.text == name }
    }

    /// The argument of a name, if there is one.
    public func argument(_ name: String) -> InputValueDefinition? {
        arguments.first { $0.name.text == name }
    }
}

/// An argument of a field or directive, or a field of an input object.
public struct InputValueDefinition: Hashable, Sendable {
    /// What the author says of it.
    public var description: String?
    /// Its name.
    public var name: Name
    /// The type of its values.
    public var type: TypeReference
    /// The value when none is given.
    public var defaultValue: GraphQLValue?
    /// The directives on it.
    public var directives: [Directive]

    /// Makes an input value.
    public init(
        description: String? = nil, name: Name, type: TypeReference, defaultValue: GraphQLValue? = nil,
        directives: [Directive] = []
    ) {
        self.description = description
        self.name = name
        self.type = type
        self.defaultValue = defaultValue
        self.directives = directives
    }

    /// Whether a value must be given: null is not allowed, and there is no default.
    public var isRequired: Bool { type.isNonNull && defaultValue == nil }

    /// The first use of a directive on the input value, if there is one.
    public func directive(_ name: String) -> Directive? {
        directives.first { $0.name.text == name }
    }
}

/// A value of an enum.
public struct EnumValueDefinition: Hashable, Sendable {
    /// What the author says of it.
    public var description: String?
    /// Its name.
    public var name: Name
    /// The directives on it.
    public var directives: [Directive]

    /// Makes a value of an enum.
    public init(description: String? = nil, name: Name, directives: [Directive] = []) {
        self.description = description
        self.name = name
        self.directives = directives
    }
}
