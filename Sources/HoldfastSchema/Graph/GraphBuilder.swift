package import HoldfastGraphQL

/// Reads a schema as models.
package struct GraphBuilder {
    var graph = ModelGraph()
    var problems: Problems
    let schema: GraphQLSchema?
    /// The author's types in the order of the schema.
    var own: [SchemaType] { schema?.types.filter { !$0.isBuiltIn && $0.definition.location != .none } ?? [] }
    /// The types with records, by name, as the author wrote them.
    var definitions: [String: SchemaType] = [:]
    /// The positions of models in the graph.
    var positions: [String: Int] = [:]
    /// Foreign keys of belongs-to relations, which do not get properties of their own.
    var absorbed: [String: Set<String>] = [:]
    /// Generated foreign keys by model, added after the author's fields.
    var generated: [String: [ModelTypeField]] = [:]
    /// The fields that cannot be stored, by the types that are not models themselves.
    var holders: [String: [UnstorableField]] = [:]
    /// The types that carry operations, not data.
    private(set) var roots: Set<String> = []

    /// What a schema is read for.
    package enum Purpose {
        /// The API alone.
        case api
        /// A service, which has to enforce all rules.
        case service
        /// Swift code.
        case code
    }

    /// The models of sources, from which Swift code can be made.
    package static func graph(of sources: [Source]) throws(SchemaError) -> ModelGraph {
        try annotatedSchema(of: sources, for: .code).graph
    }

    /// The models of sources beside the types as written.
    ///
    /// - Parameters:
    ///   - sources: The annotated schema.
    ///   - purpose: What it is read for; the API alone by default.
    /// - Returns: The models and types.
    /// - Throws: ``SchemaError`` with every problem of the schema.
    package static func annotatedSchema(
        of sources: [Source], for purpose: Purpose = .api
    ) throws(SchemaError) -> AnnotatedSchema {
        var builder = GraphBuilder(sources)
        builder.build()
        switch purpose {
        case .api: break
        case .service: builder.checkServedRules()
        case .code:
            builder.checkSwiftNames()
            builder.checkRequiredCycles()
            builder.checkLists()
            builder.checkHeldKeys()
        }
        guard builder.problems.isEmpty, builder.schema != nil else {
            throw SchemaError(problems: builder.problems.sorted())
        }
        return AnnotatedSchema(graph: builder.graph, types: builder.own.map(\.definition))
    }

    private init(_ sources: [Source]) {
        problems = Problems(sources: sources)
        var document = GraphQLDocument(definitions: [])
        var isRead = true
        for source in sources {
            do {
                document.definitions += try GraphQLDocument(parsing: source).definitions
            } catch {
                isRead = false
                let expected = error.expected.map { "; expected \($0)" } ?? ""
                problems.add(error.message + expected, at: error.location, error.hint)
            }
        }
        guard isRead else {
            schema = nil
            return
        }
        AmplifySettings.apply(to: &document, &problems)
        let configuration = GraphQLSchema.Configuration(prelude: AmplifyDirectives.document, requiresQueryType: false)
        do {
            schema = try GraphQLSchema(document, configuration: configuration)
        } catch {
            for problem in error.problems {
                problems.add(problem.message, at: problem.location ?? .none, problem.hint)
            }
            schema = GraphQLSchema.unchecked(document, configuration)
        }
    }

    private mutating func build() {
        guard let schema else { return }
        for kind in OperationKind.allCases {
            if let root = schema.rootType(kind), root.definition.directive(.model) == nil { roots.insert(root.name) }
        }
        let own = self.own
        for type in own where type.kind == .object && type.definition.directive(.model) != nil {
            definitions[type.name] = type
        }
        for type in own { collect(type) }
        leaveOutHolders()
        for name in graph.models.map(\.name) { readKeys(of: name) }
        for name in graph.models.map(\.name) { readRelations(of: name) }
        for type in own {
            checkAuth(of: type)
            checkDefaults(of: type)
        }
        addJoinModels()
        graph.models = graph.models.map(completed)
        nameHoldersOfKeys()
        checkIndexFields()
        checkCycles()
        if graph.models.isEmpty, problems.isEmpty {
            problems.add(
                "the schema has no models", at: own.first?.definition.name.location ?? .none,
                "Add \"@model\" to the types that have records.")
        }
    }

    // MARK: - Types

    private mutating func collect(_ type: SchemaType) {
        let isModel = definitions[type.name] != nil
        if isModel, let problem = ServiceNames.problem(ofModel: type.name) {
            problems.add(problem.message, at: type.definition.name.location, problem.hint)
        }
        switch type.kind {
        case .enum:
            let cases = type.definition.values.map { EnumType.Case(name: $0.name.text, description: $0.description) }
            graph.enums.append(
                EnumType(name: type.name, description: type.definition.description, cases: cases))
        case .object where isModel:
            positions[type.name] = graph.models.count
            var model = ModelType(
                name: type.name, description: type.definition.description, location: type.definition.name.location)
            model.plural = Names.upperFirst(Plurals.plural(of: type.name))
            model.fields = type.fields.compactMap { field(from: $0, in: type) }
            model.rules = AuthRules.rules(in: type.definition.directives)
            graph.models.append(model)
        case .object where !roots.contains(type.name):
            graph.embedded.append(
                EmbeddedType(
                    name: type.name, description: type.definition.description,
                    location: type.definition.name.location,
                    plural: Names.upperFirst(Plurals.plural(of: type.name)),
                    fields: type.fields.compactMap { embeddedField(from: $0, in: type) }))
        default: break
        }
    }

    private mutating func embeddedField(from definition: FieldDefinition, in type: SchemaType) -> ModelTypeField? {
        if let field = UnstorableField(definition, in: type, of: self) {
            holders[type.name, default: []].append(field)
            return nil
        }
        var field = field(from: definition, in: type)
        // Rules concern records, and embedded types do not have records.
        field?.rules = []
        return field
    }

    /// The field, with relations left open.
    private mutating func field(from definition: FieldDefinition, in type: SchemaType) -> ModelTypeField? {
        let name = definition.name
        if definitions[type.name] != nil, let problem = ServiceNames.problem(ofField: name.text) {
            problems.add(problem.message, at: name.location, problem.hint)
        }
        if let field = UnstorableField(definition, in: type, of: self) {
            problems.add(field.message, at: field.location, field.hint)
            return nil
        }
        let reference = definition.type
        let content: ModelTypeField.Content
        if definitions[reference.name.text] != nil {
            content = .relation(Relation(kind: .belongsTo, model: reference.name.text))
        } else if let kind = kind(of: reference.name.text) {
            content = .value(kind)
        } else {
            return nil
        }
        return ModelTypeField(
            name: name.text, description: definition.description, content: content, isRequired: reference.isNonNull,
            isList: reference.isList, elementsAreRequired: reference.element?.isNonNull ?? false,
            scalar: reference.name.text, rules: AuthRules.rules(in: definition.directives), location: name.location)
    }

    /// What the values of a type are that is not a model; `nil` if they cannot be stored.
    func kind(of name: String) -> ValueKind? {
        if let scalar = GraphQLScalar(rawValue: name) { return scalar.valueKind }
        return switch schema?.type(name)?.kind {
        case .enum: .enumeration(name)
        case .object where !roots.contains(name): .embedded(name)
        default: nil
        }
    }

    // MARK: - Completion

    /// Adds generated foreign keys and timestamps, and takes out what relations hold.
    private func completed(_ model: ModelType) -> ModelType {
        var model = model
        let held = absorbed[model.name, default: []].subtracting(model.primaryKey)
        model.fields.removeAll { held.contains($0.name) && $0.relation == nil }
        for field in generated[model.name] ?? [] where model.field(field.name) == nil { model.fields.append(field) }
        for name in Timestamps.names(of: definitions[model.name]?.definition) where model.field(name) == nil {
            model.fields.append(
                ModelTypeField(
                    name: name, content: .value(.dateTime), isRequired: false, isReadOnly: true,
                    scalar: GraphQLScalar.dateTime.rawValue))
        }
        return model
    }
}

extension GraphQLSchema {
    /// The schema as far as it can be read, to look for further problems.
    fileprivate static func unchecked(_ document: GraphQLDocument, _ configuration: Configuration) -> GraphQLSchema? {
        // Definitions with problems are few; the rest often makes its own schema.
        var known: Set<String> = []
        var rest = GraphQLDocument(definitions: [])
        for definition in document.definitions {
            if case .type(let type) = definition, !known.insert(type.name.text).inserted { continue }
            rest.definitions.append(definition)
        }
        let stripped = rest.withoutProblems(configuration)
        return try? GraphQLSchema(stripped, configuration: configuration)
    }
}
