import HoldfastServer
import HoldfastStorage
import HoldfastWire
import Testing

@Suite struct QueryTests {
    static let schema = """
        type Blog @model @auth(rules: [{ allow: public }]) { name: String! posts: [Post] @hasMany }
        type Post @model @auth(rules: [{ allow: public }]) {
          title: String! rating: Int tags: [String] at: AWSDateTime status: Status
          blog: Blog @belongsTo
          labels: [Label] @manyToMany(relationName: "PostLabels")
          category: String
            @index(name: "byCategory", queryField: "postsOf", sortKeyFields: ["rating"])
            @index(name: "byTime", queryField: "postsByTime", sortKeyFields: ["at"])
            @index(name: "byState", queryField: "postsByState", sortKeyFields: ["title", "at"])
        }
        type Label @model @auth(rules: [{ allow: public }]) {
          text: String! posts: [Post] @manyToMany(relationName: "PostLabels")
        }
        type Order @model @auth(rules: [{ allow: public }]) {
          customer: ID! @primaryKey(sortKeyFields: ["day", "number"]) day: String! number: Int! total: Float
        }
        enum Status { DRAFT OPEN }
        """

    static func open(_ kind: TestServer.Kind) async throws -> TestServer {
        let test = try await TestServer.open(schema, on: kind)
        _ = try await test.data("mutation { createBlog(input: { id: \"b\", name: \"Blog\" }) { id } }")
        for index in 0..<6 {
            _ = try await test.data(
                "mutation M($input: CreatePostInput!) { createPost(input: $input) { id } }",
                [
                    "input": [
                        "id": .string("p\(index)"), "title": .string("Title \(index)"),
                        "rating": .integer(Int64(index)),
                        "tags": index % 2 == 0 ? ["even"] : [], "at": .string("2024-0\(index + 1)-01T00:00:00Z"),
                        "status": index == 5 ? nil : "OPEN", "blogPostsId": index < 4 ? "b" : nil,
                        "category": index % 2 == 0 ? "x" : "y",
                    ]
                ])
        }
        return test
    }

    @Test(arguments: TestServer.Kind.allCases) func filtersSelect(kind: TestServer.Kind) async throws {
        let test = try await Self.open(kind)
        let filters: [(WireValue, [String])] = [
            (["rating": ["ge": 2, "lt": 4]], ["2", "3"]),
            (["rating": ["between": [4, 9]]], ["4", "5"]),
            (["title": ["contains": "le 3"]], ["3"]),
            (["title": ["notContains": "le 3"], "rating": ["le": 4]], ["0", "1", "2", "4"]),
            (["tags": ["contains": "even"]], ["0", "2", "4"]),
            (["at": ["beginsWith": "2024-03"]], ["2"]),
            (["at": ["gt": "2024-04-15"]], ["4", "5"]),
            (["at": ["ge": "2024-05-01T02:00:00+02:00"]], ["4", "5"]),
            (["status": ["ne": "OPEN"]], ["5"]),
            (["blogPostsId": ["attributeExists": false]], ["4", "5"]),
            (["tags": ["size": ["eq": 0]], "rating": ["gt": 1]], ["3", "5"]),
            (["rating": ["attributeType": "number"], "id": ["eq": "p1"]], ["1"]),
            (["or": [["rating": ["eq": 0]], ["not": ["rating": ["lt": 5]]]]], ["0", "5"]),
            (["and": [["id": ["eq": nil]]]], []),
            ([:], ["0", "1", "2", "3", "4", "5"]),
        ]
        for (filter, expected) in filters {
            let data = try await test.data(
                "query Q($filter: ModelPostFilterInput) { listPosts(filter: $filter) { items { id } nextToken } }",
                ["filter": filter])
            let ids = data.at("listPosts.items")?.array?.compactMap { $0["id"]?.string?.dropFirst() }.map(String.init)
            #expect(ids == expected, "\(filter.text)")
            #expect(data.at("listPosts.nextToken") == .null)
        }
        try await test.server.close()
    }

    @Test(arguments: TestServer.Kind.allCases) func pagesLeadToTheEnd(kind: TestServer.Kind) async throws {
        let test = try await Self.open(kind)
        for filter: WireValue in [.null, ["title": ["size": ["gt": 3]]]] {
            var ids: [String] = []
            var token: WireValue = .null
            var pages = 0
            repeat {
                let data = try await test.data(
                    """
                    query Q($token: String, $filter: ModelPostFilterInput) {
                      listPosts(limit: 2, nextToken: $token, filter: $filter) { items { id } nextToken }
                    }
                    """, ["token": token, "filter": filter])
                ids += data.at("listPosts.items")?.array?.compactMap { $0["id"]?.string } ?? []
                token = data.at("listPosts.nextToken") ?? .null
                pages += 1
            } while !token.isNull
            #expect(ids == (0..<6).map { "p\($0)" })
            #expect(pages == 3)
        }
    }

    /// The token of a page has the texts that decide the order.
    @Test(arguments: TestServer.Kind.allCases) func aListOfLongTextsIsReadToItsEnd(kind: TestServer.Kind) async throws {
        let test = try await TestServer.open(Self.schema, on: kind)
        for id in ["a", "b", "c"] {
            let title = id + String(repeating: "x", count: 20_000)
            _ = try await test.data(
                "mutation M($input: CreatePostInput!) { createPost(input: $input) { id } }",
                ["input": ["id": .string(id), "category": "x", "title": .string(title)]])
        }
        var ids: [String] = []
        var token: WireValue = .null
        repeat {
            let data = try await test.data(
                """
                query Q($token: String) {
                  postsByState(category: "x", limit: 1, nextToken: $token) { items { id } nextToken }
                }
                """, ["token": token])
            ids += data.at("postsByState.items")?.array?.compactMap { $0["id"]?.string } ?? []
            token = data.at("postsByState.nextToken") ?? .null
        } while !token.isNull && ids.count < 9
        #expect(ids == ["a", "b", "c"])
    }

    /// The token of the next page has the values by which the list is sorted, and must fit in a request.
    @Test func textsThatNoRequestCouldCarryAreNotIndexed() async throws {
        var options = ServerOptions(apiKeys: ["key"])
        options.limits.requestByteCount = 65_536
        let test = try await TestServer.open(Self.schema, options: options)
        let create = "mutation M($input: CreatePostInput!) { createPost(input: $input) { id } }"
        func input(_ id: String, _ count: Int) -> WireValue {
            ["input": ["id": .string(id), "category": "x", "title": .string(String(repeating: "x", count: count))]]
        }
        let answer = try await test.send(create, input("long", 40_000))
        #expect(answer.at("errors.0.errorType") == "BadRequest")
        #expect(answer.at("data.createPost")?.isNull == true)
        for id in ["a", "b"] { _ = try await test.data(create, input(id, 32_000)) }
        let page = """
            query Q($t: String) { postsByState(category: "x", limit: 1, nextToken: $t) { items { id } nextToken } }
            """
        let token = try await test.data(page).at("postsByState.nextToken") ?? .null
        let next = try await test.data(page, ["t": token])
        #expect(next.at("postsByState.items.0.id") == "b")
        let update = try await test.send(
            "mutation M($input: UpdatePostInput!) { updatePost(input: $input) { id } }",
            ["input": ["id": "a", "title": .string(String(repeating: "y", count: 40_000)), "_version": 1]])
        #expect(update.at("errors.0.errorType") == "BadRequest")
    }

    /// Of several records that point to one, the living one is its other side.
    @Test(arguments: TestServer.Kind.allCases) func aRecordTakesThePlaceOfADeletedOne(
        kind: TestServer.Kind
    ) async throws {
        let test = try await TestServer.open(
            """
            type User @model @auth(rules: [{ allow: public }]) { profile: Profile @hasOne(references: ["userId"]) }
            type Profile @model @auth(rules: [{ allow: public }]) {
              userId: ID user: User @belongsTo(references: ["userId"])
            }
            """, on: kind)
        func profile() async throws -> WireValue? {
            try await test.data("{ getUser(id: 1) { profile { id _deleted } } }").at("getUser.profile")
        }
        _ = try await test.data("mutation { createUser(input: { id: 1 }) { id } }")
        #expect(try await profile() == .null)
        _ = try await test.data("mutation { createProfile(input: { id: \"a\", userId: 1 }) { id } }")
        _ = try await test.data("mutation { deleteProfile(input: { id: \"a\", _version: 1 }) { id } }")
        #expect(try await profile() == ["id": "a", "_deleted": true])
        _ = try await test.data("mutation { createProfile(input: { id: \"b\", userId: 1 }) { id } }")
        #expect(try await profile() == ["id": "b", "_deleted": nil])
    }

    /// It is shown as the key of a record that never was.
    @Test(arguments: TestServer.Kind.allCases) func aKeyThatNoRecordCanHaveHidesNoOtherRecord(
        kind: TestServer.Kind
    ) async throws {
        let test = try await TestServer.open(
            """
            type Post @model @auth(rules: [{ allow: public }]) {
              comments: [Comment] @hasMany(indexName: "byPost", fields: ["id"])
            }
            type Comment @model @auth(rules: [{ allow: public }]) {
              postId: ID @index(name: "byPost") post: Post @belongsTo(fields: ["postId"])
            }
            """, on: kind)
        let long = WireValue.string(String(repeating: "k", count: kind == .memory ? 65_537 : 1_025))
        _ = try await test.data("mutation { createPost(input: { id: \"p\" }) { id } }")
        for (id, post) in [("a", "p"), ("b", long)] as [(WireValue, WireValue)] {
            let made = try await test.data(
                "mutation M($input: CreateCommentInput!) { createComment(input: $input) { post { id } } }",
                ["input": ["id": id, "postId": post]])
            #expect(made.at("createComment.post.id") == post)
        }
        let data = try await test.data("{ syncComments { items { id post { id _deleted } } } }")
        #expect(
            data.at("syncComments.items") == [
                ["id": "a", "post": ["id": "p", "_deleted": nil]],
                ["id": "b", "post": ["id": long, "_deleted": true]],
            ])
    }

    @Test(arguments: TestServer.Kind.allCases) func connectionsAreSortedByTheRestOfTheirKey(
        kind: TestServer.Kind
    ) async throws {
        let test = try await TestServer.open(
            """
            type Post @model @auth(rules: [{ allow: public }]) {
              id: ID! comments: [Comment] @connection(keyName: "byPost", fields: ["id"])
            }
            type Comment @model @auth(rules: [{ allow: public }]) @key(name: "byPost", fields: ["postId", "text"]) {
              id: ID! postId: ID! text: String! post: Post @connection(fields: ["postId"])
            }
            """, on: kind)
        _ = try await test.data("mutation { createPost(input: { id: \"p\" }) { id } }")
        for (id, text) in [("1", "b2"), ("2", "a"), ("3", "b3"), ("4", "b1")] {
            let input = "{ id: \(id), postId: \"p\", text: \"\(text)\" }"
            _ = try await test.data("mutation { createComment(input: \(input)) { id } }")
        }
        let arguments = "text: { beginsWith: \"b\" }, sortDirection: DESC"
        let data = try await test.data("{ getPost(id: \"p\") { comments(\(arguments)) { items { text } } } }")
        #expect(data.at("getPost.comments.items") == [["text": "b3"], ["text": "b2"], ["text": "b1"]])
    }

    @Test(arguments: TestServer.Kind.allCases) func relationsAreFollowed(kind: TestServer.Kind) async throws {
        let test = try await Self.open(kind)
        _ = try await test.data(
            """
            mutation {
              createLabel(input: { id: "l", text: "Label" }) { id }
              one: createPostLabels(input: { id: "j", postId: "p1", labelId: "l" }) { id post { title } label { text } }
            }
            """)
        let data = try await test.data(
            """
            query Q {
              getBlog(id: "b") {
                name
                posts(limit: 2, filter: { rating: { gt: 0 } }) { items { ...P } nextToken __typename }
              }
              getPost(id: "p5") { blog { id } labels { items { id } nextToken } }
              syncPosts(filter: { id: { eq: "p1" } }) {
                items { id blog { name posts { items { id } } } labels { items { label { text } } } }
              }
            }
            fragment P on Post { it: title ... on Post { blog { name __typename } } }
            """)
        #expect(
            data.at("getBlog.posts.items")?.text
                == #"[{"it":"Title 1","blog":{"name":"Blog","__typename":"Blog"}},"#
                + #"{"it":"Title 2","blog":{"name":"Blog","__typename":"Blog"}}]"#)
        #expect(data.at("getBlog.posts.nextToken")?.string != nil)
        #expect(data.at("getBlog.posts.__typename") == "ModelPostConnection")
        #expect(data.at("getPost")?.text == #"{"blog":null,"labels":{"items":[],"nextToken":null}}"#)
        #expect(
            data.at("syncPosts.items")?.text
                == #"[{"id":"p1","blog":{"name":"Blog","posts":{"items":[{"id":"p0"},{"id":"p1"},{"id":"p2"},{"id":"p3"}]}},"#
                + #""labels":{"items":[{"label":{"text":"Label"}}]}}]"#)
    }

    /// The answer has what was written, even if the arguments of a relation are wrong.
    @Test func anErrorInARelationIsThatOfItsField() async throws {
        let test = try await Self.open(.memory)
        let made = try await test.send(
            "mutation { createBlog(input: { id: 1, name: \"n\" }) { id posts(limit: 0) { items { id } } } }")
        #expect(made["data"] == ["createBlog": ["id": "1", "posts": nil]])
        #expect(made["errors"]?.array?.count == 1)
        #expect(made.at("errors.0.path") == ["createBlog", "posts"])
        #expect(made.at("errors.0.errorType") == "InvalidArgumentsError")
        let read = try await test.send(
            "{ listBlogs { items { id posts(nextToken: \"x\") { items { id } } } nextToken } }")
        #expect(
            read["data"] == [
                "listBlogs": ["items": [["id": "1", "posts": nil], ["id": "b", "posts": nil]], "nextToken": nil]
            ])
        #expect(read.at("errors.1.path") == ["listBlogs", "items", 1, "posts"])
    }

    /// A sort key can be compared with a part of a date, as in a filter.
    @Test(arguments: TestServer.Kind.allCases) func partsOfDatesAreCompared(kind: TestServer.Kind) async throws {
        let test = try await Self.open(kind)
        for (arguments, expected) in [
            ("at: { ge: \"2024-02\" }", ["p2", "p4"]), ("at: { lt: \"2024-03-01\" }", ["p0"]),
            ("at: { ge: \"2024-03-01T02:00:00+02:00\" }", ["p2", "p4"]),
            ("at: { between: [\"2024-01-01\", \"2024-04\"] }, sortDirection: DESC", ["p2", "p0"]),
            ("at: { beginsWith: \"2024-05\" }", ["p4"]), ("at: { eq: \"2024-05\" }", []),
            ("at: { gt: \"2024-02\" }, filter: { rating: { gt: 2 }, at: { lt: \"2024-06\" } }", ["p4"]),
        ] {
            let query = "{ postsByTime(category: \"x\", \(arguments)) { items { id } nextToken } }"
            let ids = try await test.data(query).at("postsByTime.items")?.array?.compactMap { $0["id"]?.string }
            #expect(ids == expected, "\(arguments)")
        }
        for (condition, expected) in [
            ("ge: { title: \"Title 2\", at: \"2024-03-02\" }", ["p4"]),
            ("beginsWith: { title: \"Title 2\", at: \"2024-03\" }", ["p2"]),
            ("beginsWith: { title: \"Title 2\", at: \"2024-04\" }", []),
        ] {
            let query = "{ postsByState(category: \"x\", titleAt: { \(condition) }) { items { id } } }"
            let ids = try await test.data(query).at("postsByState.items")?.array?.compactMap { $0["id"]?.string }
            #expect(ids == expected, "\(condition)")
        }
        var ids: [String] = []
        var token: WireValue = .null
        repeat {
            let data = try await test.data(
                """
                query Q($token: String) {
                  postsByTime(category: "x", at: { beginsWith: "2024" }, limit: 2, nextToken: $token) {
                    items { id } nextToken
                  }
                }
                """, ["token": token])
            ids += data.at("postsByTime.items")?.array?.compactMap { $0["id"]?.string } ?? []
            token = data.at("postsByTime.nextToken") ?? .null
        } while !token.isNull
        #expect(ids == ["p0", "p2", "p4"])
    }

    @Test(arguments: TestServer.Kind.allCases) func indexesAndKeysAreQueried(kind: TestServer.Kind) async throws {
        let test = try await Self.open(kind)
        for (day, number) in [("2024-01-01", 1), ("2024-01-01", 2), ("2024-01-02", 1), ("2024-02-01", 1)] {
            _ = try await test.data(
                "mutation { createOrder(input: { customer: 7, day: \"\(day)\", number: \(number) }) { customer } }")
        }
        let data = try await test.data(
            """
            {
              x: postsOf(category: "x", rating: { ge: 2 }, sortDirection: DESC) { items { id } }
              y: postsOf(category: "y", filter: { rating: { ne: 3 } }) { items { id } }
              all: listOrders(customer: "7", sortDirection: DESC) { items { day number } }
              day: listOrders(customer: "7", dayNumber: { beginsWith: { day: "2024-01" } }) { items { number } }
              part: listOrders(customer: "7", dayNumber: { gt: { day: "2024-01-01", number: 1 } }) { items { day number } }
              between: listOrders(customer: "7", dayNumber: { between: [{ day: "2024-01-02" }, { day: "2024-01-31" }] }) {
                items { day }
              }
              getOrder(customer: "7", day: "2024-01-01", number: 2) { number }
            }
            """)
        #expect(data.at("x.items")?.text == #"[{"id":"p4"},{"id":"p2"}]"#)
        #expect(data.at("y.items")?.text == #"[{"id":"p1"},{"id":"p5"}]"#)
        #expect(data.at("all.items.0")?.text == #"{"day":"2024-02-01","number":1}"#)
        #expect(data.at("day.items")?.text == #"[{"number":1},{"number":2},{"number":1}]"#)
        #expect(
            data.at("part.items")?.text
                == #"[{"day":"2024-01-01","number":2},{"day":"2024-01-02","number":1},{"day":"2024-02-01","number":1}]"#
        )
        #expect(data.at("between.items")?.text == #"[{"day":"2024-01-02"}]"#)
        #expect(data.at("getOrder.number") == 2)
        for query in [
            "listOrders(customer: \"7\", dayNumber: { eq: { day: \"a\" }, gt: { day: \"b\" } }) { items { day } }",
            "listOrders(customer: \"7\", dayNumber: { between: [{ day: \"a\" }] }) { items { day } }",
            "listOrders(customer: \"7\", dayNumber: { eq: { number: 1 } }) { items { day } }",
            "listOrders(sortDirection: DESC) { items { day } }",
            "listPosts(limit: 0) { items { id } }",
        ] {
            let response = try await test.send("{ it: \(query) }")
            #expect(response.at("errors.0.errorType") == "InvalidArgumentsError", "\(query)")
        }
    }

    /// Clients know by these names that the schema is older than they are.
    @Test(arguments: [
        ("{ getPost(id: \"1\") { what } }", "FieldUndefined"), ("{ getWhat(id: \"1\") { id } }", "FieldUndefined"),
        ("{ listPosts(what: 1) { items { id } } }", "UnknownArgument"),
        ("mutation M($input: CreateWhatInput!) { createPost(input: $input) { id } }", "UnknownType"),
    ])
    func whatTheSchemaLacksIsNamedAsAppSyncDoes(document: String, rule: String) async throws {
        let test = try await Self.open(.memory)
        let response = try await test.send(document)
        let messages = (response["errors"]?.array ?? []).compactMap { $0["message"]?.string }
        #expect(messages.contains { $0.hasPrefix("Validation error of type \(rule): ") }, "\(messages)")
        #expect(response["data"] == .null)
    }

    /// Keys of other types come as text, and limits as what they are.
    @Test func valuesAreCoerced() async throws {
        let test = try await Self.open(.memory)
        let made = try await test.data(
            "mutation M($input: CreateOrderInput!) { createOrder(input: $input) { customer number total } }",
            ["input": ["customer": 7, "day": "d", "number": "42", "total": 3]])
        #expect(made.text == #"{"createOrder":{"customer":"7","number":42,"total":3.0}}"#)
        let faults: [(WireValue, String)] = [
            (["title": nil], "Variable 'title' has coerced Null value for NonNull type 'String!'"),
            (["rating": 1], "Variable 'title' has coerced Null value for NonNull type 'String!'"),
            (
                ["title": "t", "what": 1],
                "The variables input contains a field name 'what' that is not defined for input object type "
                    + "'CreatePostInput'"
            ),
            (
                ["title": "t", "rating": 2_147_483_648],
                "Variable 'rating' has an invalid value: expected an Int of 32 bits."
            ),
            (
                ["title": "t", "status": "NONE"],
                "Variable 'status' has an invalid value: expected a value of the enum Status."
            ),
        ]
        for (input, message) in faults {
            let response = try await test.send(
                "mutation M($input: CreatePostInput!) { createPost(input: $input) { id } }", ["input": input])
            #expect(response["data"] == .null)
            #expect(response.at("errors.0.message") == .string(message))
            #expect(response.at("errors.0.errorType") == nil)
        }
        let none = try await test.send("mutation M($input: CreatePostInput!) { createPost(input: $input) { id } }")
        #expect(
            none.at("errors.0.message")
                == "Variable 'input' has coerced Null value for NonNull type 'CreatePostInput!'")
    }
}
