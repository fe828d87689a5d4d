/// What an operation does.
public enum OperationKind: String, Hashable, Sendable, CaseIterable {
    /// Reads.
    case query
    /// Writes, then reads.
    case mutation
    /// Reads whenever something happens.
    case subscription
}

/// A query, mutation or subscription.
public struct OperationDefinition: Hashable, Sendable {
    /// What the author says of it.
    public var description: String?
    /// What it does.
    public var kind: OperationKind
    /// Its name, if it has one.
    public var name: Name?
    /// The variables it declares.
    public var variables: [VariableDefinition]
    /// The directives on it.
    public var directives: [Directive]
    /// What it selects; never empty when parsed.
    public var selections: [Selection]
    /// Where it starts, after its description.
    public var location: Location

    /// Makes an operation.
    public init(
        description: String? = nil, kind: OperationKind, name: Name? = nil, variables: [VariableDefinition] = [],
        directives: [Directive] = [], selections: [Selection], location: Location = .none
    ) {
        self.description = description
        self.kind = kind
        self.name = name
        self.variables = variables
        self.directives = directives
        self.selections = selections
        self.location = location
    }
}

/// The declaration of a variable of an operation.
public struct VariableDefinition: Hashable, Sendable {
    /// What the author says of it.
    public var description: String?
    /// The name without the dollar sign; its location is that of the sign.
    public var name: Name
    /// The type of its values.
    public var type: TypeReference
    /// The value when none is given.
    public var defaultValue: GraphQLValue?
    /// The directives on it.
    public var directives: [Directive]

    /// Makes a declaration.
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
}

/// A selection that operations share by name.
public struct FragmentDefinition: Hashable, Sendable {
    /// What the author says of it.
    public var description: String?
    /// Its name.
    public var name: Name
    /// The type on which it selects.
    public var typeCondition: Name
    /// The directives on it.
    public var directives: [Directive]
    /// What it selects; never empty when parsed.
    public var selections: [Selection]
    /// Where it starts, after its description.
    public var location: Location

    /// Makes a fragment.
    public init(
        description: String? = nil, name: Name, typeCondition: Name, directives: [Directive] = [],
        selections: [Selection], location: Location = .none
    ) {
        self.description = description
        self.name = name
        self.typeCondition = typeCondition
        self.directives = directives
        self.selections = selections
        self.location = location
    }
}
