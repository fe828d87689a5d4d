import HoldfastSchema
import HoldfastServer
import HoldfastStorage
import HoldfastTestSupport
import HoldfastWire
import Testing

@Suite struct AccessTests {
    static let schema = """
        type Diary @model @auth(rules: [{ allow: owner }, { allow: groups, groups: ["Admin"], operations: [read] }]) {
          text: String
          secret: String @auth(rules: [{ allow: owner }])
        }
        type Team @model @auth(rules: [
          { allow: owner, ownerField: "members", operations: [read, update] }
          { allow: groups, groupsField: "groups" }
          { allow: owner, ownerField: "boss", identityClaim: "email" }
        ]) { name: String members: [String] groups: [String] boss: String }
        type Open @model @auth(rules: [{ allow: public, operations: [read] }, { allow: private }]) {
          text: String diaries: [Diary] @hasMany
        }
        type Closed @model { text: String }
        type Album @model @auth(rules: [{ allow: private }]) {
          photos: [Photo] @hasMany @auth(rules: [{ allow: groups, groups: ["Admin"] }])
          cover: Photo @hasOne @auth(rules: [{ allow: owner }])
        }
        type Photo @model @auth(rules: [{ allow: private }]) { name: String }
        type Office @model @auth(rules: [{ allow: private }]) {
          staff: [Employee] @hasMany(indexName: "byOffice", fields: ["id"])
        }
        type Employee @model @auth(rules: [{ allow: private }]) {
          office: ID!
            @index(name: "byOffice", queryField: "byOffice", sortKeyFields: ["salary"])
            @index(name: "byBonus", queryField: "byBonus", sortKeyFields: ["bonus"])
          salary: Int @auth(rules: [{ allow: groups, groups: ["HR"] }])
          bonus: Int @auth(rules: [{ allow: owner }])
        }
        """

    /// A server whose tokens name users with the groups that follow a slash.
    static func open(
        _ kind: TestServer.Kind = .memory, schema: String = AccessTests.schema
    ) async throws -> TestServer {
        let options = ServerOptions(
            apiKeys: ["key"],
            verify: { credentials in
                let token = credentials.headers["authorization"] ?? ""
                let parts = token.split(separator: "/").map(String.init)
                guard let name = parts.first, name != "bad" else { return .refused("Unable to parse JWT token.") }
                return .verified(
                    Identity(
                        .userPools,
                        claims: [
                            "sub": .string("sub-" + name), "username": .string(name),
                            "email": .string(name + "@example.com"),
                            "cognito:groups": .array(parts.dropFirst().map(WireValue.string)),
                        ], expiry: name == "late" ? 1_700_000_060_000_000 : nil))
            }, strategy: .optimisticConcurrency)
        return try await TestServer.open(schema, on: kind, options: options)
    }

    static func user(_ token: String) -> [String: String] { ["authorization": token] }

    @Test(arguments: TestServer.Kind.allCases) func ownersSeeTheirOwn(kind: TestServer.Kind) async throws {
        let test = try await Self.open(kind)
        for (name, id) in [("alice", "a"), ("bob", "b")] {
            let made = try await test.data(
                "mutation { createDiary(input: { id: \"\(id)\", text: \"t\", secret: \"s\" }) { owner secret } }",
                headers: Self.user(name))
            #expect(made.text == #"{"createDiary":{"owner":"\#(name)","secret":"s"}}"#)
        }
        let list = "{ listDiaries { items { id owner } } syncDiaries { items { id } } }"
        let own = try await test.data(list, headers: Self.user("alice"))
        #expect(
            own.text == #"{"listDiaries":{"items":[{"id":"a","owner":"alice"}]},"syncDiaries":{"items":[{"id":"a"}]}}"#)
        let all = try await test.data(list, headers: Self.user("carol/Admin"))
        #expect(all.at("listDiaries.items")?.array?.count == 2)
        #expect(
            try await test.data("{ getDiary(id: \"a\") { secret } }", headers: Self.user("alice")).at("getDiary.secret")
                == "s")

        let refused: [(String, String, String)] = [
            ("{ it: getDiary(id: \"b\") { id } }", "alice", "Not Authorized to access getDiary on type Query"),
            (
                "mutation { it: updateDiary(input: { id: \"b\", text: \"x\", _version: 1 }) { id } }", "alice",
                "Not Authorized to access updateDiary on type Mutation"
            ),
            (
                "mutation { it: deleteDiary(input: { id: \"none\", _version: 1 }) { id } }", "alice",
                "Not Authorized to access deleteDiary on type Mutation"
            ),
            (
                "mutation { it: createDiary(input: { text: \"x\" }) { id } }", "carol/Admin", ""
            ),
            ("{ it: listCloseds { items { id } } }", "alice", "Not Authorized to access listCloseds on type Query"),
        ]
        for (query, token, message) in refused {
            let response = try await test.send(query, headers: Self.user(token))
            guard !message.isEmpty else {
                #expect(response["errors"] == nil)
                continue
            }
            #expect(response.at("data.it") == .null)
            #expect(response.at("errors.0.errorType") == "Unauthorized")
            #expect(response.at("errors.0.message") == .string(message))
        }
        let byKey = try await test.send("{ listDiaries { items { id } } }")
        #expect(byKey.at("errors.0.errorType") == "Unauthorized")
    }

    @Test func protectedFieldsAreShownToThoseWhoMay() async throws {
        let test = try await Self.open()
        _ = try await test.data(
            "mutation { createDiary(input: { id: 1, text: \"t\", secret: \"s\" }) { id } }", headers: Self.user("alice")
        )
        let response = try await test.send("{ getDiary(id: 1) { text secret } }", headers: Self.user("carol/Admin"))
        #expect(response["data"]?.text == #"{"getDiary":{"text":"t","secret":null}}"#)
        #expect(response.at("errors.0.errorType") == "Unauthorized")
        #expect(response.at("errors.0.path")?.text == #"["getDiary","secret"]"#)
        // What is not shown cannot be asked for by a filter either.
        let query = "{ listDiaries(filter: { secret: { beginsWith: \"s\" } }) { items { id } } }"
        let asked = try await test.send(query, headers: Self.user("carol/Admin"))
        #expect(asked["data"]?.text == #"{"listDiaries":{"items":[]}}"#)
        #expect(try await test.data(query, headers: Self.user("alice")).at("listDiaries.items")?.array?.count == 1)
    }

    /// Events are judged for each subscriber, so an answer is for its caller alone.
    @Test func answersOfMutationsShowWhatTheCallerMayRead() async throws {
        let test = try await Self.open(
            schema: """
                type Post @model @auth(rules: [
                  { allow: owner }, { allow: groups, groups: ["Editors"], operations: [read, update] }
                ]) {
                  title: String notes: String @auth(rules: [{ allow: owner }])
                }
                """)
        func send(_ mutation: String, _ token: String) async throws -> WireValue {
            try await test.send("mutation { it: \(mutation) { title notes _version } }", headers: Self.user(token))
        }
        let made = try await send("createPost(input: { id: 1, title: \"a\", notes: \"n\" })", "alice")
        #expect(made == ["data": ["it": ["title": "a", "notes": "n", "_version": 1]]])
        // Clients of AppSync would drop an answer with an error.
        let update = "updatePost(input: { id: 1, title: \"b\", _version: 1 })"
        let changed = try await send(update, "eve/Editors")
        #expect(changed == ["data": ["it": ["title": "b", "notes": nil, "_version": 2]]])
        for (token, notes) in [("alice", "n"), ("eve/Editors", nil)] as [(String, WireValue)] {
            let conflict = try await send(update, token)
            #expect(conflict.at("errors.0.errorType") == "ConflictUnhandled")
            #expect(conflict.at("errors.0.data") == ["title": "b", "notes": notes, "_version": 2])
        }
    }

    @Test func rulesOfTheKeyDecideWhoMayChooseIt() async throws {
        let rules = "[{ allow: groups, groups: [\"Admin\"] }, { allow: private, operations: [read] }]"
        let test = try await Self.open(
            schema: """
                type Coupon @model @auth(rules: [{ allow: private }]) {
                  code: ID! @primaryKey @auth(rules: \(rules)) text: String
                }
                type Ticket @model @auth(rules: [{ allow: private }]) { id: ID! @auth(rules: \(rules)) text: String }
                """)
        for (input, field) in [
            ("createCoupon(input: { code: \"FREE\" })", "code"), ("createTicket(input: { id: \"1\" })", "id"),
        ] {
            let create = "mutation { it: \(input) { text } }"
            let refused = try await test.send(create, headers: Self.user("bob"))
            #expect(refused["data"] == ["it": nil], "\(input)")
            #expect(refused.at("errors.0.message") == .string("Unauthorized on [\(field)]"))
            #expect(try await test.data(create, headers: Self.user("carol/Admin"))["it"] == ["text": nil])
        }
        let update = "updateCoupon(input: { code: \"FREE\", text: \"t\", _version: 1 })"
        for input in [update, "createTicket(input: { text: \"t\" })"] {
            let written = try await test.data("mutation { it: \(input) { text } }", headers: Self.user("bob"))
            #expect(written["it"] == ["text": "t"])
        }
    }

    /// Which records an index has, their order, and its tokens say what is in its fields.
    @Test(arguments: TestServer.Kind.allCases) func protectedFieldsOfAnIndexAreNotUsed(
        kind: TestServer.Kind
    ) async throws {
        let test = try await Self.open(kind)
        _ = try await test.data("mutation { createOffice(input: { id: 1 }) { id } }", headers: Self.user("alice"))
        for (id, field, token) in [
            ("a", "bonus: 3", "alice"), ("b", "bonus: 2", "bob"), ("c", "salary: 5", "carol/HR"),
            ("d", "salary: 4", "carol/HR"),
        ] {
            _ = try await test.data(
                "mutation { createEmployee(input: { id: \"\(id)\", office: 1, \(field) }) { id } }",
                headers: Self.user(token))
        }
        for arguments in ["", ", salary: { gt: 1 }", ", limit: 1", ", sortDirection: DESC"] {
            let query = "{ it: byOffice(office: 1\(arguments)) { items { id } nextToken } }"
            let refused = try await test.send(query, headers: Self.user("alice"))
            #expect(refused["data"]?.text == #"{"it":null}"#, "\(arguments)")
            #expect(refused.at("errors.0.message") == "Unauthorized on [salary]")
            let data = try await test.data(query, headers: Self.user("carol/HR"))
            #expect(data.at("it.items")?.array?.isEmpty == false)
        }
        let staff = "{ getOffice(id: 1) { id staff { items { id } } } }"
        let relation = try await test.send(staff, headers: Self.user("alice"))
        #expect(relation["data"]?.text == #"{"getOffice":{"id":"1","staff":null}}"#)
        #expect(relation.at("errors.0.message") == "Not Authorized to access staff on type Office")
        let all = try await test.data(staff, headers: Self.user("carol/HR"))
        #expect(all.at("getOffice.staff.items")?.array?.suffix(2) == [["id": "d"], ["id": "c"]])
        // A right that depends on the record selects the records.
        let own = "{ byBonus(office: 1, bonus: { ge: 1 }) { items { id } } }"
        for (token, id) in [("alice", "a"), ("bob", "b")] {
            let data = try await test.data(own, headers: Self.user(token))
            #expect(data.at("byBonus.items") == [["id": .string(id)]])
        }
    }

    @Test(arguments: TestServer.Kind.allCases) func membersAndGroupsOfRecordsCount(kind: TestServer.Kind) async throws {
        let test = try await Self.open(kind)
        let create = "mutation M($input: CreateTeamInput!) { createTeam(input: $input) { id boss } }"
        let made = try await test.data(
            create, ["input": ["id": "1", "members": ["bob", "sub-carol"], "groups": ["Staff"], "name": "n"]],
            headers: Self.user("alice"))
        #expect(made.text == #"{"createTeam":{"id":"1","boss":"alice@example.com"}}"#)
        for (token, sees) in [
            ("alice", true), ("bob", true), ("carol", true), ("dave", false), ("dave/Staff", true),
            ("dave/Other", false),
        ] {
            let data = try await test.data("{ listTeams { items { id } } }", headers: Self.user(token))
            #expect((data.at("listTeams.items")?.array?.isEmpty == false) == sees, "\(token)")
        }
        let another = try await test.send(
            create, ["input": ["boss": "bob@example.com", "groups": []]], headers: Self.user("alice"))
        #expect(another.at("errors.0.errorType") == "Unauthorized")
        let none = try await test.send(create, ["input": ["boss": nil]], headers: Self.user("alice"))
        #expect(none.at("errors.0.errorType") == "Unauthorized")
        let member = "mutation { updateTeam(input: { id: 1, name: \"m\", _version: 1 }) { name } }"
        #expect(try await test.data(member, headers: Self.user("bob")).at("updateTeam.name") == "m")
        let deletion = try await test.send(
            "mutation { deleteTeam(input: { id: 1, _version: 2 }) { id } }", headers: Self.user("bob"))
        #expect(deletion.at("errors.0.errorType") == "Unauthorized")
    }

    /// Some issuers write a list as text.
    @Test(arguments: [
        (#"["Admin","Editor"]"#, true), ("Editor", true), (#"["Admin"]"#, false), (#"["Editor""#, false), ("[]", false),
    ])
    func aClaimOfGroupsMayBeText(claim: String, isAllowed: Bool) async throws {
        let options = ServerOptions(
            apiKeys: ["key"],
            verify: { credentials in
                let roles = credentials.headers["authorization"] ?? ""
                return .verified(Identity(.userPools, claims: ["sub": "s", "roles": .string(roles)]))
            })
        let rule = "{ allow: groups, groups: [\"Editor\"], groupClaim: \"roles\" }"
        let test = try await TestServer.open(
            "type Post @model @auth(rules: [\(rule)]) { text: String }", options: options)
        let response = try await test.send("{ listPosts { items { id } } }", headers: Self.user(claim))
        #expect((response["errors"] == nil) == isAllowed)
    }

    @Test func guestsAreNotSignedIn() async throws {
        let options = ServerOptions(
            apiKeys: ["key"],
            verify: { credentials in
                return .verified(Identity(.iam, isGuest: credentials.headers["authorization"] == "guest"))
            })
        let rules = "{ allow: public, provider: iam, operations: [read] }, { allow: private, provider: iam }"
        let test = try await TestServer.open(
            "type Post @model @auth(rules: [\(rules)]) { text: String }", options: options)
        for (user, isSignedIn) in [("guest", false), ("alice", true)] {
            _ = try await test.data("{ listPosts { items { id } } }", headers: Self.user(user))
            let made = try await test.send(
                "mutation { createPost(input: { text: \"t\" }) { id } }", headers: Self.user(user))
            #expect((made["errors"] == nil) == isSignedIn, "\(user)")
        }
    }

    @Test func rulesOnRelationsCount() async throws {
        let test = try await Self.open()
        _ = try await test.data(
            """
            mutation {
              createPhoto(input: { id: "p", name: "n", albumPhotosId: "a" }) { id }
              createAlbum(input: { id: "a", albumCoverId: "p" }) { id owner cover { id } }
            }
            """, headers: Self.user("alice"))
        let query = "{ getAlbum(id: \"a\") { photos { items { name } } cover { name } } }"
        for (token, photos, cover) in [("alice", false, true), ("bob", false, false), ("carol/Admin", true, false)] {
            let response = try await test.send(query, headers: Self.user(token))
            #expect(response.at("data.getAlbum.photos.items.0.name") == (photos ? "n" : nil), "\(token)")
            #expect(response.at("data.getAlbum.cover.name") == (cover ? "n" : nil), "\(token)")
            #expect((response["errors"]?.array?.count ?? 0) == (photos ? 0 : 1) + (cover ? 0 : 1))
        }
    }

    @Test func modesDecide() async throws {
        let test = try await Self.open()
        _ = try await test.data(
            "mutation { createOpen(input: { id: 1, text: \"t\" }) { id } }", headers: Self.user("a"))
        let read = try await test.send("{ getOpen(id: 1) { text diaries { items { id } } } }")
        #expect(read["data"]?.text == #"{"getOpen":{"text":"t","diaries":null}}"#)
        #expect(read.at("errors.0.message") == "Not Authorized to access diaries on type Open")
        let written = try await test.send("mutation { createOpen(input: { text: \"t\" }) { id } }")
        #expect(written.at("errors.0.errorType") == "Unauthorized")
    }

    @Test func wholeRequestsAreRefusedWithAStatus() async throws {
        let test = try await Self.open()
        let query: WireValue = ["query": "{ listOpens { items { id } } }"]
        let cases: [([String: String], [UInt8], Int, String, String)] = [
            ([:], query.bytes, 401, "UnauthorizedException", "Valid authorization header not provided."),
            (
                ["x-api-key": "no"], query.bytes, 401, "UnauthorizedException",
                "You are not authorized to make this call."
            ),
            (["authorization": "bad"], query.bytes, 401, "UnauthorizedException", "Unable to parse JWT token."),
            (["x-api-key": "key"], [], 400, "MalformedHttpRequestException", "Request body is empty."),
            (
                ["x-api-key": "key"], Array("[]".utf8), 400, "MalformedHttpRequestException",
                "Unable to parse GraphQL query."
            ),
            (
                ["x-api-key": "key"], ((["query": "query A { __typename } query B { __typename }"] as WireValue).bytes),
                400,
                "BadRequestException", "Missing operation name."
            ),
            (
                ["x-api-key": "key"], ((["query": "subscription { onCreateOpen { id } }"] as WireValue).bytes), 400,
                "BadRequestException", "Subscriptions over MQTT is not supported."
            ),
        ]
        for (headers, body, status, type, message) in cases {
            let response = await test.server.respond(to: ServerRequest(headers: headers, body: body))
            #expect(response.status == status)
            #expect(response.headers["x-amzn-errortype"] == type)
            #expect(
                String(decoding: response.body, as: UTF8.self)
                    == #"{"errors":[{"errorType":"\#(type)","message":"\#(message)"}]}"#)
        }
        let named = await test.server.respond(
            to: ServerRequest(
                headers: ["x-api-key": "key"],
                body: ([
                    "query": "query A { __typename } query B { it: __typename }", "operationName": "B",
                    "variables": nil,
                ] as WireValue).bytes))
        #expect(String(decoding: named.body, as: UTF8.self) == #"{"data":{"it":"Query"}}"#)
        let unnamed = await test.server.respond(
            to: ServerRequest(
                headers: ["x-api-key": "key"],
                body: (["query": "query A { __typename }", "operationName": ""] as WireValue).bytes))
        #expect(String(decoding: unnamed.body, as: UTF8.self) == #"{"data":{"__typename":"Query"}}"#)
    }

    /// A variable of the environment that is not set can become an empty key.
    @Test func anEmptyKeyOpensNothing() async throws {
        let test = try await TestServer.open(Self.schema, options: ServerOptions(apiKeys: ["", "key"]))
        let query: WireValue = ["query": "{ listOpens { items { id } } }"]
        for (key, status) in [("", 401), ("key", 200)] {
            let response = await test.server.respond(
                to: ServerRequest(headers: ["x-api-key": key], body: query.bytes))
            #expect(response.status == status)
        }
    }

    /// What logs show of requests, options, and identities has no secrets in it.
    @Test func descriptionsHaveNoSecrets() {
        let secret = "do-not-show"
        let values: [Any] = [
            ServerRequest(headers: ["x-api-key": secret], body: Array(secret.utf8)), ServerOptions(apiKeys: [secret]),
            Identity(.userPools, claims: ["email": .string(secret)]), Credentials(headers: ["authorization": secret]),
        ]
        for value in values {
            #expect(!"\(value)".contains(secret))
            #expect(!String(reflecting: value).contains(secret))
        }
    }

    @Test func subscribersReceiveOnlyWhatTheyMayRead() async throws {
        let test = try await Self.open()
        let alice = try await TestClient.open(test, headers: Self.user("alice"))
        let admin = try await TestClient.open(test, headers: Self.user("carol/Admin"))
        let query = "subscription S($owner: String) { onCreateDiary(owner: $owner) { id owner secret } }"
        await alice.start("1", query, ["owner": "alice"], authorization: ["Authorization": "alice"])
        #expect(try await alice.next()["type"] == "start_ack")
        await alice.start("2", query, ["owner": "bob"], authorization: ["Authorization": "alice"])
        #expect(
            try await alice.next().text
                == #"{"type":"error","id":"2","payload":{"errors":[{"errorType":"Unauthorized","#
                + #""message":"Not Authorized to access onCreateDiary on type Subscription"}]}}"#)
        await alice.start("3", query, [:], authorization: ["x-api-key": "key"])
        #expect(try await alice.next().at("payload.errors.0.errorType") == "Unauthorized")
        await admin.start("1", query, [:], authorization: ["Authorization": "carol/Admin"])
        #expect(try await admin.next()["type"] == "start_ack")
        for name in ["bob", "alice"] {
            _ = try await test.data(
                "mutation { createDiary(input: { id: \"\(name)\", secret: \"s\" }) { id } }", headers: Self.user(name))
        }
        #expect(
            try await alice.next().at("payload.data")?.text
                == #"{"onCreateDiary":{"id":"alice","owner":"alice","secret":"s"}}"#)
        let first = try await admin.next()
        #expect(first["payload"]?.text == #"{"data":{"onCreateDiary":{"id":"bob","owner":"bob","secret":null}}}"#)
    }

    /// Clients name the user as the owner wherever there is a rule for owners.
    @Test func anOwnerArgumentHidesNothingThatOtherRulesShow() async throws {
        let test = try await Self.open(
            schema: """
                type Note @model @auth(rules: [{ allow: owner }, { allow: groups, groupsField: "teams" }]) {
                  text: String teams: [String]
                }
                type Page @model @auth(rules: [{ allow: owner }, { allow: private, operations: [read] }]) {
                  text: String teams: [String]
                }
                """)
        for (model, arguments) in [
            ("Note", ["owner: \"bob\"", "owner: null"]),
            ("Page", ["owner: \"bob\", filter: { text: { ne: \"none\" } }"]),
        ] {
            let client = try await TestClient.open(test, headers: Self.user("bob/g"))
            for (id, argument) in arguments.enumerated() {
                await client.start(
                    "\(id)", "subscription { onCreate\(model)(\(argument)) { text } }",
                    authorization: ["Authorization": "bob/g"])
                #expect(try await client.next()["type"] == "start_ack")
            }
            for (name, text) in [("alice", "of another"), ("bob", "last")] {
                _ = try await test.data(
                    "mutation { create\(model)(input: { text: \"\(text)\", teams: [\"g\"] }) { id } }",
                    headers: Self.user(name))
            }
            var texts: [WireValue] = []
            while texts.last != "last" {
                let event = try await client.next()
                texts.append(try #require(event.at("payload.data.onCreate\(model).text")))
            }
            let expected = [WireValue](repeating: "of another", count: arguments.count) + ["last"]
            #expect(texts == expected)
        }
    }

    /// Clients of AppSync drop an event that has errors.
    @Test func eventsHaveNoErrorsForWhatMayNotBeRead() async throws {
        let test = try await Self.open(
            schema: """
                type Shelf @model @auth(rules: [{ allow: public, operations: [read] }, { allow: private }]) {
                  text: String cases: [Case] @hasMany(indexName: "byShelf", fields: ["id"])
                }
                type Case @model @auth(rules: [{ allow: owner }]) {
                  title: String state: String @auth(rules: [{ allow: owner }, { allow: private, operations: [read] }])
                  shelfId: ID @index(name: "byShelf") shelf: Shelf @belongsTo(fields: ["shelfId"])
                }
                """)
        let client = try await TestClient.open(test)
        await client.start("1", "subscription { onCreateShelf { text cases { items { id } } } }")
        #expect(try await client.next()["type"] == "start_ack")
        await client.start(
            "2", "subscription { onCreateCase { id title state shelf { id } } }",
            authorization: ["Authorization": "bob"])
        #expect(try await client.next()["type"] == "start_ack")
        for (input, event) in [
            (
                "createShelf(input: { id: \"s\", text: \"t\" })",
                ["data": ["onCreateShelf": ["text": "t", "cases": nil]]]
            ),
            (
                "createCase(input: { id: \"c\", title: \"t\", state: \"open\", shelfId: \"s\" })",
                ["data": ["onCreateCase": ["id": "c", "title": nil, "state": "open", "shelf": nil]]]
            ),
        ] as [(String, WireValue)] {
            _ = try await test.data("mutation { \(input) { id } }", headers: Self.user("alice"))
            #expect(try await client.next()["payload"] == event)
        }
    }

    /// What belongs to a record that only another user may read can be read without it.
    @Test(arguments: TestServer.Kind.allCases)
    func aRequiredRelationToWhatMayNotBeReadHasItsKey(kind: TestServer.Kind) async throws {
        let test = try await Self.open(
            kind,
            schema: """
                type Post @model @auth(rules: [{ allow: owner }]) {
                  title: String! comments: [Comment] @hasMany(indexName: "byPost", fields: ["id"])
                }
                type Comment @model @auth(rules: [{ allow: private }]) {
                  text: String postId: ID! @index(name: "byPost") post: Post! @belongsTo(fields: ["postId"])
                }
                """)
        let client = try await TestClient.open(test, headers: Self.user("bob"))
        let selection = "{ id post { id __typename _deleted } }"
        await client.start(
            "1", "subscription { onCreateComment \(selection) }", authorization: ["Authorization": "bob"])
        #expect(try await client.next()["type"] == "start_ack")
        for input in [
            "createPost(input: { id: \"p\", title: \"t\" })", "createComment(input: { id: 1, postId: \"p\" })",
        ] {
            _ = try await test.data("mutation { \(input) { id } }", headers: Self.user("alice"))
        }
        let expected = #"{"id":"1","post":{"id":"p","__typename":"Post","_deleted":null}}"#
        #expect(try await client.next()["payload"]?.text == #"{"data":{"onCreateComment":\#(expected)}}"#)
        let page = try await test.data("{ syncComments { items \(selection) } }", headers: Self.user("bob"))
        #expect(page.at("syncComments.items")?.text == "[\(expected)]")
        // What else the other record must have cannot be shown.
        let response = try await test.send(
            "{ syncComments { items { id post { title } } } }", headers: Self.user("bob"))
        #expect(response.at("data.syncComments.items")?.text == "[null]")
        #expect(response["errors"]?.array?.count == 1)
    }

    /// A filter compares the name of an owner that events show, which is a part of the stored one.
    @Test func filtersOfSubscriptionsKnowOwnersAsClientsDo() async throws {
        let test = try await Self.open()
        let client = try await TestClient.open(test, headers: Self.user("carol/Admin"))
        let query =
            "subscription S($filter: ModelSubscriptionDiaryFilterInput) { onCreateDiary(filter: $filter) { id } }"
        for (id, filter) in [
            ("eq", ["owner": ["eq": "alice"]]), ("begins", ["or": [["owner": ["beginsWith": "al"]]]]),
            ("not", ["owner": ["ne": "bob"]]), ("stored", ["owner": ["eq": "sub-alice::alice"]]),
            ("all", ["owner": ["contains": "o", "eq": "alice"]]),
        ] as [(String, WireValue)] {
            await client.start(id, query, ["filter": filter], authorization: ["Authorization": "carol/Admin"])
            #expect(try await client.next()["type"] == "start_ack")
        }
        for name in ["bob", "alice"] {
            _ = try await test.data(
                "mutation { createDiary(input: { id: \"\(name)\" }) { id } }", headers: Self.user(name))
        }
        var events: [String] = []
        for _ in 0..<5 {
            let event = try await client.next()
            events.append("\(event["id"]?.string ?? "") \(event.at("payload.data.onCreateDiary.id")?.string ?? "")")
        }
        #expect(Set(events) == ["all bob", "eq alice", "begins alice", "not alice", "all alice"])
    }

    @Test func expiredTokensEndSubscriptions() async throws {
        let test = try await Self.open()
        let client = try await TestClient.open(test, headers: Self.user("late"))
        await client.start(
            "1", "subscription { onCreateOpen { id } }", authorization: ["Authorization": "late"])
        #expect(try await client.next()["type"] == "start_ack")
        await test.world.waitForSleeper()
        test.world.advance(.milliseconds(60_000))
        #expect(try await client.next()["type"] == "ka")
        #expect(try await client.next().at("payload.errors.0.message") == "Token has expired.")
        #expect(try await client.next().text == #"{"type":"complete","id":"1"}"#)
        let response = await test.server.respond(
            to: ServerRequest(headers: Self.user("late"), body: ((["query": "{ __typename }"] as WireValue).bytes)))
        #expect(response.status == 401)
    }

    /// What a function accepts has no end, so it is asked again.
    @Test(arguments: [true, false]) func subscriptionsEndWithTheAnswerOfAFunction(isOfConnection: Bool) async throws {
        let verification = Mutex(Verification.verified(Identity(.function)))
        let count = Mutex(0)
        let options = ServerOptions(verify: { _ in
            let answer = verification.load()
            count.increment()
            return answer
        })
        let schema = "type Open @model @auth(rules: [{ allow: custom }]) { id: ID! text: String }"
        let test = try await TestServer.open(schema, options: options)
        let client = try await TestClient.open(test, headers: Self.user("token"))
        await client.start(
            "1", "subscription { onCreateOpen { id } }",
            authorization: isOfConnection ? [:] : ["Authorization": "token"])
        #expect(try await client.next()["type"] == "start_ack")
        func passMinute() async throws {
            let before = count.load()
            await test.world.waitForSleeper()
            test.world.advance(.milliseconds(60_000))
            #expect(try await client.next()["type"] == "ka")
            // A keep-alive does not wait for the function.
            while count.load() == before { await Task.yield() }
        }
        try await passMinute()
        verification.store(.unavailable("It does not answer."))
        try await passMinute()
        verification.store(.refused("You are not authorized to make this call."))
        try await passMinute()
        #expect(try await client.next().at("payload.errors.0.errorType") == "UnauthorizedException")
        #expect(try await client.next().text == #"{"type":"complete","id":"1"}"#)
    }

    /// Its client connects again, and is shown what it may see now.
    @Test func aConnectionEndsWhenAFunctionAnswersOtherClaims() async throws {
        let verification = Mutex(Verification.verified(Identity(.function)))
        let schema = "type Open @model @auth(rules: [{ allow: custom }]) { id: ID! text: String }"
        let test = try await TestServer.open(schema, options: ServerOptions(verify: { _ in verification.load() }))
        let client = try await TestClient.open(test, headers: Self.user("token"))
        for id in ["1", "2"] {
            await client.start(
                id, "subscription { onCreateOpen { id } }", authorization: ["Authorization": "token"])
            #expect(try await client.next()["type"] == "start_ack")
        }
        verification.store(.verified(Identity(.function, deniedFields: ["Open.text"])))
        await test.world.waitForSleeper()
        test.world.advance(.milliseconds(60_000))
        #expect(try await client.next()["type"] == "ka")
        await client.connection.waitUntilClosed()
    }
}
