#if CLI && Server
import HoldfastSchema

/// What a client of AWS Amplify needs to find a service: the two files that its libraries read.
struct ClientConfiguration {
    let endpoint: String
    let key: String
    let defaultAuth: AuthMode

    /// The region that clients must name; the service is in none.
    private static let region = "us-east-1"

    /// `amplify_outputs.json`, of the second generation.
    var outputs: Outputs {
        let others = [AuthMode.apiKey, .userPools].filter { $0 != defaultAuth }.map(\.rawValue)
        return Outputs(
            version: "1.3",
            data: Outputs.Data(
                aws_region: Self.region, url: endpoint, api_key: key,
                default_authorization_type: defaultAuth.rawValue, authorization_types: others))
    }

    /// `amplifyconfiguration.json`, of the first generation.
    var configuration: Configuration {
        let plugin = Configuration.API(
            endpointType: "GraphQL", endpoint: endpoint, region: Self.region, authorizationType: defaultAuth.rawValue,
            apiKey: key)
        return Configuration(api: .init(plugins: .init(awsAPIPlugin: ["holdfast": plugin])))
    }

    struct Outputs: Encodable {
        struct Data: Encodable {
            let aws_region: String
            let url: String
            let api_key: String
            let default_authorization_type: String
            let authorization_types: [String]
        }
        let version: String
        let data: Data
    }

    struct Configuration: Encodable {
        struct Category: Encodable { let plugins: Plugins }
        struct Plugins: Encodable { let awsAPIPlugin: [String: API] }
        struct API: Encodable {
            let endpointType: String
            let endpoint: String
            let region: String
            let authorizationType: String
            let apiKey: String
        }
        let api: Category
    }
}
#endif
