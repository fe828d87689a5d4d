/// Requests to GraphQL services.
public protocol APICategoryGraphQLBehavior {
    /// Reads from a service.
    ///
    /// - Returns: The service's answer, which may be an error.
    /// - Throws: ``APIError`` if there is no answer.
    func query<R: Decodable & Sendable>(request: GraphQLRequest<R>) async throws -> GraphQLResponse<R>

    /// Changes something at a service; otherwise as ``query(request:)``.
    func mutate<R: Decodable & Sendable>(request: GraphQLRequest<R>) async throws -> GraphQLResponse<R>

    /// The changes at a service from now on, until the sequence is canceled.
    ///
    /// Fails with ``APIError`` if the first connection cannot be opened, or if the service refuses the subscription.
    func subscribe<R: Decodable & Sendable>(
        request: GraphQLRequest<R>
    ) -> AmplifyAsyncThrowingSequence<GraphQLSubscriptionEvent<R>>
}

extension APICategory: APICategoryGraphQLBehavior {
    /// Reads from a service.
    ///
    /// - Returns: The service's answer, which may be an error.
    /// - Throws: ``APIError`` if there is no answer.
    public func query<R: Decodable & Sendable>(request: GraphQLRequest<R>) async throws -> GraphQLResponse<R> {
        try await plugin().query(request: request)
    }

    /// Changes something at a service; otherwise as ``query(request:)``.
    public func mutate<R: Decodable & Sendable>(request: GraphQLRequest<R>) async throws -> GraphQLResponse<R> {
        try await plugin().mutate(request: request)
    }

    /// The changes at a service from now on, until the sequence is canceled.
    ///
    /// Fails with ``APIError`` if the first connection cannot be opened, or if the service refuses the subscription.
    public func subscribe<R: Decodable & Sendable>(
        request: GraphQLRequest<R>
    ) -> AmplifyAsyncThrowingSequence<GraphQLSubscriptionEvent<R>> {
        do {
            return try plugin().subscribe(request: request)
        } catch {
            return .failed(error)
        }
    }
}
