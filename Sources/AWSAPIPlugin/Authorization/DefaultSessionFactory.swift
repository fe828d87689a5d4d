import Amplify

/// HTTP and WebSocket, where the package was built with them.
struct DefaultSessionFactory: APISessionFactory {
    func makeSession(_ request: APISessionRequest) throws -> APISession {
        throw APIError.invalidConfiguration(
            "There is no transport to the API '\(request.endpoint.name)'.",
            "Enable the trait 'Sync' of the package 'holdfast', or give AWSAPIPlugin a session factory.")
    }
}
