import AWSPluginsCore
public import Amplify
import HoldfastSync

extension AWSAPIPlugin {
    /// Reads from a service.
    ///
    /// - Returns: The service's answer, which may be an error.
    /// - Throws: `APIError` if there is no answer; `CancellationError` if the task was cancelled.
    public func query<R: Decodable & Sendable>(request: GraphQLRequest<R>) async throws -> GraphQLResponse<R> {
        let body = try GraphQLBody(request, loader: loader(for: request))
        let (session, endpoint) = try session(for: request)
        do {
            return body.response(try await session.send(body.bytes, to: endpoint.url))
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw error
        }
    }

    /// Changes something at a service; otherwise as ``query(request:)``.
    public func mutate<R: Decodable & Sendable>(request: GraphQLRequest<R>) async throws -> GraphQLResponse<R> {
        try await query(request: request)
    }

    /// The changes at a service from now on, until the sequence is canceled.
    ///
    /// A connection that is lost is opened again: `.connection(.connecting)` and `.connected` say so. What changed in
    /// between is not delivered. Fails with `APIError` if the first connection cannot be opened, and if the service
    /// refuses the subscription: `.operationError` around a `GraphQLResponseError`. After the service has
    /// accepted it once, a refusal ends it only if no other token is available, and if the reason is not a limit or a
    /// failure of the service. Cancelling adds the event `.connection(.disconnected)`.
    public func subscribe<R: Decodable & Sendable>(
        request: GraphQLRequest<R>
    ) -> AmplifyAsyncThrowingSequence<GraphQLSubscriptionEvent<R>> {
        let events = AmplifyAsyncThrowingSequence<GraphQLSubscriptionEvent<R>>(last: .connection(.disconnected))
        do {
            let subscription = GraphQLSubscription(
                session: try session(for: request).session,
                body: try GraphQLBody(request, loader: loader(for: request)),
                events: events.continuation)
            subscriptions.run(events.continuation, last: .connection(.disconnected)) { try await subscription.run() }
        } catch {
            events.fail(error)
        }
        return events
    }

    /// Loads the relations of what is answered to a request.
    private func loader<R>(for request: GraphQLRequest<R>) -> APIModelLoader {
        APIModelLoader(plugin: self, apiName: request.apiName, authMode: request.authMode)
    }

    /// The session with the service of a request, in its mode of authorization.
    private func session<R>(
        for request: GraphQLRequest<R>
    ) throws -> (session: APISession, endpoint: APIEndpoint) {
        let endpoint = try endpoint(named: request.apiName)
        let type = request.authMode as? AWSAuthorizationType ?? endpoint.authorizationType
        return (try session(with: endpoint, type), endpoint)
    }
}
