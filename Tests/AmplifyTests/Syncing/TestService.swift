import AWSAPIPlugin
import Foundation
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastSyncTestSupport
import HoldfastTestSupport
import HoldfastWire

/// A service in this process, and the way to it.
struct TestService: SyncTransport {
    static let schema = """
        type Post @model @auth(rules: [{ allow: public }]) {
          title: String! rating: Int! status: String!
          comments: [Comment] @hasMany(indexName: "byPost", fields: ["id"])
        }
        type Comment @model @auth(rules: [{ allow: public }]) {
          content: String commentPostId: ID @index(name: "byPost") post: Post @belongsTo(fields: ["commentPostId"])
        }
        """
    /// Models that load their relations lazily, with a key of two fields.
    static let lazySchema = """
        type Edition @model @auth(rules: [{ allow: public }]) {
          isbn: ID! @primaryKey(sortKeyFields: ["number"]) number: Int! title: String! chapters: [Chapter] @hasMany
        }
        type Chapter @model @auth(rules: [{ allow: public }]) { heading: String! edition: Edition @belongsTo }
        """
    /// The model of the guide's page about queries in the place of scans.
    static let userSchema = """
        type User @model @auth(rules: [{ allow: public }]) {
          firstName: String! lastName: String! @index(name: "byLastName", sortKeyFields: ["createdAt"])
          createdAt: AWSDateTime!
        }
        """
    /// What `amplifyconfiguration.json` says of the service.
    static let configuration = """
        { "api": { "plugins": { "awsAPIPlugin": { "local": {
          "endpointType": "GraphQL", "endpoint": "http://localhost/graphql", "region": "us-east-1",
          "authorizationType": "API_KEY", "apiKey": "key" } } } } }
        """
    /// What `amplify_outputs.json` says of it.
    static let outputs = """
        { "version": "1", "data": { "url": "http://localhost/graphql", "aws_region": "us-east-1", "api_key": "key",
          "default_authorization_type": "API_KEY", "authorization_types": ["AMAZON_COGNITO_USER_POOLS"] } }
        """

    let service: LocalService
    /// Whether it cannot be reached.
    let isDown = Flag()
    /// Whether no one is signed in.
    let isSignedOut = Flag()
    /// The headers of the last request.
    let lastHeaders = LastHeaders()
    /// The bodies of the requests.
    let bodies = EventLog<String>()

    static func open(
        _ strategy: ConflictStrategy = .automerge, schema: String = TestService.schema
    ) async throws -> TestService {
        TestService(service: try await LocalService.open(strategy, .patient, schema: schema))
    }

    func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        if isDown.isSet { throw TransportError(.unsent, "no network") }
        lastHeaders.set(request.authorization)
        bodies.add(String(decoding: request.body, as: UTF8.self))
        return try await service.send(request)
    }

    func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        if isDown.isSet { throw TransportError(.unsent, "no network") }
        return try await service.connect(request)
    }
}

/// Something that is so or not.
final class Flag: Sendable {
    private let value = Mutex(false)

    var isSet: Bool { value.withLock { $0 } }
    func set(_ isSet: Bool) { value.withLock { $0 = isSet } }
}

final class LastHeaders: Sendable {
    private let headers = Mutex(AuthHeaders())

    func set(_ headers: AuthHeaders) { self.headers.withLock { $0 = headers } }
    func value(of name: String) -> String? { headers.withLock { $0[name] } }
}

extension TestService: APISessionFactory {
    func makeSession(_ request: APISessionRequest) throws -> APISession {
        let (key, isSignedOut) = (request.endpoint.apiKey ?? "", isSignedOut)
        return APISession(
            transport: self,
            authorization: SyncAuthorization(headers: { _, _ in
                isSignedOut.isSet ? nil : .apiKey(key, host: "localhost", date: "20240229T120000Z")
            }))
    }
}

extension Surroundings {
    /// A clock that ticks with each look at it; short pauses end at once, long ones only when they are cancelled.
    static var patient: Surroundings {
        let ticks = Mutex<Int64>(1_700_000_000_000_000)
        let tick = { @Sendable in
            ticks.withLock { ticks in
                ticks += 1_000
                return ticks
            }
        }
        return Surroundings(
            wallMicroseconds: tick, uptime: { .microseconds(tick()) },
            sleep: { duration in
                // Writers that try again make such pauses.
                if duration < .seconds(1) { return try Task.checkCancellation() }
                let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
                for await _ in stream {}
                continuation.finish()
                try Task.checkCancellation()
            },
            random: { UInt64(bitPattern: tick()) &* 0x9E37_79B9_7F4A_7C15 })
    }
}
