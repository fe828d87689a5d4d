public import HoldfastModel

/// A service that speaks the AppSync dialect, and how a store is synchronized with it.
///
/// ```swift
/// var service = SyncService(transport: transport, authorization: authorization)
/// service.models = ["Post"]  // changes of comments stay in the outbox
/// service.errorHandler = { problem in log(problem.kind) }
/// let synchronizer = try Synchronizer(store, with: service)
/// ```
///
/// Every property can be changed until a ``Synchronizer`` is made with the service.
public struct SyncService: Sendable {
    /// The transport to the service.
    public var transport: any SyncTransport
    /// The authorization of requests.
    public var authorization: SyncAuthorization
    /// Page sizes, intervals, and limits.
    public var settings: SyncSettings
    /// The names of the models that are synchronized; `nil` (the default) for all of the store.
    ///
    /// Changes of other models stay in the outbox, and no change and no user waits for them.
    public var models: Set<String>?
    /// The records that are synchronized; all by default.
    ///
    /// If there are several expressions for one model, the first is used.
    public var expressions: [SyncExpression]
    /// Whether to subscribe to changes at the service, called at each start; `true` by default.
    ///
    /// Without subscriptions, changes arrive only with queries, and no socket is opened.
    public var subscribes: @Sendable () -> Bool
    /// Decides about a change that the service refused because the record has changed there.
    ///
    /// By default the service's record wins. A handler that never returns delays changes of that record only, unless
    /// 1,000 calls do so, or ``SyncSettings/sendWindow`` is 1.
    public var conflictHandler: @Sendable (RecordConflict) async -> ConflictChoice
    /// Called with each problem, in order; it must return immediately.
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

/// The records of a model that are synchronized.
///
/// ```swift
/// let service = SyncService(
///     transport: transport, authorization: authorization,
///     expressions: [SyncExpression(Post.self) { Post.keys.rating >= 4 }])
/// ```
public struct SyncExpression: Sendable {
    /// The model.
    public var schema: ModelSchema
    /// Returns the condition, at each start; the constant `.all` selects every record.
    ///
    /// It may name only the model's own fields. For a path through a relation or an embedded value, the session does not
    /// start, and ``Synchronizer/start()`` throws ``SyncProblem`` `.commandFailed`.
    public var predicate: @Sendable () -> any QueryPredicate
    /// Whether queries for changes send the condition too; `false` by default.
    ///
    /// This saves traffic, but is correct only if no record ever leaves the condition: a record that does stays on the
    /// device until the model is read in full again.
    public var filtersDeltas: Bool

    /// Selects the records of a model that satisfy a condition.
    public init(
        _ schema: ModelSchema, filtersDeltas: Bool = false,
        where predicate: @escaping @Sendable () -> any QueryPredicate
    ) {
        self.schema = schema
        self.predicate = predicate
        self.filtersDeltas = filtersDeltas
    }

    /// Selects the records of a model that satisfy a condition.
    public init<M: Model>(
        _ type: M.Type, filtersDeltas: Bool = false, where predicate: @escaping @Sendable () -> any QueryPredicate
    ) {
        self.init(type.schema, filtersDeltas: filtersDeltas, where: predicate)
    }
}
