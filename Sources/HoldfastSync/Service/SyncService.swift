public import HoldfastModel

/// A service that speaks the AppSync dialect, and how a store is synchronized with it.
///
/// ```swift
/// let service = SyncService(
///     transport: HTTPSyncTransport(endpoint: endpoint), authorization: authorization,
///     expressions: [SyncExpression(Post.self) { Post.keys.rating.gt(5) }])
/// let store = try await DataStore.open(SQLiteAdapter(path: path), models: [Post.self, Comment.self])
/// let synchronizer = try Synchronizer(store, with: service)
/// try await synchronizer.start()
/// for await status in synchronizer.statuses {
///     print("\(status.state), \(status.outboxCount) changes to be sent")
/// }
/// await synchronizer.close()
/// ```
///
/// Every property can be changed until a ``Synchronizer`` is made with the service.
public struct SyncService: Sendable {
    /// The way to the service.
    public var transport: any SyncTransport
    /// Who makes requests.
    public var authorization: SyncAuthorization
    /// How much is read at a time, how often everything is read again, and the other numbers.
    public var settings: SyncSettings
    /// The names of the models that are synchronized; `nil` (the default) for all of the store.
    ///
    /// Changes of other models collect in the outbox.
    public var models: Set<String>?
    /// Which records are wanted; all by default.
    ///
    /// Of several expressions for one model the first counts.
    public var expressions: [SyncExpression]
    /// Whether changes at the service are subscribed to, asked at each start; `true` by default.
    ///
    /// Without subscriptions changes come with queries only, and no socket is opened.
    public var subscribes: @Sendable () -> Bool
    /// Decides about a change that the service refused because the record has changed there.
    ///
    /// By default the service's record wins. A handler that never returns holds up changes of that record only.
    public var conflictHandler: @Sendable (RecordConflict) async -> ConflictChoice
    /// Called with what goes wrong, in order; it must return at once.
    ///
    /// Does nothing by default.
    public var errorHandler: @Sendable (SyncProblem) -> Void

    /// Creates a service; every parameter but the first two has the default named at its property.
    public init(
        transport: any SyncTransport, authorization: SyncAuthorization, settings: SyncSettings = SyncSettings(),
        models: Set<String>? = nil, expressions: [SyncExpression] = [],
        subscribes: @escaping @Sendable () -> Bool = { true },
        conflictHandler: @escaping @Sendable (RecordConflict) async -> ConflictChoice = { _ in .applyRemote },
        errorHandler: @escaping @Sendable (SyncProblem) -> Void = { _ in }
    ) {
        self.transport = transport
        self.authorization = authorization
        self.settings = settings
        self.models = models
        self.expressions = expressions
        self.subscribes = subscribes
        self.conflictHandler = conflictHandler
        self.errorHandler = errorHandler
    }
}

/// Which records of a model are wanted from the service.
public struct SyncExpression: Sendable {
    /// The model.
    public var schema: ModelSchema
    /// Makes the condition, at each start; the constant `.all` wants every record.
    public var predicate: @Sendable () -> any QueryPredicate
    /// Whether queries for changes send the condition too; `false` by default.
    ///
    /// That saves traffic, but is right only if no record ever leaves the condition: one that does stays on the device
    /// until the model is read in full again.
    public var filtersDeltas: Bool

    /// Wants the records of a model that satisfy a condition.
    public init(
        _ schema: ModelSchema, filtersDeltas: Bool = false,
        where predicate: @escaping @Sendable () -> any QueryPredicate
    ) {
        self.schema = schema
        self.predicate = predicate
        self.filtersDeltas = filtersDeltas
    }

    /// Wants the records of a model that satisfy a condition.
    public init<M: Model>(
        _ type: M.Type, filtersDeltas: Bool = false, where predicate: @escaping @Sendable () -> any QueryPredicate
    ) {
        self.init(type.schema, filtersDeltas: filtersDeltas, where: predicate)
    }
}
