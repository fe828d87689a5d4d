/// Something with a logger; by default that of a category called like the type.
public protocol DefaultLogger {
    /// The logger of the type.
    static var log: any Logger { get }
    /// The logger of the type.
    var log: any Logger { get }
}

extension DefaultLogger {
    /// The logger of a category called like the type.
    public static var log: any Logger { Amplify.Logging.logger(forCategory: String(describing: self)) }
    /// The logger of the type.
    public var log: any Logger { Self.log }
}

extension DataStoreCategory: DefaultLogger {
    /// The logger of the DataStore.
    public static var log: any Logger { Amplify.Logging.logger(forCategory: CategoryType.dataStore.displayName) }
}

extension HubCategory: DefaultLogger {
    /// The logger of the Hub.
    public static var log: any Logger { Amplify.Logging.logger(forCategory: CategoryType.hub.displayName) }
}
