import AWSDataStorePlugin
import Amplify
import HoldfastInMemory
import HoldfastStorage
import HoldfastTestSupport
import Synchronization
import Testing

#if SQLite
    import HoldfastSQLite
#endif

/// Everything here shares the one `Amplify` of the process, so one test runs at a time.
@Suite(.serialized, .usesModelRegistry, .timeLimit(.minutes(1))) struct AmplifySuite {}

/// Keeps out the tests of other targets that use the one registry of models.
struct UsesModelRegistry: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        if testCase == nil {
            try await function()
        } else {
            try await ExclusiveUse.modelRegistry { try await function() }
        }
    }
}

extension Trait where Self == UsesModelRegistry {
    static var usesModelRegistry: Self { Self() }
}

/// The adapters on which the tests run.
enum FacadeAdapter: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case memory
    #if SQLite
        case sqlite
    #endif

    var testDescription: String { rawValue }

    func make() -> any StorageAdapter {
        switch self {
        case .memory: InMemoryAdapter()
        #if SQLite
            case .sqlite: SQLiteAdapter(.temporary)
        #endif
        }
    }

    /// Runs a test with a configured `Amplify` on a new store, and resets it.
    func run(_ body: () async throws -> Void) async throws {
        try Amplify.add(
            plugin: AWSDataStorePlugin(
                modelRegistration: AmplifyModels(), configuration: .custom(storageAdapter: self.make())))
        try Amplify.configure()
        try await resetting(body)
    }
}

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
