/// All that a DataStore does.
public typealias DataStoreCategoryBehavior = DataStoreBaseBehavior & DataStoreSubscribeBehavior

/// What the DataStore category runs on.
public protocol DataStoreCategoryPlugin: Plugin, DataStoreBaseBehavior, DataStoreSubscribeBehavior {}

extension DataStoreCategoryPlugin {
    /// The DataStore.
    public var categoryType: CategoryType { .dataStore }
}
