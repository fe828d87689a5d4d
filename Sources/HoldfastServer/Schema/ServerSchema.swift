package import HoldfastGraphQL
package import HoldfastSchema
package import HoldfastStorage

/// An annotated schema as a service: the API that clients see, and the entity that keeps the records of each model.
package final class ServerSchema: Sendable {
    /// The API, ready to check requests against.
    package let api: GraphQLSchema
    /// The models in the order of the schema; join models at the end.
    package let models: [ServerModel]
    /// What each field of the root types does, by kind of operation and name.
    package let roots: [OperationKind: [String: RootField]]
    /// The entities of all models and of the service itself.
    package let storage: StorageSchema
    private let modelsByName: [String: ServerModel]

    /// Reads a schema.
    ///
    /// - Parameters:
    ///   - sources: The annotated schema; the indices of several texts must differ.
    ///   - defaultMode: The mode of requests for everything that names no other.
    ///   - sets: The fields, as `Model.field`, whose lists are sets when both sides of a conflict are merged.
    ///   - stored: What the store has; fields and entities that the schema lacks stay, so that the change is additive.
    /// - Throws: ``SchemaError`` with every problem; ``StorageError`` `.schemaMismatch` if entities cannot be made.
    package init(
        sources: [Source], defaultMode: AuthMode, sets: Set<String> = [], stored: StorageSchema? = nil
    ) throws {
        let service = try ServiceSchema(of: sources, defaultMode: defaultMode)
        api = try GraphQLSchema(
            service.document, configuration: GraphQLSchema.Configuration(prelude: ServicePrelude.document))
        let models = try service.models.map { model in
            try ServerModel(
                model, in: service, sets: sets, stored: stored?.entities.first { $0.name == model.name })
        }
        try Self.checkDefaults(of: models, in: service, sources)
        self.models = models
        modelsByName = Dictionary(models.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        roots = Self.roots(models)
        let entities = models.map(\.entity) + SystemEntity.all
        let names = Set(entities.map(\.name))
        storage = try StorageSchema(entities: entities + (stored?.entities ?? []).filter { !names.contains($0.name) })
    }

    /// Refuses defaults that a new record could not have; reading a schema judges their form alone.
    private static func checkDefaults(
        of models: [ServerModel], in service: ServiceSchema, _ sources: [Source]
    ) throws(SchemaError) {
        var problems = Problems(sources: sources)
        for (model, served) in zip(models, service.models) {
            for field in served.fields {
                guard let text = field.defaultValue, let column = model.column(field.name) else { continue }
                do throws(InvalidScalar) {
                    _ = try column.type.cell(MutationInput.defaultValue(text, of: column))
                } catch {
                    problems.add(
                        "the default of \"\(model.name).\(field.name)\" is not a value of \"\(field.type.name)\": "
                            + "\(error.reason)", at: field.location)
                }
            }
        }
        guard problems.isEmpty else { throw SchemaError(problems: problems.sorted()) }
    }

    /// The model of a name.
    package func model(_ name: String) -> ServerModel? { modelsByName[name] }

    private static func roots(_ models: [ServerModel]) -> [OperationKind: [String: RootField]] {
        var queries: [String: RootField] = [:]
        var mutations: [String: RootField] = [:]
        var subscriptions: [String: RootField] = [:]
        for model in models {
            let names = model.settings.names
            if let name = names[.get] { queries[name] = .get(model) }
            if let name = names[.list] { queries[name] = .list(model) }
            if let name = names[.sync] { queries[name] = .sync(model) }
            for index in model.indexes { if let name = index.query { queries[name] = .index(model, index) } }
            for operation in MutationOperation.allCases {
                if let name = names[operation.setting] { mutations[name] = .mutation(model, operation) }
            }
            for (setting, names) in model.settings.subscriptions {
                guard let operation = MutationOperation.allCases.first(where: { $0.setting == setting }) else {
                    continue
                }
                for name in names { subscriptions[name] = .subscription(model, operation) }
            }
        }
        return [.query: queries, .mutation: mutations, .subscription: subscriptions]
    }
}

/// What a field of a root type does.
package enum RootField: Sendable {
    /// Reads one record by its key.
    case get(ServerModel)
    /// Reads records, or those of a part of the key.
    case list(ServerModel)
    /// Reads records with those that were deleted, or what changed since a label.
    case sync(ServerModel)
    /// Reads records through an index.
    case index(ServerModel, APIModel.Index)
    /// Writes one record.
    case mutation(ServerModel, MutationOperation)
    /// Reports the records that a mutation wrote.
    case subscription(ServerModel, MutationOperation)

    /// The model that it is about.
    var model: ServerModel {
        switch self {
        case .get(let model), .list(let model), .sync(let model), .index(let model, _), .mutation(let model, _),
            .subscription(let model, _):
            model
        }
    }
}

/// The three ways to write a record.
package enum MutationOperation: String, Sendable, CaseIterable {
    /// Makes a record.
    case create
    /// Changes fields of a record.
    case update
    /// Turns a record into a tombstone.
    case delete

    /// The setting of `@model` that names it.
    var setting: ModelSettings.Operation {
        switch self {
        case .create: .create
        case .update: .update
        case .delete: .delete
        }
    }

    /// What a rule must allow.
    var action: ModelAccess.Action {
        switch self {
        case .create: .create
        case .update: .update
        case .delete: .delete
        }
    }
}
