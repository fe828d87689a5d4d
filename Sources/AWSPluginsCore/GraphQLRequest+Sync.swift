public import Amplify
import Foundation
public import HoldfastModel
import HoldfastStorage
import HoldfastWire

/// A record of any model as a service with conflict resolution returns it.
public typealias MutationSyncResult = MutationSync<AnyModel>
/// A page of records of any model, and of those that were deleted.
public typealias SyncQueryResult = PaginatedList<AnyModel>
/// A condition as the service has it: JSON.
public typealias GraphQLFilter = [String: Any]
/// The claims of a user's token.
public typealias IdentityClaimsDictionary = [String: Any]

// Requests to a service with conflict resolution: records come with their versions. The DataStore makes such requests
// itself; these are for code that follows the protocol by hand.
extension GraphQLRequest {
    /// A request for one record by its `id`.
    public static func query(
        modelName: String, byId id: String, authType: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<MutationSyncResult?> {
        GraphQLRequest<MutationSyncResult?>.versioned(try registered(modelName), authType) {
            $0.get(RecordKey(id), relations: $1)
        }
    }

    /// A request for a page of records, those that were deleted among them.
    ///
    /// - Parameters:
    ///   - modelType: The model.
    ///   - predicate: Which records; `nil` for all. Each operator is sent as it is, so the service decides whether its
    ///     filters know it; a condition along a relation fails the request.
    ///   - limit: How many records at most; the service's default for `nil`.
    ///   - nextToken: The token of the page before.
    ///   - lastSync: Only what has changed since, in milliseconds since 1970-01-01T00:00Z; `nil` for everything.
    ///   - authType: How the request shows who makes it; `nil` for the service's default.
    /// - Returns: The request; its answer is the page with the versions of its records.
    public static func syncQuery(
        modelType: any Model.Type, where predicate: (any QueryPredicate)? = nil, limit: Int? = nil,
        nextToken: String? = nil, lastSync: Int64? = nil, authType: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<SyncQueryResult> {
        .syncQuery(
            modelSchema: modelType.schema, where: predicate, limit: limit, nextToken: nextToken, lastSync: lastSync,
            authType: authType)
    }

    /// As ``syncQuery(modelType:where:limit:nextToken:lastSync:authType:)``, for a model by its schema.
    public static func syncQuery(
        modelSchema: ModelSchema, where predicate: (any QueryPredicate)? = nil, limit: Int? = nil,
        nextToken: String? = nil, lastSync: Int64? = nil, authType: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<SyncQueryResult> {
        GraphQLRequest<SyncQueryResult>.versioned(modelSchema, authType) { wire, relations in
            wire.sync(
                filter: try wire.filter(predicate, of: modelSchema, in: .query, isSync: true), limit: limit,
                nextToken: nextToken, lastSync: lastSync, relations: relations)
        }
    }

    /// A creation.
    ///
    /// - Parameters:
    ///   - model: The record.
    ///   - modelSchema: Its schema; the type's by default.
    ///   - version: The version on which it is based; `nil` for a record that the service does not know.
    ///   - authType: How the request shows who makes it; `nil` for the service's default.
    /// - Returns: The request; its answer is the record with its version.
    public static func createMutation(
        of model: any Model, modelSchema: ModelSchema? = nil, version: Int? = nil,
        authType: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<MutationSyncResult> {
        .mutation(.create, of: model, modelSchema, nil, version, authType)
    }

    /// An update of all fields.
    ///
    /// - Parameters:
    ///   - model: The record.
    ///   - modelSchema: Its schema; the type's by default.
    ///   - filter: What the service's record must satisfy, as JSON; `nil` for anything.
    ///   - version: The version on which it is based.
    ///   - authType: How the request shows who makes it; `nil` for the service's default.
    /// - Returns: The request; its answer is the record with its version.
    public static func updateMutation(
        of model: any Model, modelSchema: ModelSchema? = nil, where filter: GraphQLFilter? = nil,
        version: Int? = nil, authType: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<MutationSyncResult> {
        .mutation(.update, of: model, modelSchema, filter, version, authType)
    }

    /// A deletion; otherwise as ``updateMutation(of:modelSchema:where:version:authType:)``.
    public static func deleteMutation(
        of model: any Model, modelSchema: ModelSchema? = nil, where filter: GraphQLFilter? = nil,
        version: Int? = nil, authType: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<MutationSyncResult> {
        .mutation(.delete, of: model, modelSchema, filter, version, authType)
    }

    /// A subscription to the mutations of one sort.
    ///
    /// - Parameters:
    ///   - modelType: The model.
    ///   - subscriptionType: The mutations.
    ///   - claims: The claims of the user's token; with them the arguments are added that rules about owners ask for.
    ///   - authType: How the request shows who makes it; `nil` for the service's default.
    /// - Returns: The request; each of its events is a record with its version.
    public static func subscription(
        to modelType: any Model.Type, subscriptionType: GraphQLSubscriptionType,
        claims: IdentityClaimsDictionary? = nil, authType: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<MutationSyncResult> {
        .subscription(
            to: modelType.schema, subscriptionType: subscriptionType, claims: claims, authType: authType)
    }

    /// As ``subscription(to:subscriptionType:claims:authType:)``, for a model by its schema.
    public static func subscription(
        to modelSchema: ModelSchema, subscriptionType: GraphQLSubscriptionType,
        claims: IdentityClaimsDictionary? = nil, authType: AWSAuthorizationType? = nil
    ) -> GraphQLRequest<MutationSyncResult> {
        GraphQLRequest<MutationSyncResult>.versioned(modelSchema, authType) { wire, relations in
            let owners =
                claims.map { claims -> [OwnerArgument] in
                    let groups = claims["cognito:groups"]
                    let names = (groups as? String).map { WireValue.string($0).groupNames }
                    return wire.ownerArguments(
                        for: authType?.ruleProvider, groups: names ?? groups as? [String] ?? [],
                        claim: { claims[$0] as? String })
                } ?? []
            return wire.subscription(to: WireMutation(subscriptionType), owners: owners, relations: relations)
        }
    }

    /// A request whose records come with their versions.
    private static func versioned(
        _ schema: @autoclosure () throws -> ModelSchema, _ authType: AWSAuthorizationType?,
        _ make: (WireModel, RelationSelection) throws -> WireOperation
    ) -> GraphQLRequest<R> {
        making(try schema(), isEager: nil, isVersioned: true, authType, make)
    }

    private static func registered(_ modelName: String) throws -> ModelSchema {
        guard let schema = ModelRegistry.modelSchema(from: modelName) else {
            throw ModelError(.unregistered, "No model is registered under the name '\(modelName)'; register it first.")
        }
        return schema
    }

    private static func mutation(
        _ mutation: WireMutation, of model: any Model, _ schema: ModelSchema?, _ filter: GraphQLFilter?,
        _ version: Int?, _ authType: AWSAuthorizationType?
    ) -> GraphQLRequest<MutationSyncResult> {
        let model = (model as? AnyModel)?.instance ?? model
        let schema = schema ?? type(of: model).schema
        return GraphQLRequest<MutationSyncResult>.versioned(schema, authType) { wire, _ in
            try wire.mutation(
                mutation, of: model, condition: try filter.map { try WireValue(filter: $0) },
                version: version.map(Int64.init))
        }
    }
}

extension AWSAuthorizationType {
    fileprivate var ruleProvider: AuthRuleProvider? {
        switch self {
        case .none: nil
        case .apiKey: .apiKey
        case .awsIAM: .iam
        case .openIDConnect: .oidc
        case .amazonCognitoUserPools: .userPools
        case .function: .function
        }
    }
}

extension WireValue {
    fileprivate init(filter: GraphQLFilter) throws {
        guard JSONSerialization.isValidJSONObject(filter) else {
            throw APIError.operationError(
                "The condition has values that JSON does not.",
                "Use text, numbers, booleans, arrays, dictionaries, and NSNull.")
        }
        self = try WireValue(parsing: Array(try JSONSerialization.data(withJSONObject: filter)))
    }
}
