#if Server
import HTTPTypes
import HoldfastSchema
import HoldfastServer
import HoldfastServerHTTP
import HoldfastStorage
import HoldfastTestSupport
import HoldfastWire
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Testing

@Suite struct FunctionTests {
    /// A function that answers what the test says, and remembers what it was asked.
    private final class Function: Sendable {
        private struct State {
            var answer: WireValue?
            var questions: [WireValue] = []
        }
        private let state = Mutex(State())

        init(_ answer: WireValue? = nil) { state.withLock { $0.answer = answer } }

        var questions: [WireValue] { state.withLock { $0.questions } }

        func answer(_ value: WireValue?) { state.withLock { $0.answer = value } }

        var remote: RemoteFunction {
            RemoteFunction { question in
                try self.state.withLock { state in
                    state.questions.append(question)
                    guard let answer = state.answer else { throw CancellationError() }
                    return answer
                }
            }
        }
    }

    private static func outcome(_ verification: Verification) -> String {
        switch verification {
        case .verified(let identity): "\(identity.mode.rawValue) \(identity.claims["team"]?.string ?? "")"
        case .refused(let message): message
        case .unavailable(let message): message
        }
    }

    private static let credentials = Credentials(
        headers: ["authorization": "secret", "x-team": "red"],
        body: Array(#"{"query":"query Q { a }","operationName":"Q","variables":{"b":1}}"#.utf8))
    private static let unauthorized = "You are not authorized to make this call."
    private static let away = "The function that checks tokens does not answer."

    @Test func asksAFunctionForTokens() async {
        let function = Function(["isAuthorized": true, "resolverContext": ["team": "red"]])
        let verifier = CredentialVerifier(function: FunctionVerifier(function.remote, surroundings: .still()))
        #expect(Self.outcome(await verifier.verify(Self.credentials)) == "AWS_LAMBDA red")
        let context = function.questions.first?["requestContext"]
        #expect(function.questions.first?["authorizationToken"] == "secret")
        #expect(function.questions.first?["requestHeaders"]?["x-team"] == "red")
        #expect(context?["queryString"] == "query Q { a }")
        #expect(context?["operationName"] == "Q")
        #expect(context?["variables"] == ["b": 1])
        // Remembered.
        function.answer(["isAuthorized": false])
        #expect(Self.outcome(await verifier.verify(Self.credentials)) == "AWS_LAMBDA red")
        #expect(function.questions.count == 1)
        let other = Credentials(headers: ["authorization": "other"])
        #expect(Self.outcome(await verifier.verify(other)) == Self.unauthorized)
    }

    @Test func expiredAnswersAreRemoved() async {
        let microseconds = Mutex<Int64>(0)
        let surroundings = Surroundings(
            wallMicroseconds: { microseconds.load() }, uptime: { .zero }, sleep: { _ in },
            random: { 1 })
        let function = Function(["isAuthorized": true, "ttlOverride": 10])
        let verifier = CredentialVerifier(function: FunctionVerifier(function.remote, surroundings: surroundings))
        for (moment, count) in [(0, 1), (9_999_999, 1), (10_000_000, 2)] as [(Int64, Int)] {
            microseconds.store(moment)
            _ = await verifier.verify(Self.credentials)
            #expect(function.questions.count == count)
        }
        function.answer(["isAuthorized": true])
        for (moment, count) in [(20_000_000, 3), (319_999_999, 3), (320_000_000, 4)] as [(Int64, Int)] {
            microseconds.store(moment)
            _ = await verifier.verify(Self.credentials)
            #expect(function.questions.count == count)
        }
    }

    /// Anyone can make as many tokens as they like.
    @Test func refusedTokensDisplaceNoOthers() async {
        let count = Mutex(0)
        let function = RemoteFunction { question in
            let isGood = question["authorizationToken"] == "good"
            if isGood { count.increment() }
            return ["isAuthorized": .boolean(isGood)]
        }
        let verifier = CredentialVerifier(function: FunctionVerifier(function, surroundings: .still()))
        let good = Credentials(headers: ["authorization": "good"])
        #expect(Self.outcome(await verifier.verify(good)) == "AWS_LAMBDA ")
        for number in 0...10_000 {
            let other = Credentials(headers: ["authorization": "bad \(number)"])
            #expect(Self.outcome(await verifier.verify(other)) == Self.unauthorized)
        }
        #expect(Self.outcome(await verifier.verify(good)) == "AWS_LAMBDA ")
        #expect(count.load() == 1)
    }

    /// A device that comes back sends several requests at once, unless the function judges each of them.
    @Test(arguments: [(300, 1), (0, 20)] as [(Int64, Int)])
    func requestsOfOneMomentShareAQuestion(life: Int64, expected: Int) async {
        let count = Mutex(0)
        let gate = Gate()
        let function = RemoteFunction { _ in
            count.increment()
            await gate.wait()
            return ["isAuthorized": true, "ttlOverride": .integer(life)]
        }
        let verifier = CredentialVerifier(function: FunctionVerifier(function, surroundings: .still()))
        let requests = (0..<20).map { _ in Task { await verifier.verify(Self.credentials) } }
        while count.load() == 0 { await Task.yield() }
        for _ in 0..<1_000 { await Task.yield() }
        gate.open()
        for request in requests { #expect(Self.outcome(await request.value) == "AWS_LAMBDA ") }
        #expect(count.load() == expected)
    }

    /// Anyone can ask about many tokens at once, each with a long request.
    @Test func openQuestionsAreBounded() async {
        let count = Mutex(0)
        let gate = Gate()
        let function = RemoteFunction { question in
            if question["authorizationToken"] == "known" { return ["isAuthorized": true] }
            count.increment()
            await gate.wait()
            return ["isAuthorized": true]
        }
        let verifier = CredentialVerifier(function: FunctionVerifier(function, surroundings: .still()))
        let known = Credentials(headers: ["authorization": "known"])
        #expect(Self.outcome(await verifier.verify(known)) == "AWS_LAMBDA ")
        let requests = (0..<256).map { number in
            Task { await verifier.verify(Credentials(headers: ["authorization": "\(number)"])) }
        }
        while count.load() < 256 { await Task.yield() }
        let other = Credentials(headers: ["authorization": "other"])
        #expect(Self.outcome(await verifier.verify(other)) == "Too many tokens are being checked; try again.")
        #expect(Self.outcome(await verifier.verify(known)) == "AWS_LAMBDA ")
        gate.open()
        for request in requests { #expect(Self.outcome(await request.value) == "AWS_LAMBDA ") }
        #expect(Self.outcome(await verifier.verify(other)) == "AWS_LAMBDA ")
    }

    @Test func refusesWhatAFunctionDenies() async {
        let answers: [(WireValue?, String)] = [
            (["isAuthorized": false] as WireValue, Self.unauthorized),
            (["isAuthorized": true, "deniedFields": ["title"]] as WireValue, Self.unauthorized),
            (["isAuthorized": true, "deniedFields": "Post.title"] as WireValue, Self.unauthorized),
            (["isAuthorized": "true"] as WireValue, Self.away), ([] as WireValue, Self.away), (nil, Self.away),
        ]
        for (answer, expected) in answers {
            let function = FunctionVerifier(Function(answer).remote, surroundings: .still())
            #expect(Self.outcome(await CredentialVerifier(function: function).verify(Self.credentials)) == expected)
        }
    }

    @Test func keepsWhatAFunctionDenies() async {
        let arn = "arn:aws:appsync:us-east-1:111122223333:apis/abcdefg/types/Query/fields/listPosts"
        let answer: WireValue = ["isAuthorized": true, "deniedFields": ["Post.title", .string(arn)]]
        let function = FunctionVerifier(Function(answer).remote, surroundings: .still())
        guard case .verified(let identity) = await CredentialVerifier(function: function).verify(Self.credentials)
        else {
            Issue.record("The function was not believed.")
            return
        }
        #expect(identity.deniedFields == ["Post.title", "Query.listPosts"])
    }

    @Test func asksAFunctionForConflicts() async throws {
        let function = Function()
        var options = ServerOptions(apiKeys: ["key"], strategy: .handler)
        options.handler = ConflictFunctions(["Post": function.remote]).resolve
        try await RunningServer.use(options: options) { server in
            let create = "mutation C { createPost(input: { id: \"1\", title: \"stored\" }) { id } }"
            _ = try await server.query(create)
            let update =
                "mutation U { updatePost(input: { id: \"1\", title: \"late\", _version: 7 }) { title _version } }"
            function.answer(["action": "RESOLVE", "item": ["title": "both"]])
            #expect(
                try await server.query(update).text == #"{"data":{"updatePost":{"title":"both","_version":2}}}"#)
            let question = try #require(function.questions.first)
            #expect(question["newItem"]?["title"] == "late")
            #expect(question["existingItem"]?["title"] == "stored")
            #expect(question["resolver"]?["field"] == "updatePost")
            function.answer(["action": "REJECT"])
            #expect(try await server.query(update).json["errors"]?[0]?["errorType"] == "ConflictUnhandled")
            function.answer(["action": "other"])
            #expect(try await server.query(update).json["errors"]?[0]?["errorType"] == "ConflictError")
        }
    }

    @Test func callsFunctionsOverHTTP() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let responder = CallbackResponder { (request: Request, _: BasicRequestContext) in
            if request.uri.path == "/moved" {
                return Response(status: .temporaryRedirect, headers: [.location: "/echo"])
            }
            if request.uri.path == "/slow" {
                let body = ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "{}"))
                    for _ in 0..<500 {
                        try await writer.write(ByteBuffer(string: " "))
                        try await Task.sleep(for: .milliseconds(10))
                    }
                    try await writer.finish(nil)
                }
                return Response(status: .ok, body: body)
            }
            guard request.uri.path == "/echo", request.method == .post else { return Response(status: .badRequest) }
            return Response(status: .ok, body: ResponseBody(byteBuffer: try await request.body.collect(upTo: 1_000)))
        }
        let application = Application(
            responder: responder, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) }, logger: logger)
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [application], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let running = await ports.first { _ in true }
            let port = try #require(running)
            let echo = RemoteFunction.url("http://127.0.0.1:\(port)/echo", timeout: .seconds(600))
            #expect(try await echo(["a": [1]]) == ["a": [1]])
            for path in ["elsewhere", "moved"] {
                await #expect(throws: (any Error).self) {
                    try await RemoteFunction.url("http://127.0.0.1:\(port)/\(path)", timeout: .seconds(600))(["a": 1])
                }
            }
            // The time is over before the body is, although the head is there.
            await #expect(throws: (any Error).self) {
                try await RemoteFunction.url("http://127.0.0.1:\(port)/slow", timeout: .milliseconds(200))(["a": 1])
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}
#endif
