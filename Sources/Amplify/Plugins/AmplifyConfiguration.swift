public import Foundation

/// The settings of one category, by the keys of its plug-ins.
public struct CategoryConfiguration: Codable, Sendable, Hashable {
    /// The settings of each plug-in.
    public let plugins: [String: JSONValue]

    /// Creates the settings of a category.
    public init(plugins: [String: JSONValue] = [:]) { self.plugins = plugins }
}

/// The settings of the API category.
public typealias APICategoryConfiguration = CategoryConfiguration
/// The settings of the Auth category.
public typealias AuthCategoryConfiguration = CategoryConfiguration
/// The settings of the DataStore category, which needs none.
public typealias DataStoreCategoryConfiguration = CategoryConfiguration

/// What `amplifyconfiguration.json` holds, as far as it is used here; the rest is ignored.
public struct AmplifyConfiguration: Codable, Sendable, Hashable {
    /// The settings of the API category.
    public let api: APICategoryConfiguration?
    /// The settings of the Auth category.
    public let auth: AuthCategoryConfiguration?
    /// The settings of the DataStore category.
    public let dataStore: DataStoreCategoryConfiguration?

    /// Creates settings; none by default.
    public init(
        api: APICategoryConfiguration? = nil, auth: AuthCategoryConfiguration? = nil,
        dataStore: DataStoreCategoryConfiguration? = nil
    ) {
        self.api = api
        self.auth = auth
        self.dataStore = dataStore
    }

    /// Reads settings from a file.
    ///
    /// - Throws: ``ConfigurationError`` `.invalidAmplifyConfigurationFile`, `.unableToDecode`.
    public init(configurationFile url: URL) throws {
        let data = try contents(of: url, "configuration", ConfigurationError.invalidAmplifyConfigurationFile)
        do {
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch {
            throw ConfigurationError.unableToDecode(
                "The configuration file '\(url.lastPathComponent)' is not what is expected.",
                "Generate it again.", error)
        }
    }

    /// The settings in the application's bundle; empty if there are none.
    static func fromMainBundle() throws -> AmplifyConfiguration {
        guard let url = Bundle.main.url(forResource: "amplifyconfiguration", withExtension: "json") else {
            return AmplifyConfiguration()
        }
        return try AmplifyConfiguration(configurationFile: url)
    }

    func plugins(of category: CategoryType) -> [String: JSONValue] {
        switch category {
        case .api: api?.plugins ?? [:]
        case .auth: auth?.plugins ?? [:]
        case .dataStore: dataStore?.plugins ?? [:]
        case .hub, .logging: [:]
        }
    }
}

/// What `amplify_outputs.json` holds.
public struct AmplifyOutputsData: Codable, Sendable, Hashable {
    /// The whole document.
    public let document: JSONValue

    /// Reads any JSON document.
    public init(from decoder: any Decoder) throws { document = try JSONValue(from: decoder) }

    /// Writes the document.
    public func encode(to encoder: any Encoder) throws { try document.encode(to: encoder) }
}

/// Where the outputs of a backend are read from.
public struct AmplifyOutputs: Sendable {
    let resolveConfiguration: @Sendable () throws -> AmplifyOutputsData

    /// `amplify_outputs.json` in the application's bundle.
    public static let amplifyOutputs = AmplifyOutputs.resource(named: "amplify_outputs")

    /// A document in memory.
    public static func data(_ data: Data) -> AmplifyOutputs {
        AmplifyOutputs { try decode(data) }
    }

    /// A file of the application's bundle, by its name without `.json`.
    public static func resource(named name: String) -> AmplifyOutputs {
        AmplifyOutputs {
            guard let url = Bundle.main.url(forResource: name, withExtension: "json") else {
                throw ConfigurationError.invalidAmplifyOutputsFile(
                    "The outputs file '\(name).json' is not in the application's bundle.", "Add it to the target.")
            }
            return try read(url)
        }
    }

    static func read(_ url: URL) throws -> AmplifyOutputsData {
        try decode(contents(of: url, "outputs", ConfigurationError.invalidAmplifyOutputsFile))
    }

    private static func decode(_ data: Data) throws -> AmplifyOutputsData {
        do {
            return try JSONDecoder().decode(AmplifyOutputsData.self, from: data)
        } catch {
            throw ConfigurationError.unableToDecode("The outputs are not JSON.", "Generate them again.", error)
        }
    }
}

/// Reads a file of settings.
///
/// - Parameters:
///   - url: The file.
///   - kind: What it holds, for the error.
///   - failure: The error if it cannot be read.
/// - Returns: The contents.
/// - Throws: The error.
private func contents(
    of url: URL, _ kind: String,
    _ failure: (ErrorDescription, RecoverySuggestion, (any Error)?) -> ConfigurationError
) throws -> Data {
    do {
        return try Data(contentsOf: url)
    } catch {
        throw failure(
            "The \(kind) file '\(url.lastPathComponent)' cannot be read.", "Check that it exists and may be read.",
            error)
    }
}
