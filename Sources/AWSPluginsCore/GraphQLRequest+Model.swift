public import Amplify
public import HoldfastModel
package import HoldfastStorage
import HoldfastWire

/// The related records that a request asks for, by paths from its model; for models that load relations lazily.
///
/// ```swift
/// let request: GraphQLRequest<Chapter?> = .get(
///     Chapter.self, byId: "c2", includes: { chapter in [chapter.edition] })
/// ```
public typealias IncludedAssociations<M: Model> = (ModelPath<M>) -> [any PropertyContainerPath]

// Requests for models, with the documents of the original. They select all fields, of related records that a model
// belongs to all fields or, in queries and subscriptions, the keys, and no lists but those that are included.
extension GraphQLRequest {
    /// A request for one record by its `id`.
    public static func get<M: Model>(
        _ modelType: M.Type, byId id: String, includes: IncludedAssociations<M> = { _ in [] },
        authMode: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<M?> {
        .record(M.self, RecordKey(id), includes, authMode)
    }

    /// A request for one record.
    public static func get<M: Model>(
        _ modelType: M.Type, byIdentifier id: String, includes: IncludedAssociations<M> = { _ in [] },
        authMode: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<M?> where M: ModelIdentifiable, M.IdentifierFormat == ModelIdentifierFormat.Default {
        .get(modelType, byId: id, includes: includes, authMode: authMode)
    }

    /// A request for one record.
    public static func get<M: Model>(
        _ modelType: M.Type, byIdentifier id: ModelIdentifier<M, M.IdentifierFormat>,
        includes: IncludedAssociations<M> = { _ in [] }, authMode: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<M?> where M: ModelIdentifiable {
        GraphQLRequest<M?>.making(M.schema, isEager: M.isEager, including: paths(includes), authMode) {
            try $0.get(id.recordKey(in: M.schema), relations: $1)
        }
    }

    /// A request for one record by its key.
    package static func record<M: Model>(
        _ modelType: M.Type, _ key: RecordKey, _ includes: IncludedAssociations<M> = { _ in [] },
        _ authMode: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<M?> {
        GraphQLRequest<M?>.making(M.schema, isEager: M.isEager, including: paths(includes), authMode) {
            $0.get(key, relations: $1)
        }
    }
}

extension GraphQLRequest {
    /// A request for a page of the records in a list of one record.
    package static func related<M: Model>(
        _ list: String, of parent: ModelSchema, _ key: RecordKey, as element: M.Type, limit: Int?, pageToken: String?
    ) -> GraphQLRequest {
        making(parent, isEager: M.isEager, inside: list, nil) {
            $0.get(
                key, list: list, of: try WireModel(M.schema, among: schemas(with: M.schema)).unversioned,
                limit: limit, nextToken: pageToken, relations: $1)
        }
    }

    /// A request for a page of records; the list that answers it loads the next.
    ///
    /// - Parameters:
    ///   - modelType: The model.
    ///   - predicate: Which records; `nil` for all. Each operator is sent as it is, so the service decides whether its
    ///     filters know it; a condition along a relation fails the request.
    ///   - includes: The related records that are asked for as well; none by default.
    ///   - limit: How many records are looked at; `nil` for 1,000.
    ///   - authMode: How the request shows who makes it; `nil` for the service's default.
    /// - Returns: The request for the first page.
    public static func list<M: Model>(
        _ modelType: M.Type, where predicate: (any QueryPredicate)? = nil,
        includes: IncludedAssociations<M> = { _ in [] }, limit: Int? = nil, authMode: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<List<M>> {
        let paths = paths(includes)
        @Sendable func page(_ token: String?) -> GraphQLRequest<List<M>> {
            var request = GraphQLRequest<List<M>>.making(M.schema, isEager: M.isEager, including: paths, authMode) {
                $0.list(
                    filter: try $0.filter(predicate, of: M.schema, in: .query), limit: limit ?? 1_000,
                    nextToken: token, relations: $1)
            }
            request.nextPage = page
            return request
        }
        return page(nil)
    }

    /// A mutation of a record.
    ///
    /// - Parameters:
    ///   - model: The record; a creation sends what has a value, an update all fields, a deletion the key.
    ///   - modelSchema: Its schema; the type's by default.
    ///   - predicate: What the service's record must satisfy; `nil` for anything.
    ///   - includes: The related records that are asked for as well; none by default.
    ///   - type: What is done to it.
    ///   - authMode: How the request shows who makes it; `nil` for the service's default.
    /// - Returns: The request; its answer is the record that was created, updated, or deleted.
    public static func mutation<M: Model>(
        of model: M, modelSchema: ModelSchema? = nil, where predicate: (any QueryPredicate)? = nil,
        includes: IncludedAssociations<M> = { _ in [] }, type: GraphQLMutationType,
        authMode: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<M> {
        let schema = modelSchema ?? M.schema
        return GraphQLRequest<M>.making(schema, isEager: M.isEager, including: paths(includes), authMode) { wire, _ in
            try wire.mutation(
                WireMutation(type), of: model, condition: try wire.filter(predicate, of: schema, in: .condition))
        }
    }

    /// A creation; otherwise as ``mutation(of:modelSchema:where:includes:type:authMode:)``.
    public static func create<M: Model>(
        _ model: M, modelSchema: ModelSchema? = nil, includes: IncludedAssociations<M> = { _ in [] },
        authMode: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<M> {
        .mutation(of: model, modelSchema: modelSchema, includes: includes, type: .create, authMode: authMode)
    }

    /// An update; otherwise as ``mutation(of:modelSchema:where:includes:type:authMode:)``.
    public static func update<M: Model>(
        _ model: M, modelSchema: ModelSchema? = nil, where predicate: (any QueryPredicate)? = nil,
        includes: IncludedAssociations<M> = { _ in [] }, authMode: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<M> {
        .mutation(
            of: model, modelSchema: modelSchema, where: predicate, includes: includes, type: .update,
            authMode: authMode)
    }

    /// A deletion; otherwise as ``mutation(of:modelSchema:where:includes:type:authMode:)``.
    public static func delete<M: Model>(
        _ model: M, modelSchema: ModelSchema? = nil, where predicate: (any QueryPredicate)? = nil,
        includes: IncludedAssociations<M> = { _ in [] }, authMode: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<M> {
        .mutation(
            of: model, modelSchema: modelSchema, where: predicate, includes: includes, type: .delete,
            authMode: authMode)
    }

    /// A subscription to the mutations of one sort.
    public static func subscription<M: Model>(
        of modelType: M.Type, type: GraphQLSubscriptionType, includes: IncludedAssociations<M> = { _ in [] },
        authMode: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<M> {
        GraphQLRequest<M>.making(M.schema, isEager: M.isEager, including: paths(includes), authMode) {
            $0.subscription(to: WireMutation(type), relations: $1)
        }
    }
}
