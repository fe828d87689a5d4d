public import Amplify
import Foundation
public import HoldfastModel
import HoldfastStorage
import HoldfastWire

// Requests for models, with the documents of the original. They select all fields, of related records that a model
// belongs to all fields or, in queries and subscriptions, the keys, and no lists.
extension GraphQLRequest {
    /// A request for one record by its `id`.
    public static func get<M: Model>(
        _ modelType: M.Type, byId id: String, authMode: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<M?> {
        .making(M?.self, M.self, authMode) { $0.get(RecordKey(id), relations: M.isEager ? .fields : .keys) }
    }

    /// A request for one record.
    public static func get<M: Model>(
        _ modelType: M.Type, byIdentifier id: String, authMode: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<M?> where M: ModelIdentifiable, M.IdentifierFormat == ModelIdentifierFormat.Default {
        .get(modelType, byId: id, authMode: authMode)
    }

    /// A request for one record.
    public static func get<M: Model>(
        _ modelType: M.Type, byIdentifier id: ModelIdentifier<M, M.IdentifierFormat>,
        authMode: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<M?> where M: ModelIdentifiable {
        .making(M?.self, M.self, authMode) {
            try $0.get(id.recordKey(in: M.schema), relations: M.isEager ? .fields : .keys)
        }
    }
}

extension GraphQLRequest {
    /// A request for a page of records.
    ///
    /// - Parameters:
    ///   - modelType: The model.
    ///   - predicate: Which records; `nil` for all. What the service's filters cannot say fails the request.
    ///   - limit: How many records are looked at; `nil` for 1,000.
    ///   - authMode: How the request shows who makes it; `nil` for the service's default.
    public static func list<M: Model>(
        _ modelType: M.Type, where predicate: (any QueryPredicate)? = nil, limit: Int? = nil,
        authMode: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<List<M>> {
        .making(List<M>.self, M.self, authMode) { wire in
            wire.list(
                filter: try wire.filter(predicate, of: M.self, in: .query), limit: limit ?? 1_000,
                relations: M.isEager ? .fields : .keys)
        }
    }

    /// A mutation of a record.
    ///
    /// - Parameters:
    ///   - model: The record; a creation sends what has a value, an update all fields, a deletion the key.
    ///   - predicate: What the service's record must satisfy; `nil` for anything.
    ///   - type: What is done to it.
    ///   - authMode: How the request shows who makes it; `nil` for the service's default.
    public static func mutation<M: Model>(
        of model: M, where predicate: (any QueryPredicate)? = nil, type: GraphQLMutationType,
        authMode: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<M> {
        .making(M.self, M.self, authMode) { wire in
            let row = Array(try model.row()[0])
            let mutation: WireMutation =
                switch type {
                case .create: .create
                case .update: .update
                case .delete: .delete
                }
            guard let input = wire.input(for: mutation, row: row, changedFields: wire.columns.map(\.name)) else {
                throw APIError.operationError(
                    "The '\(M.modelName)' has no field to update.", "Update a model that has fields beside its key.")
            }
            return wire.mutation(
                mutation, input: input, condition: try wire.filter(predicate, of: M.self, in: .condition))
        }
    }

    /// A creation; otherwise as ``mutation(of:where:type:authMode:)``.
    public static func create<M: Model>(_ model: M, authMode: AWSAuthorizationType? = nil) -> GraphQLRequest<M> {
        .mutation(of: model, type: .create, authMode: authMode)
    }

    /// An update; otherwise as ``mutation(of:where:type:authMode:)``.
    public static func update<M: Model>(
        _ model: M, where predicate: (any QueryPredicate)? = nil, authMode: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<M> {
        .mutation(of: model, where: predicate, type: .update, authMode: authMode)
    }

    /// A deletion; otherwise as ``mutation(of:where:type:authMode:)``.
    public static func delete<M: Model>(
        _ model: M, where predicate: (any QueryPredicate)? = nil, authMode: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<M> {
        .mutation(of: model, where: predicate, type: .delete, authMode: authMode)
    }

    /// A subscription to the mutations of one sort.
    public static func subscription<M: Model>(
        of modelType: M.Type, type: GraphQLSubscriptionType, authMode: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<M> {
        .making(M.self, M.self, authMode) { wire in
            let mutation: WireMutation =
                switch type {
                case .onCreate: .create
                case .onUpdate: .update
                case .onDelete: .delete
                }
            return wire.subscription(to: mutation, relations: M.isEager ? .fields : .keys)
        }
    }

    /// A request from a document of the dialect; one that cannot be made fails when it is sent.
    private static func making<Response: Decodable & Sendable, M: Model>(
        _ type: Response.Type, _ model: M.Type, _ authMode: AWSAuthorizationType?,
        _ make: (WireModel) throws -> WireOperation
    ) -> GraphQLRequest<Response> {
        do {
            var schemas = Dictionary(
                ModelRegistry.modelSchemas.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            schemas[M.schema.name] = M.schema
            let operation = try make(WireModel(M.schema, among: schemas).unversioned)
            return GraphQLRequest<Response>(
                document: operation.document, variables: operation.dictionary, responseType: type,
                decodePath: operation.fieldName, authMode: authMode)
        } catch {
            var request = GraphQLRequest<Response>(document: "", responseType: type, authMode: authMode)
            request.failure = APIError(
                errorDescription: "The request for '\(M.modelName)' cannot be made.", error: error)
            return request
        }
    }
}

extension WireOperation {
    /// The name of the operation's only field.
    fileprivate var fieldName: String {
        let line = document.split(separator: "\n").dropFirst().first ?? ""
        return String(line.drop { $0 == " " }.prefix { $0 != "(" && $0 != " " })
    }

    fileprivate var dictionary: [String: Any]? {
        variables.flatMap { variables in
            let data = Data(HoldfastWire.JSONValue.object(variables).text.utf8)
            return (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
        }
    }
}

extension WireModel {
    fileprivate func filter<M: Model>(
        _ predicate: (any QueryPredicate)?, of type: M.Type, in dialect: FilterDialect
    ) throws -> HoldfastWire.JSONValue? {
        guard let predicate, !(predicate is QueryPredicateConstant) else { return nil }
        let filter = filter(for: try M.schema.plan(where: predicate).predicate, in: dialect)
        guard filter.residual == nil else {
            throw APIError.operationError(
                "The service's filters cannot say what the predicate on '\(M.modelName)' asks for.",
                "Ask for more, and filter the answer.")
        }
        return filter.json
    }
}
