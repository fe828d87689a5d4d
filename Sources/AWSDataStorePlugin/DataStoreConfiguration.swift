public import AWSPluginsCore
public import Amplify
public import Foundation
public import HoldfastEngine
public import HoldfastStorage

/// How the DataStore behaves.
public struct DataStoreConfiguration: Sendable {
    /// After how many seconds all records are asked for again: a day.
    public static let defaultSyncInterval: TimeInterval = .hours(24)
    /// How many records of a model are asked for at most: 10,000.
    public static let defaultSyncMaxRecords: UInt = 10_000
    /// How many records are asked for at a time: 1,000.
    public static let defaultSyncPageSize: UInt = 1_000

    /// Called with what goes wrong in the background; logs it by default.
    public let errorHandler: DataStoreErrorHandler
    /// Decides what becomes of a refused change; by default the service's record replaces the local one.
    public let conflictHandler: DataStoreConflictHandler
    /// For how many seconds only changes are asked for; after that, all records.
    public let syncInterval: TimeInterval
    /// How many records of a model are asked for at most.
    public let syncMaxRecords: UInt
    /// How many records are asked for at a time.
    public let syncPageSize: UInt
    /// Which records are wanted from the service; all by default.
    ///
    /// Of several expressions for one model the first counts.
    public let syncExpressions: [DataStoreSyncExpression]
    /// How the kind of authorization is chosen.
    public var authModeStrategyType: AuthModeStrategyType
    /// Whether changes at the service are not subscribed to, asked at each start; `false` by default.
    public let disableSubscriptions: @Sendable () -> Bool
    /// Makes the adapter that keeps the records, each time the store is opened.
    public let storageAdapter: @Sendable () throws -> any StorageAdapter
    /// What happens when the store was written with models that differ; models that cannot change in place start empty
    /// by default.
    public let schemaPolicy: SchemaPolicy
    /// How the store behaves otherwise; ``schemaPolicy`` takes the place of its policy.
    public let options: DataStoreOptions
    /// Called with the store each time it was opened, before anything else uses it.
    public let prepareStore: @Sendable (DataStore) async throws -> Void

    /// A configuration with every field as named below.
    ///
    /// - Parameters:
    ///   - errorHandler: Called with what goes wrong in the background; logs it by default.
    ///   - conflictHandler: Decides what becomes of a refused change; by default the service's record wins.
    ///   - syncInterval: For how many seconds only changes are asked for; a day by default, and for what is not a
    ///     number. Never more than `1e12`, which stands for infinity.
    ///   - syncMaxRecords: How many records of a model are asked for at most; 10,000 by default.
    ///   - syncPageSize: How many records are asked for at a time; 1,000 by default.
    ///   - syncExpressions: Which records are wanted from the service; all by default.
    ///   - authModeStrategy: How the kind of authorization is chosen.
    ///   - disableSubscriptions: Whether changes at the service are not subscribed to, asked at each start.
    ///   - storageAdapter: What keeps the records; evaluated each time the store is opened, since an adapter is opened
    ///     once. By default a database file at the platform's place for application data.
    ///   - schemaPolicy: What happens when the store was written with models that differ. Additive differences are made
    ///     in place under every policy. By default models that cannot change in place start empty, as all do in
    ///     amplify-swift, and their unsent changes are discarded; `errorHandler` and the event
    ///     `HubPayload.EventName.DataStore.unsentChangesLost` say how many. With `.migrate(_:rebuildsRest:)` records
    ///     are brought to their new form. With `.refuse` every call but `clear()` fails until the models fit.
    ///   - options: How the store behaves otherwise, for instance its durability; its `schemaPolicy` does not matter.
    ///   - prepareStore: Called with the store each time it was opened, before anything else uses it, for instance to
    ///     import what an earlier version of the application left behind. It uses the store that it is given: calls of
    ///     `Amplify.DataStore` in it, and in tasks that it starts, fail, since they wait for it. What it throws is
    ///     thrown by the call that needed the store, also by `clear()`, and the store is closed again. So it throws
    ///     only what can pass. Does nothing by default.
    /// - Returns: The configuration with these values.
    @preconcurrency public static func custom(
        errorHandler: @escaping DataStoreErrorHandler = { Amplify.Logging.error(error: $0) },
        conflictHandler: @escaping DataStoreConflictHandler = { _, resolve in resolve(.applyRemote) },
        syncInterval: TimeInterval = DataStoreConfiguration.defaultSyncInterval,
        syncMaxRecords: UInt = DataStoreConfiguration.defaultSyncMaxRecords,
        syncPageSize: UInt = DataStoreConfiguration.defaultSyncPageSize,
        syncExpressions: [DataStoreSyncExpression] = [], authModeStrategy: AuthModeStrategyType = .default,
        disableSubscriptions: @escaping @Sendable () -> Bool = { false },
        storageAdapter: @autoclosure @escaping @Sendable () throws -> any StorageAdapter = try DefaultAdapter.make(),
        schemaPolicy: SchemaPolicy = .rebuild, options: DataStoreOptions = DataStoreOptions(),
        prepareStore: @escaping @Sendable (DataStore) async throws -> Void = { _ in }
    ) -> DataStoreConfiguration {
        DataStoreConfiguration(
            errorHandler: errorHandler, conflictHandler: conflictHandler, syncInterval: syncInterval,
            syncMaxRecords: syncMaxRecords, syncPageSize: syncPageSize, syncExpressions: syncExpressions,
            authModeStrategyType: authModeStrategy, disableSubscriptions: disableSubscriptions,
            storageAdapter: storageAdapter, schemaPolicy: schemaPolicy, options: options, prepareStore: prepareStore)
    }

    /// Everything by default.
    public static var `default`: DataStoreConfiguration { .custom() }

    /// Everything by default, but changes at the service come with queries only.
    public static var subscriptionsDisabled: DataStoreConfiguration { .custom(disableSubscriptions: { true }) }
}
