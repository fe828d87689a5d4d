import AWSDataStorePlugin
import Amplify
import HoldfastAdapterTestSupport
import HoldfastStorage
import HoldfastTestSupport
import Testing

/// Everything here shares the one `Amplify` of the process, so one test runs at a time.
@Suite(.serialized, .usesModelRegistry) struct AmplifySuite {}

/// Keeps out the tests of other targets that use the one registry of models.
struct UsesModelRegistry: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        if testCase == nil {
            try await function()
        } else {
            try await ExclusiveUse.modelRegistry {
                // Not every test reads what it prints to the end.
                output.clear()
                try await function()
            }
        }
    }
}

extension Trait where Self == UsesModelRegistry {
    static var usesModelRegistry: Self { Self() }
}

/// The adapters on which the tests run.
typealias FacadeAdapter = TestedAdapter

extension FacadeAdapter {
    /// Those of the build, without PostgreSQL where no server is named.
    static let all = available

    /// Runs a test with a configured `Amplify` on a new store, and resets it.
    func run(_ body: () async throws -> Void) async throws {
        try Amplify.add(
            plugin: AWSDataStorePlugin(
                modelRegistration: AmplifyModels(), configuration: .custom(storageAdapter: self.make())))
        try Amplify.configure()
        try await resetting(body)
    }
}

#if PostgreSQL
extension AmplifySuite {
    /// Shows as skipped where the other tests leave PostgreSQL out.
    @Test(.enabled(if: PostgreSQLServer.url != nil, "\(PostgreSQLServer.absence)"))
    func postgreSQLIsAmongTheAdapters() {
        #expect(FacadeAdapter.all.contains(.postgresql))
    }
}
#endif

/// Runs a test and resets `Amplify`, whatever the test does.
func resetting(_ body: () async throws -> Void) async throws {
    output.clear()
    do {
        try await body()
    } catch {
        await Amplify.reset()
        throw error
    }
    await Amplify.reset()
}

/// What the snippets print.
let output = Output()

final class Output: Sendable {
    private let lines = Mutex(AsyncStream.makeStream(of: String.self))

    func clear() { lines.withLock { $0 = AsyncStream.makeStream(of: String.self) } }

    func append(_ line: String) { lines.withLock { _ = $0.continuation.yield(line) } }

    /// The next line, waiting for it if need be.
    func next() async -> String {
        let stream = lines.withLock { $0.stream }
        for await line in stream { return line }
        return ""
    }
}

/// Takes the place of the standard library's in the snippets.
func print<Item>(_ item: Item) { output.append("\(item)") }
