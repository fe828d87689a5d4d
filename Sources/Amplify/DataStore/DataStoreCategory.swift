/// The models on the device: saved, queried, deleted and observed, online or offline.
///
/// All methods may be called from any thread or task. What is done before a plug-in was added and configured fails with
/// ``DataStoreError`` `.configuration`.
///
/// ```swift
/// let post = try await Amplify.DataStore.save(Post(title: "Hold fast", rating: 5, status: "active"))
/// let good = try await Amplify.DataStore.query(Post.self, where: Post.keys.rating >= 4)
/// try await Amplify.DataStore.delete(post)
/// ```
public final class DataStoreCategory: CategoryTypeable, DataStoreCallbackBehavior {
    private let registry = PluginRegistry<any DataStoreCategoryPlugin> { DataStoreError.configuration($0, $1) }
    /// Carries out the calls with a callback.
    public let callbacks = DataStoreCallbackQueue()

    init() {}

    /// The DataStore.
    public var categoryType: CategoryType { .dataStore }

    /// Adds a plug-in; one of the same key is replaced.
    ///
    /// - Throws: ``DataStoreError`` `.configuration` for an empty key; ``ConfigurationError``
    ///   `.amplifyAlreadyConfigured` once configured.
    public func add(plugin: any DataStoreCategoryPlugin) throws { try registry.add(plugin, as: plugin) }

    /// The plug-in of a key.
    ///
    /// - Throws: ``DataStoreError`` `.configuration` if there is none.
    public func getPlugin(for key: PluginKey) throws -> any DataStoreCategoryPlugin { try registry.plugin(for: key) }

    /// Forgets the plug-in of a key, if there is one.
    public func removePlugin(for key: PluginKey) { registry.remove(key) }

    /// Resets and forgets all plug-ins.
    public func reset() async { await registry.reset() }

    func configure(_ settings: (PluginKey) -> Any?) throws { try registry.configure(settings) }

    /// The plug-in that does the work.
    func plugin() throws -> any DataStoreCategoryPlugin {
        guard let plugins = registry.configured else {
            throw DataStoreError.configuration(
                "Amplify is not configured.", "Call Amplify.configure() before anything else.")
        }
        guard let plugin = plugins.first, plugins.count == 1 else {
            throw DataStoreError.configuration(
                "The DataStore has \(plugins.count) plug-ins.",
                "Add one plug-in, or call the one you mean, which getPlugin(for:) returns.")
        }
        return plugin
    }
}
