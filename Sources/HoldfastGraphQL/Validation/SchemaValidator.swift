/// Checks a schema against the rules of the specification for type systems.
struct SchemaValidator {
    let schema: GraphQLSchema
    var rules: InputRules
    private let builder: SchemaBuilder

    init(_ schema: GraphQLSchema, _ builder: SchemaBuilder) {
        self.schema = schema
        self.builder = builder
        rules = InputRules(schema: schema, problems: builder.problems)
    }

    /// What was found so far.
    var problems: ProblemList { rules.problems }

    mutating func validate() {
        checkRoots()
        for type in schema.types where !type.isBuiltIn { check(type) }
        for directive in schema.directives { check(directive) }
        checkInputObjectCycles()
        checkDefaultValueCycles()
        checkDirectiveCycles()
    }

    // MARK: - Roots

    private mutating func checkRoots() {
        rules.check(builder.schemaDirectives, on: .schema)
        var kindsOfType: [String: OperationKind] = [:]
        var seen: Set<OperationKind> = []
        for root in builder.roots {
            if !seen.insert(root.kind).inserted {
                rules.problems.add(
                    .rootTypes, at: root.location, message: "the \(root.kind.rawValue) root type is given twice",
                    hint: "Remove one of them.")
                continue
            }
            guard let type = schema.type(root.type.text) else {
                unknownType(root.type) { $0 == .object }
                continue
            }
            if type.kind != .object {
                rules.problems.add(
                    .rootTypes, at: root.type.location,
                    message: "the \(root.kind.rawValue) root type \"\(type.name)\" is \(type.kind.phrase)",
                    hint: "Root types are objects.")
            }
            if let other = kindsOfType[type.name] {
                rules.problems.add(
                    .rootTypes, at: root.type.location,
                    message: "\"\(type.name)\" is the root type of both \(other.rawValue) and \(root.kind.rawValue)",
                    hint: "Each kind of operation has a type of its own.")
            }
            kindsOfType[type.name] = root.kind
        }
        if !builder.hasSchemaDefinition {
            for (kind, name) in SchemaBuilder.defaultRoots where !seen.contains(kind) {
                guard let type = schema.type(name), type.kind != .object else { continue }
                rules.problems.add(
                    .rootTypes, at: type.definition.name.location,
                    message: "the \(kind.rawValue) root type \"\(name)\" is \(type.kind.phrase)",
                    hint: "Root types are objects; a schema definition can name another.")
            }
        }
        if builder.configuration.requiresQueryType, schema.rootType(.query) == nil, !seen.contains(.query) {
            rules.problems.add(
                .rootTypes, at: .none, message: "the schema has no query root type",
                hint: "Define a type \"Query\", or name one in a schema definition.")
        }
    }

    // MARK: - Directives

    private mutating func check(_ directive: DirectiveDefinition) {
        checkReserved(directive.name, "the directive")
        check(arguments: directive.arguments, of: "the directive \"@\(directive.name)\"")
    }

    // MARK: - Names and references

    /// Reports a name that introspection keeps for itself.
    mutating func checkReserved(_ name: Name, _ what: @autoclosure () -> String) {
        guard name.text.hasPrefix("__") else { return }
        rules.problems.add(
            .reservedNames, at: name.location, message: "\(what()) \"\(name)\" starts with two underscores",
            hint: "Such names belong to introspection; remove an underscore.")
    }

    /// Reports names that occur twice.
    mutating func checkUnique(_ names: some Sequence<Name>, _ rule: GraphQLRule, _ what: @autoclosure () -> String) {
        var first: [String: Location] = [:]
        for name in names {
            if let location = first[name.text] {
                rules.problems.addSecond(
                    "\(what()) \"\(name)\"", name, rule, first: location, wayOut: "Rename or remove one of them")
            } else {
                first[name.text] = name.location
            }
        }
    }

    /// The type that is referred to; reports when there is none.
    mutating func resolve(_ name: Name, _ fits: (TypeKind) -> Bool) -> SchemaType? {
        if let type = schema.type(name.text) { return type }
        unknownType(name, fits)
        return nil
    }

    private mutating func unknownType(_ name: Name, _ fits: (TypeKind) -> Bool) {
        rules.problems.add(
            .knownTypeNames, at: name.location, message: "the type \"\(name)\" does not exist",
            hint: Suggestions.hint(
                for: name.text,
                among: schema.types.filter { fits($0.kind) && !$0.name.hasPrefix("__") }.map(\.name))
                ?? "Define it, or name a type that exists.")
    }
}
