import HoldfastAdapterTestSupport
import HoldfastGraphQL
import HoldfastSQLite
import HoldfastSchema
import HoldfastServer
import HoldfastStorage
import HoldfastTestSupport
import HoldfastWire
import Testing

@Suite struct SchemaChangeTests {
    static func open(_ schema: String, at path: String, drops: Bool = false) async throws -> TestServer {
        let world = ManualSurroundings()
        let server = try await SyncServer.open(
            schema: [Source(schema)], options: ServerOptions(apiKeys: ["key"], dropsOldIndexes: drops),
            surroundings: world.surroundings
        ) { SQLiteAdapter(SQLiteConfiguration(.file(path))) }
        return TestServer(server: server, world: world)
    }

    /// A schema grows, shrinks, and grows again; what was stored under fields that it lacked meanwhile is still there.
    @Test func storedFieldsOutliveTheSchema() async throws {
        let directory = TemporaryDirectory()
        let rules = "@model @auth(rules: [{ allow: public }])"
        let small = "type Post \(rules) { title: String }"
        let large = "type Post \(rules) { title: String! rating: Int } type Tag \(rules) { text: String }"

        let first = try await Self.open(small, at: directory.file())
        _ = try await first.data("mutation { createPost(input: { id: 1 }) { id } }")
        try await first.server.close()

        let second = try await Self.open(large, at: directory.file())
        _ = try await second.data("mutation { createPost(input: { id: 2, title: \"t\", rating: 5 }) { id } }")
        _ = try await second.data("mutation { createTag(input: { id: 1, text: \"x\" }) { id } }")
        // A record of the earlier schema lacks what is required now; the others are not affected.
        let list = try await second.send("{ listPosts { items { id title } } }")
        #expect(list["data"]?.text == #"{"listPosts":{"items":[null,{"id":"2","title":"t"}]}}"#)
        #expect(
            list.at("errors.0.message")
                == "Cannot return null for non-nullable type: 'String' within parent 'Post' (/listPosts/items[0]/title)"
        )
        _ = try await second.data("mutation { updatePost(input: { id: 1, rating: 4, _version: 1 }) { id } }")
        try await second.server.close()

        let third = try await Self.open(small, at: directory.file())
        let old = try await third.data("mutation { updatePost(input: { id: 2, title: \"u\", _version: 1 }) { title } }")
        #expect(old.at("updatePost.title") == "u")
        try await third.server.close()

        let fourth = try await Self.open(large, at: directory.file())
        let data = try await fourth.data("{ getPost(id: 2) { title rating _version } getTag(id: 1) { text } }")
        #expect(data.text == #"{"getPost":{"title":"u","rating":5,"_version":2},"getTag":{"text":"x"}}"#)
        try await fourth.server.close()
    }

    /// Models that the schema lacks are renewed with the others, since other processes may serve them.
    @Test func storedModelsAreRenewed() async throws {
        let directory = TemporaryDirectory()
        let rules = "@model @auth(rules: [{ allow: public }])"
        let small = "type Post \(rules) { title: String }"
        let large = "\(small) type Tag \(rules) { text: String }"

        var test = try await Self.open(large, at: directory.file())
        _ = try await test.data("mutation { createTag(input: { id: 1 }) { id } }")
        let label = try #require(try await test.data("{ syncTags { startedAt } }").at("syncTags.startedAt")?.integer)
        try await test.server.close()

        test = try await Self.open(small, at: directory.file())
        test.world.advance(.seconds(2))
        #expect(try await test.server.renewVersions() == 1)
        let version = test.world.now / 1_000 - 1_577_836_800
        try await test.server.close()

        test = try await Self.open(large, at: directory.file())
        let answer = try await test.send("{ syncTags(lastSync: \(label)) { items { id _version } } }")
        #expect(answer.at("data.syncTags.items") == [["id": "1", "_version": .integer(version)]])
        #expect(answer["extensions"] == ["baseQueries": ["syncTags"]])
        try await test.server.close()
    }

    /// A process with the earlier schema that starts beside one with the later schema leaves it its indexes.
    @Test func storedIndexesOutliveTheSchema() async throws {
        let directory = TemporaryDirectory()
        let rules = "@model @auth(rules: [{ allow: public }])"
        func post(_ index: String) -> String { "type Post \(rules) { title: String! \(index) rating: Int }" }
        func indexes(after schema: String, drops: Bool = false) async throws -> [IndexSchema] {
            let test = try await Self.open(schema, at: directory.file(), drops: drops)
            try await test.server.close()
            let store = try await Store.openAsStored { SQLiteAdapter(path: directory.file()) }
            let indexes = try store.schema.entity(named: "Post").indexes
            try await store.close()
            return indexes
        }
        #expect(try await indexes(after: post("")) == [])
        let index = #"@index(name: "byTitle", queryField: "postsByTitle")"#
        #expect(try await indexes(after: post(index)) == [IndexSchema("byTitle", on: ["title"])])
        #expect(try await indexes(after: post("")) == [IndexSchema("byTitle", on: ["title"])])
        // The type of the field is the problem, not an index that the schema no longer has.
        let error = await #expect(throws: StorageError.self) {
            _ = try await Self.open("type Post \(rules) { title: [String] rating: Int }", at: directory.file())
        }
        #expect(error?.kind == .schemaMismatch && error?.message.contains("byTitle") == false)
        // Unless no process has the earlier schema any longer.
        #expect(try await indexes(after: post(""), drops: true) == [])
        #expect(try await indexes(after: post(index), drops: true) == [IndexSchema("byTitle", on: ["title"])])
        // One of the same name is that of the schema.
        let other = #"@index(name: "byTitle", queryField: "postsByTitle", sortKeyFields: ["rating"])"#
        #expect(try await indexes(after: post(other)) == [IndexSchema("byTitle", on: ["title", "rating"])])
    }

    @Test func optionsNameWhatTheSchemaHas() async throws {
        let options = ServerOptions(strategies: ["Pots": .automerge], sets: ["Post.title", "Post.tags"])
        let error = await #expect(throws: SchemaError.self) {
            _ = try await TestServer.open(MutationTests.schema, options: options)
        }
        let messages = error?.problems.map(\.message) ?? []
        #expect(
            messages == [
                "the options name the model \"Pots\", which the schema lacks",
                "the options name the list \"Post.title\", which the schema lacks",
            ])
    }

    /// Every field of the root types of the golden schemas does something.
    @Test(
        arguments: [
            "auth", "auth-multi", "enums-embedded", "keys-indexes", "many-to-many", "plain", "plurals",
            "relations-explicit", "relations-implicit", "scalars", "relations-by-reference", "older-directives",
        ])
    func goldenSchemasAreServed(name: String) throws {
        let schema = try ServerSchema(sources: [Source(GoldenSchema.text(name))], defaultMode: .apiKey)
        for kind in OperationKind.allCases {
            let fields = schema.api.rootType(kind)?.fields.map(\.name.text) ?? []
            #expect(Set(fields) == Set((schema.roots[kind] ?? [:]).keys))
        }
        for model in schema.models {
            let type = try #require(schema.api.type(model.name))
            for field in type.fields {
                #expect(
                    model.column(field.name.text) != nil || model.relations[field.name.text] != nil, "\(field.name)")
            }
            for relation in model.relations.values {
                let other = try #require(schema.model(relation.model))
                #expect(!relation.own.isEmpty)
                #expect(relation.own.allSatisfy { model.column($0) != nil }, "\(model.name).\(relation.field)")
                #expect(relation.other.prefix(relation.own.count).allSatisfy { other.column($0) != nil })
            }
        }
    }
}
