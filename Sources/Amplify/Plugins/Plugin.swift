/// The name under which a plug-in is found.
public typealias PluginKey = String

/// The parts of the interface.
public enum CategoryType: String, Sendable, Hashable, CaseIterable {
    /// Requests to a service.
    case api
    /// Who the user is.
    case auth
    /// The models on the device.
    case dataStore
    /// Events.
    case hub
    /// Messages for developers.
    case logging

    /// The name as developers read it.
    public var displayName: String {
        switch self {
        case .api: "API"
        case .auth: "Authentication"
        case .dataStore: "DataStore"
        case .hub: "Hub"
        case .logging: "Logging"
        }
    }
}

/// Something that belongs to one part of the interface.
public protocol CategoryTypeable {
    /// The part.
    var categoryType: CategoryType { get }
}

/// What a category runs on.
public protocol Plugin: AnyObject, CategoryTypeable, Sendable {
    /// The name under which it is found; not empty.
    var key: PluginKey { get }

    /// Prepares the plug-in; called once by ``Amplify/configure(_:)``.
    ///
    /// - Parameter configuration: The plug-in's part of the configuration, or `nil`.
    /// - Throws: An error if the plug-in cannot use the configuration.
    func configure(using configuration: Any?) throws

    /// Ends all work and forgets everything but the settings.
    func reset() async
}

/// A category could not be set up.
public enum ConfigurationError: AmplifyError {
    /// `configure` was called before; call it once.
    case amplifyAlreadyConfigured(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// The configuration file cannot be found or read.
    case invalidAmplifyConfigurationFile(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// The outputs file cannot be found or read.
    case invalidAmplifyOutputsFile(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// The configuration file is not what is expected.
    case unableToDecode(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// Anything else.
    case unknown(ErrorDescription, RecoverySuggestion, (any Error)?)

    private var parts: (ErrorDescription, RecoverySuggestion, (any Error)?) {
        switch self {
        case .amplifyAlreadyConfigured(let description, let suggestion, let error),
            .invalidAmplifyConfigurationFile(let description, let suggestion, let error),
            .invalidAmplifyOutputsFile(let description, let suggestion, let error),
            .unableToDecode(let description, let suggestion, let error),
            .unknown(let description, let suggestion, let error):
            (description, suggestion, error)
        }
    }

    /// What went wrong.
    public var errorDescription: ErrorDescription { parts.0 }
    /// What can be done about it.
    public var recoverySuggestion: RecoverySuggestion { parts.1 }
    /// The underlying error.
    public var underlyingError: (any Error)? { parts.2 }

    /// Creates an error around another; one of the same type stays as it is.
    public init(
        errorDescription: ErrorDescription = "Amplify could not be set up.",
        recoverySuggestion: RecoverySuggestion = "See the underlying error.", error: any Error
    ) {
        self = error as? Self ?? .unknown(errorDescription, recoverySuggestion, error)
    }
}

/// A plug-in could not be added or found.
public enum PluginError: AmplifyError {
    /// The plug-in does not fit.
    case mismatchedPlugin(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// No plug-in has this key.
    case noSuchPlugin(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// The plug-in belongs to no category, or its configuration is wrong.
    case pluginConfigurationError(ErrorDescription, RecoverySuggestion, (any Error)? = nil)

    private var parts: (ErrorDescription, RecoverySuggestion, (any Error)?) {
        switch self {
        case .mismatchedPlugin(let description, let suggestion, let error),
            .noSuchPlugin(let description, let suggestion, let error),
            .pluginConfigurationError(let description, let suggestion, let error):
            (description, suggestion, error)
        }
    }

    /// What went wrong.
    public var errorDescription: ErrorDescription { parts.0 }
    /// What can be done about it.
    public var recoverySuggestion: RecoverySuggestion { parts.1 }
    /// The underlying error.
    public var underlyingError: (any Error)? { parts.2 }

    /// Creates an error around another; one of the same type stays as it is.
    public init(
        errorDescription: ErrorDescription = "The plug-in could not be used.",
        recoverySuggestion: RecoverySuggestion = "See the underlying error.", error: any Error
    ) {
        self = error as? Self ?? .pluginConfigurationError(errorDescription, recoverySuggestion, error)
    }
}
