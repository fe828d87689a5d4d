import HoldfastAdapterTestSupport
import HoldfastGraphQL
import HoldfastInMemory
import HoldfastSQLite
import HoldfastSchema
import HoldfastServer
import HoldfastStorage
import HoldfastTestSupport
import HoldfastWire
import Testing

/// A schema that changes while it is served.
@Suite struct LiveSchemaTests {
    static let rules = "@model @auth(rules: [{ allow: public }])"
    static let first = """
        enum Kind { LONG SHORT }
        type Post \(rules) { title: String! kind: Kind rating: Int @index(name: "byRating", queryField: "byRating") }
        """

    /// Serves the first version from a file.
    static func use(
        options: ServerOptions = ServerOptions(apiKeys: ["key"]), _ test: (TestServer) async throws -> Void
    ) async throws {
        let directory = TemporaryDirectory()
        let world = ManualSurroundings()
        let server = try await SyncServer.open(
            schema: [Source(first)], options: options, surroundings: world.surroundings
        ) { SQLiteAdapter(SQLiteConfiguration(.file(directory.file()))) }
        try await test(TestServer(server: server, world: world))
        try await server.close()
    }

    @Test func whatIsNewIsServedBesideWhatWasThere() async throws {
        try await Self.use { test in
            _ = try await test.data("mutation { createPost(input: { id: 1, title: \"a\" }) { id } }")
            let larger =
                Self.first.replacing("rating:", with: "text: String rating:").replacing("SHORT", with: "SHORT NONE")
                + "type Tag \(Self.rules) { text: String! }"
            try await test.server.change(to: [Source(larger)])
            _ = try await test.data(
                "mutation { updatePost(input: { id: 1, text: \"t\", kind: NONE, _version: 1 }) { id } }")
            _ = try await test.data("mutation { createTag(input: { id: 2, text: \"x\" }) { id } }")
            let data = try await test.data("{ getPost(id: 1) { title text kind _version } getTag(id: 2) { text } }")
            #expect(
                data.text
                    == #"{"getPost":{"title":"a","text":"t","kind":"NONE","_version":2},"getTag":{"text":"x"}}"#)
        }
    }

    /// Each change that would leave clients of the first version without something, and what is said of it.
    @Test(
        arguments: [
            ("title: String!", "", "the field Post.title is gone"),
            ("title: String!", "title: Int!", "the type of Post.title is Int!, was String!"),
            ("title: String!", "title: String", "the type of Post.title is String, was String!"),
            ("title: String!", "title: String! more: String!", "CreatePostInput.more is new and required"),
            ("kind: Kind", "kind: Kind!", "the type of CreatePostInput.kind is Kind!, was Kind"),
            ("SHORT", "", "the value Kind.SHORT is gone"),
            (", queryField: \"byRating\"", ", queryField: \"other\"", "the field Query.byRating is gone"),
            ("type Post", "type Article", "the type Post is gone"),
            ("title: String!", "title: String! @primaryKey", "the primary key of 'Post' changed"),
            ("rating: Int", "rating: Int!", "the type of CreatePostInput.rating is Int!, was Int"),
        ])
    func otherChangesAreRefused(_ change: (old: String, new: String, problem: String)) async throws {
        try await Self.use { test in
            let next = Self.first.replacing(change.old, with: change.new)
            #expect(next != Self.first)
            let error = await #expect(throws: SchemaError.self) { try await test.server.change(to: [Source(next)]) }
            let messages = error?.problems.map(\.message) ?? []
            #expect(messages.contains(change.problem), "\(messages)")
            _ = try await test.data("mutation { createPost(input: { id: 1, title: \"a\" }) { id kind } }")
        }
    }

    @Test func aSchemaWithMistakesIsRefused() async throws {
        try await Self.use { test in
            let error = await #expect(throws: SchemaError.self) {
                try await test.server.change(to: [Source("type Post @model { title: Strng }")])
            }
            #expect(error?.problems.first?.location.line == 1)
            _ = try await test.data("{ listPosts { items { id } } }")
        }
    }

    /// Rights are what the developer works on, so they may change in any way.
    @Test func rulesMayChange() async throws {
        try await Self.use { test in
            try await test.server.change(to: [Source(Self.first.replacing("allow: public", with: "allow: private"))])
            let answer = try await test.send("{ listPosts { items { id } } }")
            #expect(answer.at("errors.0.errorType") == "Unauthorized")
        }
    }

    @Test func connectionsEnd() async throws {
        try await Self.use { test in
            let client = try await TestClient.open(test)
            try await test.server.change(to: [Source(Self.first + "type Tag \(Self.rules) { text: String }")])
            #expect(await client.connection.next() == nil)
            let next = try await TestClient.open(test)
            await next.start("1", "subscription { onCreateTag { id } }")
            #expect(try await next.next()["type"] == "start_ack")
        }
    }

    @Test func aStoreInMemoryKeepsItsSchema() async throws {
        let test = try await TestServer.open(Self.first)
        let error = await #expect(throws: StorageError.self) {
            try await test.server.change(to: [Source(Self.first + "type Tag \(Self.rules) { text: String }")])
        }
        #expect(error?.kind == .unsupported)
        _ = try await test.data("{ listPosts { items { id } } }")
    }

    /// A request that has begun ends with the old version; one that comes meanwhile waits for the new one.
    @Test func requestsWaitForTheChange() async throws {
        let asked = Gate()
        let answer = Gate()
        let options = ServerOptions(
            apiKeys: ["key"], strategy: .handler,
            handler: { conflict in
                asked.open()
                await answer.wait()
                return .resolve(conflict.newItem)
            })
        try await Self.use(options: options) { test in
            _ = try await test.data("mutation { createPost(input: { id: 1, title: \"a\" }) { id } }")
            async let slow = test.data("mutation { updatePost(input: { id: 1, title: \"b\", _version: 7 }) { title } }")
            await asked.wait()
            let larger = [Source(Self.first + "type Tag \(Self.rules) { text: String }")]
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        do {
                            try await test.server.change(to: larger)
                            return "changed"
                        } catch let error as StorageError {
                            return error.kind.rawValue
                        }
                    }
                }
                // One of them waits for the request, so that the other one cannot begin.
                let refused = try await group.next()
                #expect(refused == StorageError.Kind.busy.rawValue)
                async let later = test.send("{ listTags { items { id } } }")
                answer.open()
                let list = try await later
                #expect(list.text == #"{"data":{"listTags":{"items":[]}}}"#)
                let changed = try await group.next()
                #expect(changed == "changed")
            }
            #expect(try await slow.text == #"{"updatePost":{"title":"b"}}"#)
        }
    }

    /// If the store cannot be opened with the new version, the old one is served again.
    @Test func aChangeThatFailsIsUndone() async throws {
        let directory = TemporaryDirectory()
        let fails = Mutex(false)
        let world = ManualSurroundings()
        let server = try await SyncServer.open(
            schema: [Source(Self.first)], options: ServerOptions(apiKeys: ["key"]), surroundings: world.surroundings
        ) {
            if fails.exchange(false) { throw StorageError(.io, "The disk is gone.") }
            return SQLiteAdapter(SQLiteConfiguration(.file(directory.file())))
        }
        let test = TestServer(server: server, world: world)
        _ = try await test.data("mutation { createPost(input: { id: 1, title: \"a\" }) { id } }")
        fails.store(true)
        let error = await #expect(throws: StorageError.self) {
            try await server.change(to: [Source(Self.first + "type Tag \(Self.rules) { text: String }")])
        }
        #expect(error?.kind == .io)
        #expect(try await test.data("{ getPost(id: 1) { title } }").text == #"{"getPost":{"title":"a"}}"#)
        try await server.close()
    }
}
