import HoldfastStorage

/// The entrance: plug-ins are added and configured here, and the categories are its static members.
///
/// There is one set of categories in a process. Code that wants several stores, or none that is global, uses the
/// `DataStore` of `HoldfastEngine` itself.
public final class Amplify: Sendable {
    // The categories are spelled as the callers spell them.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Who the user is.
    public static let Auth = AuthCategory()
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The models on the device.
    public static let DataStore = DataStoreCategory()
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Requests to a service.
    public static let API = APICategory()
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Events.
    public static let Hub = HubCategory()
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Messages for developers.
    public static let Logging = LoggingCategory()

    /// The logger of the library itself.
    public static var log: any Logger { Logging.logger(forCategory: "Amplify") }

    private static let isConfigured = Mutex(false)

    private init() {}

    /// Adds a plug-in to the category it belongs to.
    ///
    /// - Throws: ``ConfigurationError`` `.amplifyAlreadyConfigured` after ``configure(_:)``; for a plug-in without a key
    ///   ``DataStoreError`` `.configuration`, ``APIError`` `.invalidConfiguration`, or ``AuthError`` `.configuration`,
    ///   by its category; ``PluginError`` `.pluginConfigurationError` for a plug-in of no known category.
    public static func add(plugin: some Plugin) throws {
        try isConfigured.withLock { isConfigured in
            switch plugin {
            case let plugin as any DataStoreCategoryPlugin:
                if isConfigured { throw alreadyConfigured }
                try DataStore.add(plugin: plugin)
            case let plugin as any APICategoryPlugin:
                if isConfigured { throw alreadyConfigured }
                try API.add(plugin: plugin)
            case let plugin as any AuthCategoryPlugin:
                if isConfigured { throw alreadyConfigured }
                try Auth.add(plugin: plugin)
            default:
                throw PluginError.pluginConfigurationError(
                    "The plug-in '\(plugin.key)' belongs to no category that exists here.",
                    "Add a plug-in of the API, the Auth, or the DataStore category.")
            }
        }
    }

    /// Configures all plug-ins; call it once, after the last plug-in was added.
    ///
    /// - Parameter configuration: The settings; by default those in the application's bundle, if there are any. The
    ///   DataStore needs none.
    /// - Throws: ``ConfigurationError``; what the plug-ins throw.
    public static func configure(_ configuration: AmplifyConfiguration? = nil) throws {
        let configuration = try configuration ?? AmplifyConfiguration.fromMainBundle()
        try configureAll { configuration.plugins(of: $0)[$1] }
    }

    /// Configures all plug-ins from the outputs of a backend.
    ///
    /// - Throws: ``ConfigurationError``; what the plug-ins throw.
    public static func configure(with amplifyOutputs: AmplifyOutputs) throws {
        try configure(amplifyOutputs.resolveConfiguration())
    }

    /// Configures all plug-ins from the outputs of a backend.
    ///
    /// - Throws: ``ConfigurationError``; what the plug-ins throw.
    public static func configure(_ configuration: AmplifyOutputsData) throws {
        try configureAll { _, _ in configuration }
    }

    /// Undoes everything: stores are closed, plug-ins, listeners and registered models forgotten.
    ///
    /// For tests, which then add and configure again.
    public static func reset() async {
        await DataStore.reset()
        await API.reset()
        await Auth.reset()
        await Hub.reset()
        Logging.reset()
        ModelRegistry.reset()
        isConfigured.withLock { $0 = false }
    }

    private static func configureAll(_ settings: (CategoryType, PluginKey) -> Any?) throws {
        try isConfigured.withLock { isConfigured in
            if isConfigured { throw alreadyConfigured }
            try Auth.configure { settings(.auth, $0) }
            try API.configure { settings(.api, $0) }
            try DataStore.configure { settings(.dataStore, $0) }
            isConfigured = true
        }
        Hub.dispatchToAllChannels(HubPayload(eventName: HubPayload.EventName.Amplify.configured))
    }

    private static var alreadyConfigured: ConfigurationError {
        .amplifyAlreadyConfigured(
            "Amplify is configured already.", "Add all plug-ins first, then call configure() once.")
    }
}
