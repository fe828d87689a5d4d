public import HoldfastModel
public import HoldfastStorage

/// How a data store behaves.
///
/// ```swift
/// var options = DataStoreOptions()
/// options.localModels = ["Comment"]
/// let store = try await DataStore.open(
///     InMemoryAdapter(), models: [Post.self, Comment.self], options: options)
/// try await store.save(Comment(text: "Stays on this device"))
/// let unsent = try await store.outboxCount()  // 0
/// ```
public struct DataStoreOptions: Sendable {
    /// What a save or delete survives once it returns; `nil` (the default) for the strongest the adapter declares.
    public var durability: Durability?
    /// Whether saves and deletes are recorded in the outbox for a sync engine; `true` by default.
    ///
    /// A store that was opened with it cannot be opened without it, whatever the policy, so that no unsent change is
    /// lost. Delete its files, or keep recording and name all models in ``localModels``.
    public var recordsMutations: Bool
    /// The names of models whose changes stay in the store, although mutations are recorded; none by default.
    ///
    /// A name that none of the store's models has is an error when it is opened.
    ///
    /// What was recorded of such a model before is still sent, together with later changes of the same records. A model
    /// that is taken out of the set later is sent from its next change on.
    public var localModels: Set<String>
    /// Whether observers also see commits of other handles and processes; `true` by default.
    ///
    /// It needs an adapter whose stores several processes can open, configured to keep a change log. The store then
    /// reads its change feed with one task.
    public var observesOtherHandles: Bool
    /// Where time, pauses, and randomness come from; the system by default.
    public var surroundings: Surroundings
    /// Keys of related records, at most, that become part of a predicate; the adapter's limits bound it anyway.
    var relatedKeyLimit = Int.max

    /// What happens when the store was written with other models; ``SchemaPolicy/refuse`` by default.
    public var schemaPolicy: SchemaPolicy
    /// Called while stored records are migrated, every 1,000 of a model and at its end, from any thread; `nil` by
    /// default.
    public var migrationProgress: (@Sendable (SchemaMigration.Progress) -> Void)?

    /// Called when opening discarded unsent changes; `nil` by default.
    ///
    /// That happens if the policy rebuilds or removes their models. The numbers are changes, by the stored name of
    /// their model. The call comes before the store can be used.
    public var unsentChangesLost: (@Sendable ([String: Int]) -> Void)?

    /// Called when a list leaves out a record that cannot be decoded, for instance since a newer version of the
    /// application has stored a case of an enumeration that this one does not know; `nil` by default.
    ///
    /// Without it such a record makes the query fail. With it queries, streams, and lists of models leave out all such
    /// records, and those that hold one; each query reports one of them, and a stream one of each batch. The records
    /// stay in the store: they count, are deleted by a predicate, and are shown once they can be decoded. A query for one
    /// record and a transaction throw the error nevertheless, and a live query throws it once. Called from any thread.
    public var unreadableRecord: (@Sendable (ModelError) -> Void)?

    /// Creates options; every parameter has the default named at its property.
    public init(
        durability: Durability? = nil, recordsMutations: Bool = true, localModels: Set<String> = [],
        observesOtherHandles: Bool = true, surroundings: Surroundings = .system, schemaPolicy: SchemaPolicy = .refuse,
        migrationProgress: (@Sendable (SchemaMigration.Progress) -> Void)? = nil,
        unsentChangesLost: (@Sendable ([String: Int]) -> Void)? = nil,
        unreadableRecord: (@Sendable (ModelError) -> Void)? = nil
    ) {
        self.unreadableRecord = unreadableRecord
        self.unsentChangesLost = unsentChangesLost
        self.schemaPolicy = schemaPolicy
        self.migrationProgress = migrationProgress
        self.durability = durability
        self.recordsMutations = recordsMutations
        self.localModels = localModels
        self.observesOtherHandles = observesOtherHandles
        self.surroundings = surroundings
    }
}
