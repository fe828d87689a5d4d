import HoldfastStorage

/// The plug-ins of one category, in the order in which they were added.
final class PluginRegistry<Element: Sendable>: Sendable {
    private struct State {
        var plugins: [(plugin: any Plugin, element: Element)] = [] {
            // Made here, since every call of the application asks for it.
            didSet { elements = plugins.map(\.element) }
        }
        private(set) var elements: [Element] = []
        var isConfigured = false
    }

    private let state = Mutex(State())
    private let invalid: @Sendable (ErrorDescription, RecoverySuggestion) -> any Error

    /// Creates a registry without plug-ins.
    ///
    /// - Parameter invalid: Makes the category's error for a plug-in without a key, a key without a plug-in,
    ///   and a number of plug-ins other than one.
    init(invalid: @escaping @Sendable (ErrorDescription, RecoverySuggestion) -> any Error) { self.invalid = invalid }

    /// The plug-ins; `nil` before they are configured.
    var configured: [Element]? { state.withLock { $0.isConfigured ? $0.elements : nil } }

    /// The only plug-in.
    ///
    /// - Parameter category: The category as the subject of a sentence.
    /// - Returns: The plug-in, as the category knows it.
    /// - Throws: The category's error before the plug-ins are configured, and unless there is exactly one.
    func only(of category: String) throws -> Element {
        let plugins = configured ?? []
        guard let plugin = plugins.first, plugins.count == 1 else {
            throw invalid(
                "\(category) has \(plugins.count) configured plug-ins.",
                "Add one plug-in and call Amplify.configure() before anything else, or call the plug-in that "
                    + "getPlugin(for:) returns.")
        }
        return plugin
    }

    /// Adds a plug-in; one of the same key is replaced.
    ///
    /// - Parameters:
    ///   - plugin: The plug-in.
    ///   - element: The same, as the category knows it.
    /// - Throws: The category's error if the plug-in's key is empty; ``ConfigurationError`` `.amplifyAlreadyConfigured`
    ///   after the plug-ins are configured.
    func add(_ plugin: any Plugin, as element: Element) throws {
        if plugin.key.isEmpty { throw invalid("The plug-in has no key.", "Give the plug-in a key that is not empty.") }
        try state.withLock { state in
            if state.isConfigured {
                throw ConfigurationError.amplifyAlreadyConfigured(
                    "Amplify is configured already.", "Add all plug-ins first, then call configure() once.")
            }
            state.plugins.removeAll { $0.plugin.key == plugin.key }
            state.plugins.append((plugin, element))
        }
    }

    /// The plug-in of a key.
    func plugin(for key: PluginKey) throws -> Element {
        guard let entry = state.withLock({ $0.plugins.first { $0.plugin.key == key } }) else {
            throw invalid("No plug-in has the key '\(key)'.", "Add it with Amplify.add(plugin:).")
        }
        return entry.element
    }

    /// Forgets the plug-in of a key, if there is one.
    func remove(_ key: PluginKey) { state.withLock { $0.plugins.removeAll { $0.plugin.key == key } } }

    /// Resets and forgets all plug-ins.
    func reset() async {
        let plugins = state.withLock { state in
            defer { state = State() }
            return state.plugins
        }
        for entry in plugins { await entry.plugin.reset() }
    }

    /// Configures each plug-in with its part of the configuration.
    func configure(_ settings: (PluginKey) -> Any?) throws {
        let plugins = state.withLock { $0.plugins }
        for entry in plugins { try entry.plugin.configure(using: settings(entry.plugin.key)) }
        state.withLock { $0.isConfigured = true }
    }
}
