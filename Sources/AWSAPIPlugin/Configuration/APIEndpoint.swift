public import AWSPluginsCore
import Amplify
import HoldfastModel

/// What a service of the configuration speaks.
public enum APIEndpointType: String, Sendable, Hashable {
    /// GraphQL, in the dialect of AppSync.
    case graphQL = "GraphQL"
    /// Plain HTTP.
    case rest = "REST"
}

/// One service of the configuration.
///
/// It prints without its key.
public struct APIEndpoint: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// The name in the configuration.
    public var name: String
    /// What it speaks.
    public var endpointType: APIEndpointType
    /// The address for requests: `https://host/path`.
    public var url: String
    /// The region of AWS; `nil` if the configuration names none.
    public var region: String?
    /// How requests show who makes them.
    public var authorizationType: AWSAuthorizationType
    /// The other ways that the service offers, as far as the configuration names them.
    public var otherAuthorizationTypes: [AWSAuthorizationType]
    /// The key of the application; `nil` if the configuration has none.
    public var apiKey: String?

    /// Creates a service.
    public init(
        name: String, endpointType: APIEndpointType = .graphQL, url: String, region: String? = nil,
        authorizationType: AWSAuthorizationType,
        otherAuthorizationTypes: [AWSAuthorizationType] = [], apiKey: String? = nil
    ) {
        self.name = name
        self.endpointType = endpointType
        self.url = url
        self.region = region
        self.authorizationType = authorizationType
        self.otherAuthorizationTypes = otherAuthorizationTypes
        self.apiKey = apiKey
    }

    /// The name and the kind of authorization.
    public var description: String { "\(name) (\(authorizationType.rawValue))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The name, so that `dump` shows no key.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension APIEndpoint {
    /// The services of a configuration, by name.
    static func all(in configuration: Any?) throws -> [APIEndpoint] {
        switch configuration {
        case let outputs as AmplifyOutputsData:
            guard let data = outputs.document.value(at: "data") else {
                throw invalid("The outputs have no 'data'", "Add a data resource to the backend.")
            }
            return [try APIEndpoint(outputs: data)]
        case .some(JSONValue.object(let apis) as JSONValue):
            return try apis.sorted { $0.key < $1.key }.compactMap { name, settings in
                // Endpoints of other types are for other plug-ins.
                let types = [APIEndpointType.graphQL, .rest]
                let text = settings.text("endpointType")?.lowercased()
                return try types.first { $0.rawValue.lowercased() == text }.map {
                    try APIEndpoint(name: name, $0, settings)
                }
            }
        default:
            throw invalid(
                "There is no configuration for 'awsAPIPlugin'",
                "Add amplifyconfiguration.json or amplify_outputs.json to the application, or pass its content to "
                    + "Amplify.configure.")
        }
    }

    private init(name: String, _ endpointType: APIEndpointType, _ settings: JSONValue) throws {
        guard let url = settings.text("endpoint") else {
            throw Self.invalid("The API '\(name)' has no 'endpoint'", "Generate the configuration again.")
        }
        self.init(
            name: name, endpointType: endpointType, url: url, region: settings.text("region"),
            authorizationType: try Self.type(settings.text("authorizationType"), of: name),
            apiKey: settings.text("apiKey"))
        try checkKey()
    }

    private init(outputs data: JSONValue) throws {
        let name = AWSAPIPlugin.defaultGraphQLAPI
        guard let url = data.text("url") else {
            throw Self.invalid("The outputs have no 'data.url'", "Generate the outputs again.")
        }
        var others: [AWSAuthorizationType] = []
        if case .array(let values)? = data.value(at: "authorization_types") {
            for case .string(let value) in values { others.append(try Self.type(value, of: name)) }
        }
        let type = try Self.type(data.text("default_authorization_type"), of: name)
        self.init(
            name: name, url: url, region: data.text("aws_region"), authorizationType: type,
            otherAuthorizationTypes: others.filter { $0 != type }, apiKey: data.text("api_key"))
        try checkKey()
    }

    private func checkKey() throws {
        if authorizationType == .apiKey && apiKey == nil {
            throw Self.invalid(
                "The API '\(name)' is authorized by a key and has no key", "Generate the configuration again.")
        }
    }

    private static func type(_ text: String?, of name: String) throws -> AWSAuthorizationType {
        guard let type = text.flatMap(AWSAuthorizationType.init) else {
            let known = AWSAuthorizationType.allCases.map(\.rawValue).joined(separator: ", ")
            throw invalid("The API '\(name)' has no known kind of authorization", "Use one of \(known).")
        }
        return type
    }

    private static func invalid(_ problem: String, _ suggestion: String) -> PluginError {
        .pluginConfigurationError("\(problem).", suggestion)
    }

    /// The ways that the service offers and for which there is a key or a provider of tokens, the default first.
    func offeredTypes(_ tokens: APITokens) -> [AWSAuthorizationType] {
        let named = [authorizationType] + otherAuthorizationTypes
        // The older configuration names only the default.
        let rest = otherAuthorizationTypes.isEmpty ? AWSAuthorizationType.allCases : []
        var offered: [AWSAuthorizationType] = []
        for type in named + rest where !offered.contains(type) {
            let isThere: Bool =
                switch type {
                case .apiKey: apiKey != nil
                case .none: type == authorizationType
                // That there is a session does not say that it has credentials of AWS.
                case .awsIAM: named.contains(type) && tokens.has(type)
                default: tokens.has(type)
                }
            if isThere || type == authorizationType { offered.append(type) }
        }
        return offered
    }
}

extension JSONValue {
    fileprivate func value(at name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    fileprivate func text(_ name: String) -> String? {
        if case .string(let text)? = value(at: name) { text } else { nil }
    }
}
