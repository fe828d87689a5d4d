import Synchronization

/// Requests to a service, and the way to it for the DataStore.
public final class APICategory: CategoryTypeable, Sendable {
    private struct State {
        var plugins: [any APICategoryPlugin] = []
        var isConfigured = false
    }

    private let state = Mutex(State())

    init() {}

    /// The API.
    public var categoryType: CategoryType { .api }

    /// Adds a plugin; one of the same key is replaced.
    ///
    /// - Throws: ``APIError`` `.invalidConfiguration` for an empty key; ``ConfigurationError``
    ///   `.amplifyAlreadyConfigured` once configured.
    public func add(plugin: any APICategoryPlugin) throws {
        if plugin.key.isEmpty {
            throw APIError.invalidConfiguration("The plugin has no key.", "Give the plugin a key that is not empty.")
        }
        try state.withLock { state in
            if state.isConfigured {
                throw ConfigurationError.amplifyAlreadyConfigured(
                    "Amplify is configured already.", "Add all plugins first, then call configure() once.")
            }
            state.plugins.removeAll { $0.key == plugin.key }
            state.plugins.append(plugin)
        }
    }

    /// The plugin of a key.
    ///
    /// - Throws: ``APIError`` `.invalidConfiguration` if there is none.
    public func getPlugin(for key: PluginKey) throws -> any APICategoryPlugin {
        guard let plugin = state.withLock({ $0.plugins.first { $0.key == key } }) else {
            throw APIError.invalidConfiguration("No plugin has the key '\(key)'.", "Add it with Amplify.add(plugin:).")
        }
        return plugin
    }

    /// Forgets the plugin of a key, if there is one.
    public func removePlugin(for key: PluginKey) {
        state.withLock { $0.plugins.removeAll { $0.key == key } }
    }

    /// Resets and forgets all plugins.
    public func reset() async {
        let plugins = state.withLock { state in
            defer { state = State() }
            return state.plugins
        }
        for plugin in plugins { await plugin.reset() }
    }

    /// The plugins, in the order in which they were added; none before they are configured.
    package var configuredPlugins: [any APICategoryPlugin] {
        state.withLock { $0.isConfigured ? $0.plugins : [] }
    }

    func configure(_ settings: (PluginKey) -> Any?) throws {
        let plugins = state.withLock { $0.plugins }
        for plugin in plugins { try plugin.configure(using: settings(plugin.key)) }
        state.withLock { $0.isConfigured = true }
    }
}

/// What the API category runs on.
public protocol APICategoryPlugin: Plugin, APICategoryGraphQLBehavior {}

extension APICategoryPlugin {
    /// The API.
    public var categoryType: CategoryType { .api }
}
