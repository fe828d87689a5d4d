import AWSPluginsCore
import Amplify
import HoldfastWire

extension APIEndpoint {
    /// The headers with which requests to the service say who makes them, without its address.
    ///
    /// - Returns: `nil` if no one is signed in.
    /// - Throws: `APIError` `.operationError` if there is no token at the moment; `.invalidConfiguration` without a
    ///   provider of tokens, and for signatures of AWS, which belong to one request.
    func headers(_ tokens: APITokens) async throws(APIError) -> AuthHeaders? {
        switch authorizationType {
        case .none: return AuthHeaders()
        case .apiKey: return AuthHeaders([AuthHeaders.Header("x-api-key", apiKey ?? "")])
        case .awsIAM: throw .withoutSignatures(self)
        case .openIDConnect, .amazonCognitoUserPools, .function:
            guard tokens.has(authorizationType) else {
                throw .invalidConfiguration(
                    "Requests to the API '\(name)' need a token of the kind '\(authorizationType.rawValue)'.",
                    "Give AWSAPIPlugin an APIAuthProviderFactory with a provider of such tokens.")
            }
            do {
                return try await tokens.token(authorizationType).map {
                    AuthHeaders([AuthHeaders.Header("Authorization", $0)])
                }
            } catch {
                throw .operationError(
                    "There is no token at the moment.", "Try again when the user can be authorized.", error)
            }
        }
    }
}

extension APIError {
    /// There is nothing to sign requests with.
    static func withoutCredentials(_ endpoint: APIEndpoint) -> APIError {
        .invalidConfiguration(
            "Requests to the API '\(endpoint.name)' must be signed, but there are no credentials.",
            "Add an Auth plug-in whose session is an AuthAWSCredentialsProvider.")
    }

    /// There is nothing that signs requests.
    static func withoutSignatures(_ endpoint: APIEndpoint) -> APIError {
        .invalidConfiguration(
            "Requests to the API '\(endpoint.name)' must be signed, but the package was built without signatures.",
            "Enable the trait 'Sync' of the package 'holdfast'.")
    }
}
