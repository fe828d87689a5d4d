public import HoldfastModel

/// What a GraphQL document asks a service to do.
public enum GraphQLOperationType: String, Sendable {
    /// To read.
    case query
    /// To change something.
    case mutation
    /// To receive changes.
    case subscription
}

/// How a query reads a model's records.
public enum GraphQLQueryType: String, Sendable {
    /// One by its identifier.
    case get
    /// All, page by page.
    case list
    /// What has changed since a point in time, page by page.
    case sync
}

/// What a mutation does to a record.
public enum GraphQLMutationType: String, Sendable, Codable {
    /// Makes it.
    case create
    /// Changes it.
    case update
    /// Deletes it.
    case delete
}

/// Which changes a subscription reports.
public enum GraphQLSubscriptionType: String, Sendable {
    /// New records.
    case onCreate
    /// Deleted records.
    case onDelete
    /// Changed records.
    case onUpdate
}

extension MutationEvent.MutationType {
    /// The mutation that makes the same change at a service.
    public var graphQLMutationType: GraphQLMutationType {
        switch self {
        case .create: .create
        case .update: .update
        case .delete: .delete
        }
    }
}
