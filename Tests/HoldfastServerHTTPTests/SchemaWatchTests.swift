#if Server
import HoldfastAdapterTestSupport
import HoldfastGraphQL
import HoldfastSQLite
import HoldfastSchema
import HoldfastServer
import HoldfastServerHTTP
import HoldfastStorage
import HoldfastTestSupport
import HoldfastWire
import Testing

@Suite struct SchemaWatchTests {
    private static let first = "type Post @model @auth(rules: [{ allow: public }]) { title: String! }"
    private static let larger = first.replacing("title", with: "text: String title")

    /// What the editor has, and how often it was read.
    private final class Editor: Sendable {
        private let state = Mutex<(text: String?, readings: Int)>((SchemaWatchTests.first, 0))
        struct Unreadable: Error {}

        func write(_ text: String?) { state.withLock { $0.text = text } }

        func read() throws -> [Source] {
            let text = state.withLock { state in
                state.readings += 1
                return state.text
            }
            guard let text else { throw Unreadable() }
            return [Source(text)]
        }

        var readings: Int { state.withLock { $0.readings } }
    }

    /// Watches the first version, and gives the test a function that lets a second pass, and one that returns what was
    /// reported.
    private func watch(
        _ test: (Editor, _ pass: () async -> Void, _ reports: () -> [String], SyncServer) async throws -> Void
    ) async throws {
        let directory = TemporaryDirectory()
        let editor = Editor()
        let world = ManualSurroundings()
        let reports = Mutex<[String]>([])
        let server = try await SyncServer.open(
            schema: editor.read(), options: ServerOptions(apiKeys: ["key"]), surroundings: .still()
        ) { SQLiteAdapter(SQLiteConfiguration(.file(directory.file()))) }
        let watch = SchemaWatch(server, surroundings: world.surroundings, read: editor.read) { outcome in
            let text =
                switch outcome {
                case .applied: "applied"
                case .refused(let error): "\(error)"
                }
            reports.withLock { $0.append(text) }
        }
        let served = try editor.read()
        let task = Task { await watch.run(from: served) }
        try await test(
            editor,
            {
                await world.waitForSleeper()
                world.advance(.seconds(1))
                await world.waitForSleeper()
            }, { reports.withLock { $0 } }, server)
        task.cancel()
        await task.value
        try await server.close()
    }

    private func answer(_ query: String, _ server: SyncServer) async -> String {
        let body: WireValue = ["query": .string(query)]
        let response = await server.respond(to: ServerRequest(headers: ["x-api-key": "key"], body: body.bytes))
        return String(decoding: response.body, as: UTF8.self)
    }

    @Test func servesWhatIsAdded() async throws {
        try await watch { editor, pass, reports, server in
            await pass()
            #expect(reports() == [])
            editor.write(Self.larger)
            await pass()
            // It may still be written.
            #expect(reports() == [])
            await pass()
            #expect(reports() == ["applied"])
            #expect(await answer("{ listPosts { items { text } } }", server) == #"{"data":{"listPosts":{"items":[]}}}"#)
            await pass()
            #expect(reports() == ["applied"])
        }
    }

    @Test func reportsWhatItDoesNotApplyOnce() async throws {
        try await watch { editor, pass, reports, server in
            editor.write("type Post @model { title: Int }")
            for _ in 0..<4 { await pass() }
            #expect(reports().count == 1)
            #expect(reports().first?.contains("the type of Post.title is Int, was String!") == true)
            editor.write(Self.first)
            for _ in 0..<2 { await pass() }
            #expect(reports().count == 1)
            editor.write(Self.larger)
            for _ in 0..<2 { await pass() }
            #expect(reports().count == 2 && reports().last == "applied")
        }
    }

    @Test func aFileThatIsAwayForAMomentIsNotAChange() async throws {
        try await watch { editor, pass, reports, _ in
            editor.write(nil)
            for _ in 0..<3 { await pass() }
            editor.write(Self.first)
            for _ in 0..<3 { await pass() }
            #expect(reports() == [])
        }
    }

    /// It reads once a second, and not between.
    @Test func readsNoMoreThanItMust() async throws {
        try await watch { editor, pass, _, _ in
            let before = editor.readings
            for _ in 0..<5 { await pass() }
            #expect(editor.readings - before == 5)
        }
    }
}
#endif
