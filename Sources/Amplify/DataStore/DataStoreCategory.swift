import Synchronization

/// The models on the device: saved, queried, deleted and observed, online or offline.
///
/// All methods may be called from any thread or task. What is done before a plugin was added and configured fails with
/// ``DataStoreError`` `.configuration`.
public final class DataStoreCategory: CategoryTypeable, DataStoreCallbackBehavior {
    private struct State {
        var plugins: [any DataStoreCategoryPlugin] = []
        var isConfigured = false
    }

    private let state = Mutex(State())
    /// Carries out the calls with a callback.
    public let callbacks = DataStoreCallbackQueue()

    init() {}

    /// The DataStore.
    public var categoryType: CategoryType { .dataStore }

    /// Adds a plugin; one of the same key is replaced.
    ///
    /// - Throws: ``DataStoreError`` `.configuration` for an empty key; ``ConfigurationError``
    ///   `.amplifyAlreadyConfigured` once configured.
    public func add(plugin: any DataStoreCategoryPlugin) throws {
        if plugin.key.isEmpty {
            throw DataStoreError.configuration("The plugin has no key.", "Give the plugin a key that is not empty.")
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
    /// - Throws: ``DataStoreError`` `.configuration` if there is none.
    public func getPlugin(for key: PluginKey) throws -> any DataStoreCategoryPlugin {
        guard let plugin = state.withLock({ $0.plugins.first { $0.key == key } }) else {
            throw DataStoreError.configuration("No plugin has the key '\(key)'.", "Add it with Amplify.add(plugin:).")
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

    func configure(_ settings: (PluginKey) -> Any?) throws {
        let plugins = state.withLock { $0.plugins }
        for plugin in plugins { try plugin.configure(using: settings(plugin.key)) }
        state.withLock { $0.isConfigured = true }
    }

    /// The plugin that does the work.
    func plugin() throws -> any DataStoreCategoryPlugin {
        try state.withLock { state in
            guard state.isConfigured else {
                throw DataStoreError.configuration(
                    "Amplify is not configured.", "Call Amplify.configure() before anything else.")
            }
            guard let plugin = state.plugins.first, state.plugins.count == 1 else {
                throw DataStoreError.configuration(
                    "The DataStore has \(state.plugins.count) plugins.",
                    "Add one plugin, or call the one you mean, which getPlugin(for:) returns.")
            }
            return plugin
        }
    }
}
