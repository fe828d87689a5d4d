import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage
import HoldfastTestSupport
import HoldfastWire
import Testing

@testable import HoldfastServer

/// Ways around a rule: keys, relations, arguments, and names.
@Suite struct IndirectAccessTests {
    private static let schema = """
        type Feed @model @auth(rules: [{ allow: owner, ownerField: "subscriber" }, { allow: groups, groups: ["Admin"] }]) {
          subscriber: String! @primaryKey(sortKeyFields: ["topic"]) topic: String! plan: String
        }
        type Author @model @auth(rules: [{ allow: private }]) {
          name: String reviews: [Review] @hasMany(indexName: "byAuthor", fields: ["id"])
        }
        type Review @model @auth(rules: [{ allow: private }]) {
          text: String author: Author @belongsTo(fields: ["authorId"])
          authorId: ID @index(name: "byAuthor") @auth(rules: [{ allow: groups, groups: ["Admin"] }])
        }
        type Confession @model @auth(rules: [{ allow: owner }, { allow: private, operations: [read] }]) {
          text: String owner: String @auth(rules: [{ allow: owner }])
        }
        type Secret @model @auth(rules: [{ allow: owner, operations: [create, update, delete, get, sync, listen] }]) {
          text: String hint: String @auth(rules: [{ allow: owner }])
        }
        type Profile @model @auth(rules: [{ allow: owner, ownerField: "id", identityClaim: "sub" }]) {
          id: ID! name: String
        }
        type Shop @model @auth(rules: [{ allow: private }]) {
          coupons: [Coupon] @hasMany(indexName: "byShop", fields: ["id"])
        }
        type Coupon @model @auth(rules: [{ allow: private }]) {
          code: ID! @primaryKey @auth(rules: [{ allow: groups, groups: ["Admin"] }])
          text: String kind: String @index(name: "byKind", queryField: "byKind") shopId: ID @index(name: "byShop")
        }
        type Account @model @auth(rules: [{ allow: owner, ownerField: "id" }]) { id: ID! name: String }
        """

    private static func user(_ token: String) -> [String: String] { AccessTests.user(token) }

    @Test(arguments: TestServer.Kind.allCases) func anOwnerInTheKeyIsTheOneThatIsGiven(
        kind: TestServer.Kind
    ) async throws {
        let test = try await AccessTests.open(kind, schema: Self.schema)
        for (creator, owner) in [("alice", "alice"), ("carol/Admin", "bob")] {
            let made = try await test.data(
                "mutation { createFeed(input: { subscriber: \"\(owner)\", topic: \"t\" }) { subscriber } }",
                headers: Self.user(creator))
            #expect(made.text == #"{"createFeed":{"subscriber":"\#(owner)"}}"#)
            let read = try await test.data(
                "{ getFeed(subscriber: \"\(owner)\", topic: \"t\") { topic } }", headers: Self.user(owner))
            #expect(read.text == #"{"getFeed":{"topic":"t"}}"#)
            let changed = try await test.data(
                """
                mutation {
                  updateFeed(input: { subscriber: "\(owner)", topic: "t", plan: "x", _version: 1 }) { plan }
                }
                """, headers: Self.user(owner))
            #expect(changed.text == #"{"updateFeed":{"plan":"x"}}"#)
        }
    }

    @Test(arguments: TestServer.Kind.allCases) func aRelationDoesNotShowAProtectedKey(
        kind: TestServer.Kind
    ) async throws {
        let test = try await AccessTests.open(kind, schema: Self.schema)
        for input in [
            "createAuthor(input: { id: \"a\", name: \"Ann\" })",
            "createReview(input: { id: \"r\", text: \"t\", authorId: \"a\" })",
        ] { _ = try await test.data("mutation { \(input) { id } }", headers: Self.user("carol/Admin")) }
        let query = "{ listReviews { items { text author { name } } } }"
        let shown = try await test.data(query, headers: Self.user("carol/Admin"))
        #expect(shown.at("listReviews.items.0.author.name") == "Ann")
        let hidden = try await test.send(query, headers: Self.user("alice"))
        #expect(hidden.at("data.listReviews.items.0")?.text == #"{"text":"t","author":null}"#)
        #expect(hidden.at("errors.0.errorType") == "Unauthorized")
        // Null alone would say that the review has no author.
        let changed = try await test.send(
            "mutation { updateReview(input: { id: \"r\", text: \"u\", _version: 1 }) { text author { name } } }",
            headers: Self.user("alice"))
        #expect(changed.at("data.updateReview")?.text == #"{"text":"u","author":null}"#)
        #expect(changed.at("errors.0.errorType") == "Unauthorized")
        let own = try await test.data(
            "mutation { updateReview(input: { id: \"r\", text: \"v\", _version: 2 }) { text author { name } } }",
            headers: Self.user("carol/Admin"))
        #expect(own.text == #"{"updateReview":{"text":"v","author":{"name":"Ann"}}}"#)
    }

    /// Where a record belongs and its times are values, which a right on another field does not cover.
    @Test func aRightOnOneFieldIsNotOneOnKeysAndTimes() async throws {
        let test = try await AccessTests.open(
            schema: """
                type Blog @model @auth(rules: [{ allow: private }]) { posts: [Post] @hasMany }
                type Post @model @auth(rules: [{ allow: owner }, { allow: private, operations: [read] }]) {
                  title: String createdAt: AWSDateTime likes: Int @auth(rules: [{ allow: private }])
                  blog: Blog @belongsTo cover: Cover @hasOne @auth(rules: [{ allow: private }])
                }
                type Cover @model @auth(rules: [{ allow: private }]) { name: String }
                """)
        func update(_ fields: String, version: Int, _ token: String) async throws -> WireValue {
            try await test.send(
                "mutation { it: updatePost(input: { id: \"p\", \(fields), _version: \(version) }) { likes } }",
                headers: Self.user(token))
        }
        _ = try await test.data(
            "mutation { createPost(input: { id: \"p\", blogPostsId: \"a\" }) { id } }", headers: Self.user("alice"))
        for (name, value) in [("blogPostsId", "b"), ("createdAt", "1999-01-01T00:00:00Z")] {
            let refused = try await update("likes: 1, \(name): \"\(value)\"", version: 1, "bob")
            #expect(refused["data"] == ["it": nil])
            #expect(refused.at("errors.0.message") == .string("Unauthorized on [\(name)]"))
        }
        // Clients send a time that they do not set as null. Those who may set a relation may write its key.
        let liked = try await update("likes: 1, createdAt: null, postCoverId: \"c\"", version: 1, "bob")
        #expect(liked == ["data": ["it": ["likes": 1]]])
        let moved = try await update("blogPostsId: \"b\", createdAt: \"1999-01-01T00:00:00Z\"", version: 2, "alice")
        #expect(moved == ["data": ["it": ["likes": 1]]])
        let shown = try await test.data(
            "{ getPost(id: \"p\") { blogPostsId postCoverId createdAt } }", headers: Self.user("bob"))
        #expect(
            shown["getPost"] == ["blogPostsId": "b", "postCoverId": "c", "createdAt": "1999-01-01T00:00:00Z"])
    }

    /// A declared key is a field like others; one that a relation adds has no place for rules of its own.
    @Test func aKeyCanBeWrittenWhereTheRulesOfItsRelationAreAboutReading() async throws {
        let test = try await AccessTests.open(
            schema: """
                type Blog @model @auth(rules: [{ allow: private }]) {
                  posts: [Post] @hasMany(indexName: "byBlog", fields: ["id"])
                }
                type Post @model @auth(rules: [{ allow: owner }, { allow: private, operations: [read] }]) {
                  blogId: ID! @index(name: "byBlog")
                  blog: Blog @belongsTo(fields: ["blogId"]) @auth(rules: [{ allow: private, operations: [read] }])
                  cover: Cover @hasOne @auth(rules: [{ allow: private, operations: [read] }])
                }
                type Plain @model { text: String @auth(rules: [{ allow: private }]) cover: Cover @hasOne }
                type Cover @model @auth(rules: [{ allow: private }]) { name: String }
                """)
        for creation in [
            "createPost(input: { blogId: \"b\", postCoverId: \"c\" }) { id }",
            "createPlain(input: { text: \"t\", plainCoverId: \"c\" }) { text }",
        ] { _ = try await test.data("mutation { \(creation) }", headers: Self.user("alice")) }
    }

    /// A page goes on after a key that the user may not read.
    @Test(arguments: TestServer.Kind.allCases) func aPageTokenDoesNotShowAProtectedKey(
        kind: TestServer.Kind
    ) async throws {
        let test = try await AccessTests.open(kind, schema: Self.schema)
        let before = try await test.data("{ syncCoupons { startedAt } }", headers: Self.user("bob"))
        test.world.advance(.milliseconds(2_000))
        _ = try await test.data("mutation { createShop(input: { id: \"s\" }) { id } }", headers: Self.user("bob"))
        for number in 1...2 {
            let input = "{ code: \"FREE-\(number)\", text: \"\(number)\", kind: \"k\", shopId: \"s\" }"
            _ = try await test.data(
                "mutation { createCoupon(input: \(input)) { text } }", headers: Self.user("carol/Admin"))
        }
        test.world.advance(.milliseconds(2_000))
        let label = try #require(before.at("syncCoupons.startedAt")).text
        let page = "limit: 1, nextToken: $t) { items { text } nextToken }"
        for (field, path) in [
            ("it: listCoupons(\(page)", "it"), ("it: byKind(kind: \"k\", \(page)", "it"),
            ("it: syncCoupons(\(page)", "it"), ("it: syncCoupons(lastSync: \(label), \(page)", "it"),
            ("shop: getShop(id: \"s\") { it: coupons(\(page) }", "shop.it"),
        ] {
            var items: [WireValue] = []
            var token: WireValue = .null
            repeat {
                let data = try await test.data(
                    "query Q($t: String) { \(field) }", ["t": token], headers: Self.user("bob"))
                items += try #require(data.at("\(path).items")?.array)
                token = try #require(data.at("\(path).nextToken"))
                guard let text = token.string else { continue }
                let bytes = try #require(Base64.bytes(text))
                #expect(!String(decoding: bytes, as: UTF8.self).contains("FREE"), "\(field)")
            } while token != .null && items.count < 5
            #expect(items == [["text": "1"], ["text": "2"]], "\(field)")
        }
    }

    /// A device needs no right to list.
    @Test func aPartOfReadingIsEnoughForItsFilters() async throws {
        let test = try await AccessTests.open(schema: Self.schema)
        let client = try await TestClient.open(test, headers: Self.user("bob"))
        await client.start(
            "own", "subscription { onCreateSecret(owner: \"bob\") { text } }", authorization: ["Authorization": "bob"])
        #expect(try await client.next()["type"] == "start_ack")
        let read = try await test.data(
            "{ syncSecrets(filter: { owner: { eq: \"bob\" } }) { items { id } } }", headers: Self.user("bob"))
        #expect(read.text == #"{"syncSecrets":{"items":[]}}"#)
    }

    @Test func anOwnerThatIsTheIDIsFilledIn() async throws {
        let test = try await AccessTests.open(schema: Self.schema)
        let made = try await test.data(
            "mutation { createProfile(input: { name: \"A\" }) { id } }", headers: Self.user("alice"))
        #expect(made.text == #"{"createProfile":{"id":"sub-alice"}}"#)
    }

    /// With a part of it the record could not be found.
    @Test func anOwnerThatIsTheIDIsShownAsAWhole() async throws {
        let test = try await AccessTests.open(schema: Self.schema)
        let made = try await test.data(
            "mutation { createAccount(input: { name: \"A\" }) { id } }", headers: Self.user("alice"))
        let id = try #require(made.at("createAccount.id"))
        #expect(id == "sub-alice::alice")
        let read = try await test.data(
            "query Q($id: ID!) { getAccount(id: $id) { id name } }", ["id": id], headers: Self.user("alice"))
        #expect(read["getAccount"] == ["id": id, "name": "A"])
        let list = try await test.data(
            "query Q($id: ID) { listAccounts(filter: { id: { eq: $id } }) { items { id } } }", ["id": id],
            headers: Self.user("alice"))
        #expect(list.at("listAccounts.items") == [["id": id]])
    }

    /// Otherwise a listener learns whose records the events are about.
    @Test func theOwnerOfASubscriptionIsAFieldLikeOthers() async throws {
        let test = try await AccessTests.open(schema: Self.schema)
        let client = try await TestClient.open(test, headers: Self.user("bob"))
        for (id, arguments) in [("alice", "(owner: \"alice\")"), ("bob", "(owner: \"bob\")"), ("all", "")] {
            await client.start(
                id, "subscription { onCreateConfession\(arguments) { text } }",
                authorization: ["Authorization": "bob"])
            #expect(try await client.next()["type"] == "start_ack")
        }
        for name in ["alice", "bob"] {
            _ = try await test.data(
                "mutation { createConfession(input: { text: \"of \(name)\" }) { id } }", headers: Self.user(name))
        }
        var events: Set<String> = []
        for _ in 0..<3 {
            let event = try await client.next()
            let text = event.at("payload.data.onCreateConfession.text")?.string ?? ""
            events.insert("\(event["id"]?.string ?? ""): \(text)")
        }
        #expect(events == ["all: of alice", "all: of bob", "bob: of bob"])
    }

    @Test func aPartOfANameIsNotTheWholeNameOfAnother() {
        func names(_ claims: JSONObject) -> [String] {
            Identity(.userPools, claims: claims).names(by: "sub::username")
        }
        #expect(names(["sub": "s", "username": "alice"]) == ["s::alice", "s", "alice"])
        #expect(names(["sub": "m", "username": "s::alice"]) == ["m::s::alice", "m"])
        #expect(names(["sub": "s"]) == ["s"])
        #expect(names(["username": "s::alice"]).isEmpty)
    }

    /// The service would not enforce them.
    @Test func rulesInsideEmbeddedTypesAreRefused() async throws {
        let schema = """
            type Person @model @auth(rules: [{ allow: private }]) { contact: Contact }
            type Contact { city: String phone: String @auth(rules: [{ allow: groups, groups: ["HR"] }]) }
            """
        let error = await #expect(throws: SchemaError.self) { _ = try await AccessTests.open(schema: schema) }
        #expect(error?.problems.first?.message.contains("inside \"Contact\"") == true)
        // What only operations of the application's own return is not served.
        _ = try await AccessTests.open(
            schema: """
                type Query { stats: Stats }
                type Stats { total: Int revenue: Int @auth(rules: [{ allow: groups, groups: ["HR"] }]) }
                type Person @model @auth(rules: [{ allow: private }]) { name: String }
                """)
    }
}
