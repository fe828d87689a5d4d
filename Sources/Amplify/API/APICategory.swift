/// Requests to a service, and the way to it for the DataStore.
public final class APICategory: CategoryTypeable, Sendable {
    private let registry = PluginRegistry<any APICategoryPlugin> { APIError.invalidConfiguration($0, $1) }

    init() {}

    /// The API.
    public var categoryType: CategoryType { .api }

    /// Adds a plug-in; one of the same key is replaced.
    ///
    /// - Throws: ``APIError`` `.invalidConfiguration` for an empty key; ``ConfigurationError``
    ///   `.amplifyAlreadyConfigured` once configured.
    public func add(plugin: any APICategoryPlugin) throws { try registry.add(plugin, as: plugin) }

    /// The plug-in of a key.
    ///
    /// - Throws: ``APIError`` `.invalidConfiguration` if there is none.
    public func getPlugin(for key: PluginKey) throws -> any APICategoryPlugin { try registry.plugin(for: key) }

    /// Forgets the plug-in of a key, if there is one.
    public func removePlugin(for key: PluginKey) { registry.remove(key) }

    /// Resets and forgets all plug-ins.
    public func reset() async { await registry.reset() }

    /// The plug-ins, in the order in which they were added; none before they are configured.
    package var configuredPlugins: [any APICategoryPlugin] { registry.configured ?? [] }

    /// The only plug-in.
    ///
    /// - Throws: ``APIError`` `.invalidConfiguration` before the API is configured, and with several plug-ins.
    func plugin() throws -> any APICategoryPlugin { try registry.only(of: "The API") }

    func configure(_ settings: (PluginKey) -> Any?) throws { try registry.configure(settings) }
}

/// What the API category runs on.
public protocol APICategoryPlugin: Plugin, APICategoryBehavior {}

/// Everything that the API category does.
public typealias APICategoryBehavior = APICategoryGraphQLBehavior & APICategoryRESTBehavior
    & APICategoryInterceptorBehavior

extension APICategoryPlugin {
    /// The API.
    public var categoryType: CategoryType { .api }
}
