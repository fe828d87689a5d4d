/// Gathers definitions and merges extensions into them.
struct SchemaBuilder {
    static let defaultRoots: [(OperationKind, String)] = [
        (.query, "Query"), (.mutation, "Mutation"), (.subscription, "Subscription"),
    ]

    let configuration: GraphQLSchema.Configuration
    private(set) var problems: ProblemList
    private(set) var description: String?
    private(set) var schemaDirectives: [Directive] = []
    private(set) var roots: [RootTypeDefinition] = []
    private(set) var directives: [DirectiveDefinition] = []

    private var schemaLocation: Location?
    private var definitions: [TypeDefinition] = []
    private var typeIndices: [String: Int] = [:]
    private var directiveIndices: [String: Int] = [:]
    private var extensions: [TypeDefinition] = []
    /// The number of leading types that the document itself defines.
    private var ownTypeCount = 0

    init(_ configuration: GraphQLSchema.Configuration) {
        self.configuration = configuration
        problems = ProblemList(configuration.limits)
    }

    var hasSchemaDefinition: Bool { schemaLocation != nil }

    /// Takes the definitions of a document, of the prelude and of the specification.
    mutating func collect(_ document: GraphQLDocument) {
        for definition in document.definitions { add(definition) }
        ownTypeCount = definitions.count
        for document in [configuration.prelude, BuiltIns.document] {
            for definition in document?.definitions ?? [] { addInherited(definition) }
        }
        mergeExtensions()
    }

    /// The types, with the objects that each of them can be.
    func makeTypes() -> [SchemaType] {
        var objectsOfInterface: [String: [String]] = [:]
        for definition in definitions where definition.kind == .object {
            var seen: Set<String> = []
            for interface in definition.interfaces where seen.insert(interface.text).inserted {
                objectsOfInterface[interface.text, default: []].append(definition.name.text)
            }
        }
        return definitions.enumerated().map { index, definition in
            let possible: [String] =
                switch definition.kind {
                case .object: [definition.name.text]
                case .interface: objectsOfInterface[definition.name.text] ?? []
                case .union:
                    definition.members.map(\.text).filter { name in
                        typeIndices[name].map { definitions[$0].kind == .object } ?? false
                    }
                default: []
                }
            let isBuiltIn = index >= ownTypeCount && isBuiltInName(definition.name.text)
            return SchemaType(definition: definition, isBuiltIn: isBuiltIn, possibleTypeNames: possible)
        }
    }

    private func isBuiltInName(_ name: String) -> Bool {
        BuiltIns.scalars.contains(name) || name.hasPrefix("__")
    }

    // MARK: - Definitions

    private mutating func add(_ definition: Definition) {
        switch definition {
        case .operation(let operation):
            problems.add(
                .executableDefinitions, at: operation.location, message: "an operation is not allowed in a schema",
                hint: "Move it to a document of its own.")
        case .fragment(let fragment):
            problems.add(
                .executableDefinitions, at: fragment.location,
                message: "the fragment \"\(fragment.name)\" is not allowed in a schema",
                hint: "Move it to a document of its own.")
        case .schema(let schema):
            if let first = schemaLocation {
                problems.add(
                    .loneSchemaDefinition, at: schema.location, first, message: "there is a second schema definition",
                    hint: "Write \"extend schema\" to add to the first one, at \(first).")
            }
            schemaLocation = schemaLocation ?? schema.location
            description = description ?? schema.description
            addParts(of: schema)
        case .schemaExtension(let schema):
            addParts(of: schema)
        case .type(let type) where type.kind != .scalar && BuiltIns.scalars.contains(type.name.text):
            problems.add(
                .reservedNames, at: type.name.location,
                message: "the \(type.kind.keyword) \"\(type.name)\" has the name of a built-in scalar",
                hint: "Rename it.")
        case .type(let type):
            if let index = typeIndices[type.name.text] {
                problems.addSecond(
                    "type \"\(type.name)\"", type.name, .uniqueTypeNames, first: definitions[index].name.location,
                    wayOut: "Rename one of them, or write \"extend\" before the second")
            } else {
                typeIndices[type.name.text] = definitions.count
                definitions.append(type)
            }
        case .typeExtension(let type):
            extensions.append(type)
        case .directive(let directive):
            if let index = directiveIndices[directive.name.text] {
                problems.addSecond(
                    "directive \"@\(directive.name)\"", directive.name, .uniqueDirectiveNames,
                    first: directives[index].name.location)
            } else {
                directiveIndices[directive.name.text] = directives.count
                directives.append(directive)
            }
        }
    }

    private mutating func addParts(of schema: SchemaDefinition) {
        schemaDirectives += schema.directives
        roots += schema.roots
    }

    /// Takes a definition that gives way to one of the same name.
    private mutating func addInherited(_ definition: Definition) {
        switch definition {
        case .type(let type) where typeIndices[type.name.text] == nil:
            typeIndices[type.name.text] = definitions.count
            definitions.append(type)
        case .directive(let directive) where directiveIndices[directive.name.text] == nil:
            directiveIndices[directive.name.text] = directives.count
            directives.append(directive)
        default: break
        }
    }

    // MARK: - Extensions

    private mutating func mergeExtensions() {
        var additions: [Int: [TypeDefinition]] = [:]
        for type in extensions {
            guard let index = typeIndices[type.name.text] else {
                problems.add(
                    .possibleTypeExtensions, at: type.name.location,
                    message: "the type \"\(type.name)\" is extended but not defined",
                    hint: Suggestions.hint(for: type.name.text, among: definitions.lazy.map(\.name.text))
                        ?? "Remove \"extend\" to define it.")
                continue
            }
            guard definitions[index].kind == type.kind else {
                problems.add(
                    .possibleTypeExtensions, at: type.location, definitions[index].location,
                    message: "\"\(type.name)\" is extended as \(type.kind.keyword)"
                        + " but defined as \(definitions[index].kind.keyword)",
                    hint: "Write \"extend \(definitions[index].kind.keyword) \(type.name)\".")
                continue
            }
            additions[index, default: []].append(type)
        }
        for (index, types) in additions { definitions[index] = merged(definitions[index], types) }
    }

    private func merged(_ type: TypeDefinition, _ additions: [TypeDefinition]) -> TypeDefinition {
        var result = type
        result.directives += additions.flatMap(\.directives)
        switch type.body {
        case .scalar: break
        case .object(let interfaces, let fields):
            result.body = .object(
                interfaces: interfaces + additions.flatMap(\.interfaces), fields: fields + additions.flatMap(\.fields))
        case .interface(let interfaces, let fields):
            result.body = .interface(
                interfaces: interfaces + additions.flatMap(\.interfaces), fields: fields + additions.flatMap(\.fields))
        case .union(let members): result.body = .union(members + additions.flatMap(\.members))
        case .enum(let values): result.body = .enum(values + additions.flatMap(\.values))
        case .inputObject(let fields): result.body = .inputObject(fields + additions.flatMap(\.inputFields))
        }
        return result
    }
}
