import HoldfastSchema
import HoldfastServer
import HoldfastStorage
import HoldfastTestSupport
import HoldfastWire
import Testing

/// Fields that the function which checks tokens denies, whatever the rules say.
@Suite struct DeniedFieldTests {
    static let schema = """
        type Place { city: String! street: String }
        type Author @model @auth(rules: [{ allow: custom }]) { name: String! posts: [Post] @hasMany }
        type Post @model @auth(rules: [{ allow: custom }]) {
          title: String! @index(name: "byTitle", queryField: "byTitle", sortKeyFields: ["text"])
          text: String place: Place author: Author @belongsTo
        }
        """

    /// A server whose tokens name what is denied, with commas between.
    static func open() async throws -> TestServer {
        let options = ServerOptions(
            defaultMode: .function,
            verify: { credentials in
                let denied = (credentials.headers["authorization"] ?? "").split(separator: ",").map(String.init)
                return .verified(Identity(.function, deniedFields: Set(denied)))
            })
        let test = try await TestServer.open(schema, options: options)
        _ = try await test.data(
            "mutation { createAuthor(input: { id: 1, name: \"n\" }) { id } }", headers: denying("-"))
        let place = "place: { city: \"c\", street: \"s\" }"
        _ = try await test.data(
            "mutation { createPost(input: { id: 1, title: \"t\", text: \"x\", authorPostsId: 1, \(place) }) { id } }",
            headers: denying("-"))
        return test
    }

    static func denying(_ fields: String) -> [String: String] { ["authorization": fields] }

    @Test(
        arguments: [
            ("Post.text", #"{"getPost":{"title":"t","text":null,"place":{"city":"c","street":"s"}}}"#, "text", "Post"),
            ("Post.place", #"{"getPost":{"title":"t","text":"x","place":null}}"#, "place", "Post"),
            (
                "Place.street", #"{"getPost":{"title":"t","text":"x","place":{"city":"c","street":null}}}"#, "street",
                "Place"
            ),
            // What cannot be null takes what is around it along.
            ("Place.city", #"{"getPost":{"title":"t","text":"x","place":null}}"#, "city", "Place"),
            ("Post.title", #"{"getPost":null}"#, "title", "Post"),
            ("Query.getPost", #"{"getPost":null}"#, "getPost", "Query"),
        ])
    func areNullWithAnError(_ denied: (field: String, data: String, name: String, type: String)) async throws {
        let test = try await Self.open()
        let answer = try await test.send(
            "{ getPost(id: 1) { title text place { city street } } }", headers: Self.denying(denied.field))
        #expect(answer["data"]?.text == denied.data)
        #expect(answer["errors"]?.array?.count == 1)
        #expect(answer.at("errors.0.errorType") == "Unauthorized")
        #expect(
            answer.at("errors.0.message")
                == .string("Not Authorized to access \(denied.name) on type \(denied.type)"))
    }

    /// A client would take null without an error for the answer.
    @Test func eachRootFieldHasItsError() async throws {
        let test = try await Self.open()
        let names = (0..<200).map { "a\($0): text" }.joined(separator: " ")
        let answer = try await test.send(
            "{ first: getPost(id: 1) { \(names) } second: listPosts { nextToken } third: getPost(id: 1) { title text } }",
            headers: Self.denying("Post.text,Post.title,Query.listPosts"))
        #expect(answer.at("data.second") == .null)
        #expect(answer.at("data.third") == .null)
        let errors = try #require(answer["errors"]?.array)
        let paths = errors.dropFirst(100).compactMap { $0["path"]?.text }
        #expect(paths == [#"["second"]"#, #"["third","title"]"#])
    }

    @Test func relationsAndPagesAreDenied() async throws {
        let test = try await Self.open()
        let query = "{ listAuthors { items { name posts { items { id } nextToken } } } listPosts { nextToken } }"
        let relation = try await test.send(query, headers: Self.denying("Author.posts"))
        #expect(relation.at("data.listAuthors")?.text == #"{"items":[{"name":"n","posts":null}]}"#)
        #expect(relation.at("errors.0.path")?.text == #"["listAuthors","items",0,"posts"]"#)
        let page = try await test.send(query, headers: Self.denying("ModelPostConnection.items"))
        #expect(page.at("data.listAuthors")?.text == #"{"items":[{"name":"n","posts":null}]}"#)
        #expect(page.at("errors.0.message") == "Not Authorized to access items on type ModelPostConnection")
    }

    @Test func cannotBeComparedInAFilter() async throws {
        let test = try await Self.open()
        let query = "{ listPosts(filter: { text: { beginsWith: \"x\" } }) { items { id } } }"
        #expect(try await test.data(query, headers: Self.denying("Post.title")).at("listPosts.items.0.id") == "1")
        let answer = try await test.send(query, headers: Self.denying("Post.text"))
        #expect(answer["data"]?.text == #"{"listPosts":null}"#)
        #expect(answer.at("errors.0.message") == "Unauthorized on [text]")
    }

    @Test func cannotBeUsedByAnIndex() async throws {
        let test = try await Self.open()
        let query = "{ byTitle(title: \"t\") { items { id } nextToken } }"
        #expect(try await test.data(query, headers: Self.denying("Post.place")).at("byTitle.items.0.id") == "1")
        for field in ["title", "text"] {
            let answer = try await test.send(query, headers: Self.denying("Post.\(field)"))
            #expect(answer["data"]?.text == #"{"byTitle":null}"#)
            #expect(answer.at("errors.0.message") == .string("Unauthorized on [\(field)]"))
        }
    }

    @Test func mutationsAreNotCarriedOut() async throws {
        let test = try await Self.open()
        let update = "mutation { updatePost(input: { id: 1, title: \"u\", _version: 1 }) { title text } }"
        let refused = try await test.send(update, headers: Self.denying("Mutation.updatePost"))
        #expect(refused["data"]?.text == #"{"updatePost":null}"#)
        // A field that is denied is written and not shown.
        let written = try await test.send(update, headers: Self.denying("Post.title"))
        #expect(written["data"]?.text == #"{"updatePost":null}"#)
        let data = try await test.data("{ getPost(id: 1) { title _version } }", headers: Self.denying("-"))
        #expect(data.text == #"{"getPost":{"title":"u","_version":2}}"#)
    }

    /// What a document selects is kept after its first request.
    @Test func oneDocumentShowsEachSenderItsFields() async throws {
        let test = try await Self.open()
        let update = "mutation M($input: UpdatePostInput!) { one: updatePost(input: $input) { title text } }"
        for (number, denied) in ["", "Post.text", ""].enumerated() {
            let input: WireValue = ["id": "1", "_version": .integer(Int64(number + 1))]
            let answer = try await test.send(update, ["input": input], headers: Self.denying(denied))
            let text: WireValue = denied.isEmpty ? "x" : .null
            #expect(answer["data"] == ["one": ["title": "t", "text": text]])
        }
    }

    @Test func eventsLackDeniedFields() async throws {
        let test = try await Self.open()
        let headers = Self.denying("Post.text")
        let client = try await TestClient.open(test, headers: headers)
        let listen = "subscription { onUpdatePost { title text } }"
        await client.start("1", listen, authorization: ["authorization": "Subscription.onUpdatePost"])
        #expect(try await client.next().at("payload.errors.0.errorType") == "Unauthorized")
        await client.start("2", listen, authorization: ["authorization": "Post.text"])
        #expect(try await client.next()["type"] == "start_ack")
        _ = try await test.data(
            "mutation { updatePost(input: { id: 1, text: \"y\", _version: 1 }) { id title text } }",
            headers: Self.denying("-"))
        let event = try await client.next()
        #expect(event.at("payload.data")?.text == #"{"onUpdatePost":{"title":"t","text":null}}"#)
        #expect(event.at("payload.errors.0.message") == "Not Authorized to access text on type Post")
    }
}
