#if Server
import Crypto
import HoldfastSchema
import HoldfastServer
public import HoldfastStorage
import HoldfastWire

/// Lets a function of the application check tokens, as AppSync does with its Lambda authorizers.
///
/// The function gets `authorizationToken`, `requestContext`, and `requestHeaders`, and answers `isAuthorized`, and
/// perhaps `resolverContext`, whose members are then the claims, `deniedFields`, which are null in responses, and
/// `ttlOverride` in seconds. An answer is kept for five minutes, or for the time that it names, at most an hour, for all
/// requests with the token. A function whose denied fields cannot be read refuses the request.
public actor FunctionVerifier {
    private struct Answer {
        var verification: Verification
        /// Microseconds since 1970.
        var end: Int64
        /// Whether it holds for other requests with the token that wait for it.
        var isShared: Bool
    }

    private let function: RemoteFunction
    private let surroundings: Surroundings
    // By the digests of tokens, so that memory has no tokens. Anyone can make tokens that are refused, so these do not
    // displace others.
    private var accepted: [SHA256.Digest: Answer] = [:]
    private var refused: [SHA256.Digest: Answer] = [:]
    private var questions: [SHA256.Digest: Task<Answer, Never>] = [:]
    private var questionCount = 0

    private static let capacity = 10_000
    private static let refusedCapacity = 1_000
    private static let life = 0...Int64(3_600)
    private static let usualLife: Int64 = 300
    private static let maximumDeniedCount = 1_000
    /// How many questions may be open, of which the function is asked some at a time: anyone can make more of them.
    private static let maximumQuestionCount = 256
    /// As for requests that are carried out.
    private static let limits = JSONLimits(bytes: .max, depth: 64, values: 200_000)

    /// Creates a verifier that knows no answers yet.
    public init(_ function: RemoteFunction, surroundings: Surroundings) {
        self.function = function
        self.surroundings = surroundings
    }

    /// Asks the function whether a token is good, or remembers what it answered.
    ///
    /// Requests with one token that come at the same time share a question, unless the function judges each request.
    func verify(_ token: String, _ credentials: Credentials) async -> Verification {
        let digest = SHA256.hash(data: Array(token.utf8))
        if let answer = accepted[digest] ?? refused[digest], answer.end > surroundings.wallMicroseconds() {
            return answer.verification
        }
        if let question = questions[digest] {
            let answer = await question.value
            return answer.isShared ? answer.verification : await counted(token, credentials).verification
        }
        let question = Task { await self.counted(token, credentials) }
        questions[digest] = question
        let answer = await question.value
        questions[digest] = nil
        if answer.end > surroundings.wallMicroseconds() { keep(answer, for: digest) }
        return answer.verification
    }

    private func keep(_ answer: Answer, for digest: SHA256.Digest) {
        (accepted[digest], refused[digest]) = (nil, nil)
        if case .verified = answer.verification {
            if accepted.count >= Self.capacity {
                let now = surroundings.wallMicroseconds()
                accepted = accepted.filter { $0.value.end > now }
                if accepted.count >= Self.capacity { accepted.remove(at: accepted.startIndex) }
            }
            accepted[digest] = answer
        } else {
            if refused.count >= Self.refusedCapacity { refused = [:] }
            refused[digest] = answer
        }
    }

    private func counted(_ token: String, _ credentials: Credentials) async -> Answer {
        guard questionCount < Self.maximumQuestionCount else {
            return Answer(
                verification: .unavailable("Too many tokens are being checked; try again."), end: 0, isShared: true)
        }
        questionCount += 1
        defer { questionCount -= 1 }
        return await ask(token, credentials)
    }

    /// Asks the function; outside of the actor, since reading a long body would hold up those whose answers are known.
    @concurrent private nonisolated func ask(_ token: String, _ credentials: Credentials) async -> Answer {
        guard let answer = try? await function(question(token, credentials)),
            let isAuthorized = answer["isAuthorized"]?.boolean
        else {
            return Answer(
                verification: .unavailable("The function that checks tokens does not answer."), end: 0, isShared: true)
        }
        let life = min(
            max(answer["ttlOverride"]?.integer ?? Self.usualLife, Self.life.lowerBound), Self.life.upperBound)
        var verification = Verification.unauthorized
        if isAuthorized, let denied = Self.deniedFields(answer["deniedFields"] ?? .null) {
            verification = .verified(
                Identity(
                    .function, claims: answer["resolverContext"]?.object ?? JSONObject(), deniedFields: denied))
        }
        return Answer(
            verification: verification, end: surroundings.wallMicroseconds() + life * 1_000_000, isShared: life > 0)
    }

    /// The fields of a list as `Type.field`, or as identifiers of AWS; `nil` if one of them is neither.
    private static func deniedFields(_ value: WireValue) -> Set<String>? {
        if value.isNull { return [] }
        guard let list = value.array, list.count <= maximumDeniedCount else { return nil }
        var fields: Set<String> = []
        for element in list {
            guard let text = element.string else { return nil }
            // arn:aws:appsync:REGION:ACCOUNT:apis/API/types/TYPE/fields/FIELD
            let steps = text.split(separator: "/", omittingEmptySubsequences: false)
            if steps.count == 6, text.hasPrefix("arn:"), steps[2] == "types", steps[4] == "fields" {
                fields.insert("\(steps[3]).\(steps[5])")
            } else if steps.count == 1, text.split(separator: ".", omittingEmptySubsequences: false).count == 2 {
                fields.insert(text)
            } else {
                return nil
            }
        }
        return fields
    }

    private nonisolated func question(_ token: String, _ credentials: Credentials) -> WireValue {
        let request = try? WireValue(parsing: credentials.body, limits: Self.limits)
        var context = JSONObject()
        context["apiId"] = "local"
        context["accountId"] = "local"
        context["requestId"] = .string(surroundings.uuid())
        context["queryString"] = request?["query"]
        context["operationName"] = request?["operationName"]
        context["variables"] = request?["variables"]
        var headers = JSONObject()
        for (name, value) in credentials.headers { headers[name] = .string(value) }
        return [
            "authorizationToken": .string(token), "requestContext": .object(context),
            "requestHeaders": .object(headers),
        ]
    }
}
#endif
