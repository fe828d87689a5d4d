#if Server
import Crypto
import HoldfastSchema
import HoldfastServer
public import HoldfastStorage
import HoldfastWire

/// Lets a function of the application check tokens, as AppSync does with its Lambda authorizers.
///
/// The function gets `authorizationToken` and `requestContext`, and answers `isAuthorized`, and perhaps
/// `resolverContext`, whose members are then the claims, and `ttlOverride` in seconds. An answer is kept for five minutes
/// if it names no other time. Fields that it denies are not supported: a function that denies some refuses the request.
public actor FunctionVerifier {
    private struct Answer {
        var verification: Verification
        /// Microseconds since 1970.
        var end: Int64
    }

    private let function: RemoteFunction
    private let surroundings: Surroundings
    /// By the digest of the token, so that memory has no tokens.
    private var answers: [SHA256.Digest: Answer] = [:]

    private static let capacity = 10_000
    private static let life = 0...Int64(3_600)
    private static let usualLife: Int64 = 300

    /// Creates a verifier that knows no answers yet.
    public init(_ function: RemoteFunction, surroundings: Surroundings) {
        self.function = function
        self.surroundings = surroundings
    }

    /// Asks the function whether a token is good, or remembers what it answered.
    func verify(_ token: String, _ credentials: Credentials) async -> Verification {
        let digest = SHA256.hash(data: Array(token.utf8))
        if let answer = answers[digest], answer.end > surroundings.wallMicroseconds() { return answer.verification }
        let answer: JSONValue
        do {
            answer = try await function(question(token, credentials))
        } catch {
            return .unavailable("The function that checks tokens does not answer.")
        }
        guard let isAuthorized = answer["isAuthorized"]?.boolean else {
            return .unavailable("The function that checks tokens does not answer.")
        }
        let life = min(
            max(answer["ttlOverride"]?.integer ?? Self.usualLife, Self.life.lowerBound), Self.life.upperBound)
        let deniesFields = !(answer["deniedFields"]?.array ?? []).isEmpty
        let verification =
            isAuthorized && !deniesFields
            ? Verification.verified(
                Identity(.function, claims: answer["resolverContext"]?.object ?? JSONObject()))
            : .unauthorized
        if answers.count >= Self.capacity { answers = [:] }
        answers[digest] = Answer(
            verification: verification, end: surroundings.wallMicroseconds() + life * 1_000_000)
        return verification
    }

    private func question(_ token: String, _ credentials: Credentials) -> JSONValue {
        let request = try? JSONValue(parsing: credentials.body)
        var context = JSONObject()
        context["apiId"] = "local"
        context["accountId"] = "local"
        context["requestId"] = .string(surroundings.uuid())
        context["queryString"] = request?["query"]
        context["operationName"] = request?["operationName"]
        context["variables"] = request?["variables"]
        return ["authorizationToken": .string(token), "requestContext": .object(context)]
    }
}
#endif
