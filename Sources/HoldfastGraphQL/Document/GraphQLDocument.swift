/// A GraphQL text as data: operations and fragments, types and directives, or all of them.
public struct GraphQLDocument: Hashable, Sendable {
    /// The definitions in the order of the source.
    public var definitions: [Definition]

    /// Makes a document.
    public init(definitions: [Definition]) {
        self.definitions = definitions
    }
}

/// One definition of a document.
public enum Definition: Hashable, Sendable {
    /// A query, mutation or subscription.
    case operation(OperationDefinition)
    /// A fragment.
    case fragment(FragmentDefinition)
    /// The root types.
    case schema(SchemaDefinition)
    /// An addition to the root types.
    case schemaExtension(SchemaDefinition)
    /// A type.
    case type(TypeDefinition)
    /// An addition to a type.
    case typeExtension(TypeDefinition)
    /// A directive.
    case directive(DirectiveDefinition)

    /// Where the definition starts, after its description.
    public var location: Location {
        switch self {
        case .operation(let operation): operation.location
        case .fragment(let fragment): fragment.location
        case .schema(let schema), .schemaExtension(let schema): schema.location
        case .type(let type), .typeExtension(let type): type.location
        case .directive(let directive): directive.location
        }
    }
}
