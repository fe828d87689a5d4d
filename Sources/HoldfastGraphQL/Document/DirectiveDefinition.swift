/// Where a directive can be used.
public enum DirectiveLocation: String, Hashable, Sendable, CaseIterable {
    /// On a query.
    case query = "QUERY"
    /// On a mutation.
    case mutation = "MUTATION"
    /// On a subscription.
    case subscription = "SUBSCRIPTION"
    /// On a selected field.
    case field = "FIELD"
    /// On a fragment.
    case fragmentDefinition = "FRAGMENT_DEFINITION"
    /// On the use of a fragment.
    case fragmentSpread = "FRAGMENT_SPREAD"
    /// On a fragment in place.
    case inlineFragment = "INLINE_FRAGMENT"
    /// On the declaration of a variable.
    case variableDefinition = "VARIABLE_DEFINITION"
    /// On the schema definition.
    case schema = "SCHEMA"
    /// On a scalar.
    case scalar = "SCALAR"
    /// On an object.
    case object = "OBJECT"
    /// On a field of an object or interface.
    case fieldDefinition = "FIELD_DEFINITION"
    /// On an argument of a field or directive.
    case argumentDefinition = "ARGUMENT_DEFINITION"
    /// On an interface.
    case interface = "INTERFACE"
    /// On a union.
    case union = "UNION"
    /// On an enum.
    case `enum` = "ENUM"
    /// On a value of an enum.
    case enumValue = "ENUM_VALUE"
    /// On an input object.
    case inputObject = "INPUT_OBJECT"
    /// On a field of an input object.
    case inputFieldDefinition = "INPUT_FIELD_DEFINITION"
}

/// The definition of a directive.
public struct DirectiveDefinition: Hashable, Sendable {
    /// What the author says of it.
    public var description: String?
    /// The name without the at sign.
    public var name: Name
    /// The arguments it takes.
    public var arguments: [InputValueDefinition]
    /// Whether it can be used several times in one place.
    public var isRepeatable: Bool
    /// Where it can be used, in the order of the source.
    public var locations: [DirectiveLocation]
    /// Where the keyword is, after the description.
    public var location: Location

    /// Makes a definition of a directive.
    public init(
        description: String? = nil, name: Name, arguments: [InputValueDefinition] = [], isRepeatable: Bool = false,
        locations: [DirectiveLocation], location: Location = .none
    ) {
        self.description = description
        self.name = name
        self.arguments = arguments
        self.isRepeatable = isRepeatable
        self.locations = locations
        self.location = location
    }
}

/// The root types of a schema or, as part of ``Definition/schemaExtension(_:)``, what is added to them.
public struct SchemaDefinition: Hashable, Sendable {
    /// What the author says of it; never of an extension.
    public var description: String?
    /// The directives on it.
    public var directives: [Directive]
    /// The root types in the order of the source.
    public var roots: [RootTypeDefinition]
    /// Where the keyword is, after the description.
    public var location: Location

    /// Makes a schema definition.
    public init(
        description: String? = nil, directives: [Directive] = [], roots: [RootTypeDefinition],
        location: Location = .none
    ) {
        self.description = description
        self.directives = directives
        self.roots = roots
        self.location = location
    }
}

/// The type on which one kind of operation selects.
public struct RootTypeDefinition: Hashable, Sendable {
    /// The kind of operation.
    public var kind: OperationKind
    /// The type.
    public var type: Name
    /// Where the kind is.
    public var location: Location

    /// Makes a root type.
    public init(kind: OperationKind, type: Name, location: Location = .none) {
        self.kind = kind
        self.type = type
        self.location = location
    }
}
