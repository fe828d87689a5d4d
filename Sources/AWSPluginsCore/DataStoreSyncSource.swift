public import Amplify
public import HoldfastModel

/// An API plug-in that leads the DataStore to its service.
public protocol DataStoreSyncSource: APICategoryPlugin {
    /// The way to the service, and who makes requests.
    ///
    /// - Parameters:
    ///   - models: The models that are synchronized.
    ///   - strategy: How the kind of authorization of each request is chosen.
    /// - Returns: The session that the synchronization uses.
    /// - Throws: ``APIError`` `.invalidConfiguration` if the plug-in is not configured for it.
    func syncSession(for models: [ModelSchema], strategy: AuthModeStrategyType) throws -> APISession
}

extension APICategory {
    /// The plug-in that leads the DataStore to its service; `nil` if there is none.
    public var syncSource: (any DataStoreSyncSource)? {
        configuredPlugins.lazy.compactMap { $0 as? any DataStoreSyncSource }.first
    }
}
