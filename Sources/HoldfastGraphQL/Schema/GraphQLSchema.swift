/// The types, directives and root types of a service, ready to validate and execute documents against.
public struct GraphQLSchema: Sendable {
    /// How a schema is read.
    public struct Configuration: Sendable {
        /// Definitions that are there without being written, such as the scalars and directives of a service.
        ///
        /// Definitions of the schema itself replace those of the same name.
        public var prelude: GraphQLDocument?
        /// Whether a schema without query root type is a problem; `true` by default.
        public var requiresQueryType: Bool
        /// How many problems are reported.
        public var limits: ValidationLimits

        /// Makes a configuration.
        public init(
            prelude: GraphQLDocument? = nil, requiresQueryType: Bool = true,
            limits: ValidationLimits = ValidationLimits()
        ) {
            self.prelude = prelude
            self.requiresQueryType = requiresQueryType
            self.limits = limits
        }
    }

    /// What the author says of the schema.
    public let description: String?
    /// The directives on the schema definition and its extensions.
    public let schemaDirectives: [Directive]
    /// All types: those of the document in its order, then those of the prelude, then the built-in ones.
    public let types: [SchemaType]
    /// All directives, in the same order.
    public let directives: [DirectiveDefinition]

    private let typesByName: [String: SchemaType]
    private let directiveIndices: [String: Int]
    private let rootNames: [OperationKind: String]

    /// Makes a schema from the definitions of a document.
    ///
    /// - Parameters:
    ///   - document: Definitions of types, directives and the schema, and extensions of them, in any order.
    ///   - configuration: What else is defined, and what is demanded.
    /// - Throws: ``GraphQLValidationError`` with all problems.
    /// - Complexity: O(n) in the size of the document, except for interfaces, where each field is compared with those
    ///   of the interfaces of its type.
    public init(
        _ document: GraphQLDocument, configuration: Configuration = Configuration()
    ) throws(GraphQLValidationError) {
        let (schema, problems) = Self.checked(document, configuration)
        guard problems.isEmpty else { throw GraphQLValidationError(problems: problems) }
        self = schema
    }

    /// All problems of a document as a schema, in the order of their places.
    public static func problems(
        in document: GraphQLDocument, configuration: Configuration = Configuration()
    ) -> [GraphQLProblem] {
        checked(document, configuration).problems
    }

    private static func checked(
        _ document: GraphQLDocument, _ configuration: Configuration
    ) -> (schema: GraphQLSchema, problems: [GraphQLProblem]) {
        var builder = SchemaBuilder(configuration)
        builder.collect(document)
        let schema = GraphQLSchema(builder)
        var validator = SchemaValidator(schema, builder)
        validator.validate()
        return (schema, validator.problems.sorted())
    }

    private init(_ builder: borrowing SchemaBuilder) {
        description = builder.description
        schemaDirectives = builder.schemaDirectives
        types = builder.makeTypes()
        typesByName = Dictionary(types.map { ($0.name, $0) }) { first, _ in first }
        directives = builder.directives
        directiveIndices = Dictionary(zip(directives.map(\.name.text), directives.indices)) { first, _ in first }
        var names: [OperationKind: String] = [:]
        for root in builder.roots where names[root.kind] == nil { names[root.kind] = root.type.text }
        if !builder.hasSchemaDefinition {
            for (kind, name) in SchemaBuilder.defaultRoots where names[kind] == nil {
                if typesByName[name] != nil { names[kind] = name }
            }
        }
        rootNames = names
    }
}

// MARK: - Lookups

extension GraphQLSchema {
    /// The type of a name.
    ///
    /// - Complexity: O(1).
    public func type(_ name: String) -> SchemaType? {
        typesByName[name]
    }

    /// The directive of a name without the at sign.
    ///
    /// - Complexity: O(1).
    public func directive(_ name: String) -> DirectiveDefinition? {
        directiveIndices[name].map { directives[$0] }
    }

    /// The type on which a kind of operation selects; `nil` when the service has none of that kind.
    ///
    /// - Complexity: O(1).
    public func rootType(_ kind: OperationKind) -> SchemaType? {
        rootNames[kind].flatMap { typesByName[$0] }
    }

    /// A field of a type as a document can select it, with `__typename` and, on the query root, `__schema`, `__type`.
    ///
    /// - Complexity: O(1).
    public func field(_ name: String, of type: SchemaType) -> FieldDefinition? {
        if let field = type.field(name) { return field }
        guard name.utf8.first == UInt8(ascii: "_") else { return nil }
        if name == "__typename" { return type.kind.isComposite ? BuiltIns.typename : nil }
        guard rootNames[.query] == type.name else { return nil }
        return BuiltIns.rootFields.first { $0.name.text == name }
    }

    /// Whether every value of one type is a value of another.
    ///
    /// - Complexity: O(1) except for nested lists.
    public func isSubtype(_ type: TypeReference, of other: TypeReference) -> Bool {
        if other.isNonNull { return type.isNonNull && isSubtype(type.nullable, of: other.nullable) }
        if type.isNonNull { return isSubtype(type.nullable, of: other) }
        if let element = other.element {
            guard let ownElement = type.element else { return false }
            return isSubtype(ownElement, of: element)
        }
        guard !type.isList else { return false }
        return type.name.text == other.name.text || isSubtype(type.name.text, of: other.name.text)
    }

    /// Whether an object or interface is a member or an implementation of another type.
    ///
    /// - Complexity: O(1).
    public func isSubtype(_ name: String, of abstract: String) -> Bool {
        guard let type = typesByName[name], let other = typesByName[abstract], other.kind.isAbstract else {
            return false
        }
        return other.kind == .union ? other.possibleTypeSet.contains(name) : type.interfaceNames.contains(abstract)
    }

    /// Whether some object is a value of both types.
    ///
    /// - Complexity: O(k) in the smaller number of objects when both can be several, otherwise O(1).
    public func overlap(_ left: SchemaType, _ right: SchemaType) -> Bool {
        if left.name == right.name { return true }
        switch (left.kind.isAbstract, right.kind.isAbstract) {
        case (false, false): return false
        case (true, false): return left.possibleTypeSet.contains(right.name)
        case (false, true): return right.possibleTypeSet.contains(left.name)
        case (true, true): return !left.possibleTypeSet.isDisjoint(with: right.possibleTypeSet)
        }
    }
}
