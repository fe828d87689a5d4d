import AWSPluginsCore
import Amplify
import HoldfastSync
import HoldfastWire

/// The default way to services or, in a package without it, one that opens no sockets.
///
/// For plug-ins that send their requests over HTTP through sessions of their own.
struct SessionlessFactory: APISessionFactory {
    func makeSession(_ request: APISessionRequest) throws -> APISession {
        #if Sync
        return try DefaultSessionFactory().makeSession(request)
        #else
        let (types, tokens, endpoint) = (request.types, request.tokens, request.endpoint)
        return APISession(
            transport: WithoutSockets(),
            authorization: SyncAuthorization(
                modeCount: types.count,
                authorize: { mode, _ in
                    var endpoint = endpoint
                    endpoint.authorizationType = types[mode]
                    do throws(APIError) {
                        return try await endpoint.headers(tokens).map { .headers($0) } ?? .signedOut
                    } catch {
                        return .unavailable
                    }
                }))
        #endif
    }
}

#if !Sync
private struct WithoutSockets: SyncTransport {
    func send(_ request: WireRequest) async throws(TransportError) -> WireResponse { throw Self.error }

    func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket { throw Self.error }

    private static var error: TransportError {
        TransportError(.unsent, "there are no sockets; enable the trait 'Sync' of the package 'holdfast'")
    }
}
#endif
