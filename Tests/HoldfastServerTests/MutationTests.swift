import HoldfastServer
import HoldfastStorage
import HoldfastTestSupport
import HoldfastWire
import Testing

@Suite struct MutationTests {
    static let schema = """
        type Post @model @auth(rules: [{ allow: public }]) {
          title: String!
          rating: Float
          status: Status @default(value: "DRAFT")
          tags: [String]
          meta: Meta
          metas: [Meta!]
          at: AWSDateTime
          json: AWSJSON
          stamp: AWSTimestamp
        }
        type Meta { name: String! size: Int inner: Inner }
        type Inner { flag: Boolean }
        enum Status { DRAFT OPEN }
        """
    static let all = """
        id title rating status tags meta { name size inner { flag } } metas { name } at json stamp createdAt updatedAt
        __typename _version _deleted _lastChangedAt
        """

    @Test(arguments: TestServer.Kind.allCases) func recordIsCreatedChangedAndDeleted(kind: TestServer.Kind) async throws
    {
        let test = try await TestServer.open(Self.schema, on: kind)
        let created = try await test.data(
            "mutation M($input: CreatePostInput!) { createPost(input: $input) { \(Self.all) } }",
            [
                "input": [
                    "id": "p", "title": "Hello", "rating": 4, "status": nil, "tags": ["a", nil, "b"],
                    "meta": ["name": "m", "size": 3, "inner": ["flag": true]], "metas": [["name": "x"]],
                    "at": "2024-02-29T08:30:00.50+02:00", "json": "{\"a\": 1}", "stamp": 12_345_678_901,
                    "createdAt": nil,
                ]
            ])
        #expect(
            created.text
                == #"{"createPost":{"id":"p","title":"Hello","rating":4.0,"status":"DRAFT","tags":["a",null,"b"],"#
                + #""meta":{"name":"m","size":3,"inner":{"flag":true}},"metas":[{"name":"x"}],"#
                + #""at":"2024-02-29T08:30:00.50+02:00","json":"{\"a\": 1}","stamp":12345678901,"#
                + #""createdAt":"2023-11-14T22:13:20.000Z","updatedAt":"2023-11-14T22:13:20.000Z","#
                + #""__typename":"Post","_version":1,"_deleted":null,"_lastChangedAt":1700000000000}}"#)
        test.world.advance(.milliseconds(1_000))
        let updated = try await test.data(
            "mutation M($input: UpdatePostInput!) { updatePost(input: $input) { \(Self.all) } }",
            ["input": ["id": "p", "title": "Bye", "tags": nil, "_version": 1]])
        #expect(updated.at("updatePost.title") == "Bye")
        #expect(updated.at("updatePost.tags") == .null)
        #expect(updated.at("updatePost.rating") == .number(JSONNumber(4.0)!))
        #expect(updated.at("updatePost._version") == 2)
        #expect(updated.at("updatePost.updatedAt") == "2023-11-14T22:13:21.000Z")
        #expect(updated.at("updatePost.createdAt") == "2023-11-14T22:13:20.000Z")
        let deleted = try await test.data(
            "mutation { deletePost(input: { id: \"p\", _version: 2 }) { id title _version _deleted } }")
        #expect(deleted.text == #"{"deletePost":{"id":"p","title":"Bye","_version":3,"_deleted":true}}"#)
        let read = try await test.data("{ getPost(id: \"p\") { id _deleted } other: getPost(id: \"q\") { id } }")
        #expect(read.text == #"{"getPost":{"id":"p","_deleted":true},"other":null}"#)
        try await test.server.close()
    }

    @Test func identifiersAreMadeWhereNoneIsGiven() async throws {
        let test = try await TestServer.open(Self.schema)
        let made = try await test.data("mutation { createPost(input: { title: \"t\", status: OPEN }) { id } }")
        let id = try #require(made.at("createPost.id")?.string)
        #expect(id.utf8.count == 36)
        #expect(Array(id.utf8)[14] == UInt8(ascii: "4"))
    }

    /// The API has such a key as an ID where it reads and deletes.
    @Test(arguments: [("Int", "42"), ("Float", "1.5"), ("AWSTimestamp", "1709195400")])
    func identifiersMayBeOfOtherScalars(type: String, id: String) async throws {
        let test = try await TestServer.open(
            "type Counter @model @auth(rules: [{ allow: public }]) { id: \(type)! n: Int }")
        _ = try await test.data("mutation { createCounter(input: { id: \(id), n: 1 }) { id } }")
        let read = try await test.data("{ getCounter(id: \"\(id)\") { id n } }")
        #expect(read.text == #"{"getCounter":{"id":\#(id),"n":1}}"#)
        let deleted = try await test.data(
            "mutation { deleteCounter(input: { id: \"\(id)\", _version: 1 }) { id _deleted } }")
        #expect(deleted.text == #"{"deleteCounter":{"id":\#(id),"_deleted":true}}"#)
        let refused = try await test.send("{ getCounter(id: \"x\") { id } }")
        #expect(refused["data"] == ["getCounter": nil])
        let message = refused.at("errors.0.message")?.string
        #expect(message?.hasPrefix("Variable 'id' has an invalid value: expected a") == true, "\(message ?? "")")
    }

    @Test func conflictAnswersWithTheStoredRecord() async throws {
        let test = try await TestServer.open(
            Self.schema, options: ServerOptions(apiKeys: ["key"], strategy: .optimisticConcurrency))
        _ = try await test.data("mutation { createPost(input: { id: 1, title: \"a\" }) { id } }")
        let response = try await test.send(
            "mutation {\n  updatePost(input: { id: 1, title: \"b\" }) { id title __typename _version _lastChangedAt _deleted }\n}"
        )
        #expect(
            response.text
                == #"{"data":{"updatePost":null},"errors":[{"path":["updatePost"],"data":{"id":"1","title":"a","#
                + #""__typename":"Post","_version":1,"_lastChangedAt":1700000000000,"_deleted":null},"#
                + #""errorType":"ConflictUnhandled","errorInfo":null,"#
                + #""locations":[{"line":2,"column":3,"sourceName":null}],"#
                + #""message":"Conflict resolver rejects mutation."}]}"#)
    }

    /// As null, the relation would be lost to a client that takes the record.
    @Test func conflictKeepsTheKeyOfAParentThatIsGone() async throws {
        let schema = """
            type Post @model @auth(rules: [{ allow: public }]) {
              title: String! comments: [Comment] @hasMany(indexName: "byPost", fields: ["id"])
            }
            type Comment @model @auth(rules: [{ allow: public }]) {
              text: String postId: ID @index(name: "byPost") post: Post @belongsTo(fields: ["postId"])
            }
            """
        let test = try await TestServer.open(
            schema, options: ServerOptions(apiKeys: ["key"], strategy: .optimisticConcurrency))
        _ = try await test.data("mutation { createComment(input: { id: 1, postId: \"gone\" }) { id } }")
        let response = try await test.send(
            "mutation { updateComment(input: { id: 1, text: \"b\" }) { id post { id title _deleted } } }")
        #expect(response.at("errors.0.errorType") == "ConflictUnhandled")
        #expect(response.at("errors.0.data") == ["id": "1", "post": ["id": "gone", "_deleted": true]])
        #expect(response["errors"]?.array?.count == 1)
    }

    /// The first record is made with the key that the second will have.
    @Test func recordsThatRequireEachOtherAreMadeInTurn() async throws {
        let schema = """
            type Ship @model @auth(rules: [{ allow: public }]) { name: String bell: Bell! @hasOne }
            type Bell @model @auth(rules: [{ allow: public }]) { weight: Int ship: Ship! @belongsTo }
            """
        let test = try await TestServer.open(schema)
        _ = try await test.data("mutation { createShip(input: { id: 1, shipBellId: 2 }) { id } }")
        _ = try await test.data("mutation { createBell(input: { id: 2, bellShipId: 1 }) { id } }")
        let data = try await test.data("{ getShip(id: 1) { bell { id ship { id } } } }")
        #expect(data.text == #"{"getShip":{"bell":{"id":"2","ship":{"id":"1"}}}}"#)
    }

    /// No client could read a record without them.
    @Test(arguments: [ConflictStrategy.optimisticConcurrency, .automerge, .handler])
    func requiredValuesCannotBeTakenAway(strategy: ConflictStrategy) async throws {
        let schema = """
            type Ship @model @auth(rules: [{ allow: public }]) { name: String! bell: Bell! @hasOne }
            type Bell @model @auth(rules: [{ allow: public }]) { weight: Int ship: Ship! @belongsTo }
            """
        let test = try await TestServer.open(
            schema, options: ServerOptions(apiKeys: ["key"], strategy: strategy, handler: { .resolve($0.newItem) }))
        _ = try await test.data("mutation { createShip(input: { id: 1, name: \"a\", shipBellId: 2 }) { id } }")
        _ = try await test.data("mutation { createBell(input: { id: 2, bellShipId: 1 }) { id } }")
        for mutation in [
            "updateShip(input: { id: 1, name: null, _version: 1 })",
            "updateShip(input: { id: 1, shipBellId: null, _version: 1 })",
            "updateBell(input: { id: 2, bellShipId: null, _version: 1 })",
            "createBell(input: { id: 3, bellShipId: null })", "createBell(input: { id: 3 })",
        ] {
            let response = try await test.send("mutation { it: \(mutation) { id } }")
            #expect(response.at("data.it") == .null)
            #expect(response.at("errors.0.errorType") == "BadRequest")
            #expect(response["errors"]?.array?.count == 1)
        }
        let data = try await test.data("{ getShip(id: 1) { name bell { id ship { id } } } getBell(id: 3) { id } }")
        #expect(data.text == #"{"getShip":{"name":"a","bell":{"id":"2","ship":{"id":"1"}}},"getBell":null}"#)
        guard strategy == .automerge else { return }
        // A client of an earlier schema sends the whole record, of a version before the value was there.
        _ = try await test.data("mutation { updateShip(input: { id: 1, name: \"b\", _version: 1 }) { id } }")
        let merged = try await test.data("mutation { updateShip(input: { id: 1, name: null, _version: 1 }) { name } }")
        #expect(merged.text == #"{"updateShip":{"name":"b"}}"#)
    }

    /// A record that fits no page would end the synchronization of its model.
    ///
    /// It can still become smaller, and be deleted.
    @Test func recordsGrowOnlyToTheirLimit() async throws {
        let test = try await TestServer.open(
            Self.schema,
            options: ServerOptions(apiKeys: ["key"], strategy: .automerge, limits: ServerLimits(recordByteCount: 1_000))
        )
        func mutate(_ field: String) async throws -> WireValue {
            try await test.send("mutation { it: \(field) { id _version } }")
        }
        let tag = String(repeating: "x", count: 200)
        _ = try await mutate("createPost(input: { id: 1, title: \"\", tags: [\"\(tag)\"] })")
        var version: Int64 = 1
        while version < 10 {
            let answer = try await mutate("updatePost(input: { id: 1, tags: [\"\(tag)\"] })")
            if answer["errors"] != nil {
                #expect(answer.at("errors.0.errorType") == "BadRequest")
                break
            }
            version = answer.at("data.it._version")?.integer ?? .max
        }
        #expect((2...5).contains(version))
        let smaller = "updatePost(input: { id: 1, tags: [], _version: \(version) })"
        #expect(try await mutate(smaller).at("data.it._version") == .integer(version + 1))
        let title = String(repeating: "x", count: 1_000)
        #expect(
            try await mutate("createPost(input: { id: 2, title: \"\(title)\" })").at("errors.0.errorType")
                == "BadRequest")
        #expect(try await mutate("deletePost(input: { id: 1, _version: \(version + 1) })")["errors"] == nil)
    }

    @Test func failedConditionsHaveTheExactType() async throws {
        let test = try await TestServer.open(Self.schema)
        _ = try await test.data("mutation { createPost(input: { id: 1, title: \"a\" }) { id } }")
        for mutation in [
            "createPost(input: { id: 1, title: \"b\" })",
            "updatePost(input: { id: 1, title: \"b\", _version: 1 }, condition: { title: { eq: \"x\" } })",
            "deletePost(input: { id: 1, _version: 1 }, condition: { title: { beginsWith: \"x\" } })",
            "updatePost(input: { id: 2, title: \"b\", _version: 1 })",
        ] {
            let response = try await test.send("mutation { it: \(mutation) { id } }")
            #expect(response.at("data.it") == .null)
            #expect(response.at("errors.0.errorType") == "ConditionalCheckFailedException")
            #expect(response["errors"]?.array?.count == 1)
        }
        let stored = try await test.data("{ getPost(id: \"1\") { title _version } }")
        #expect(stored.text == #"{"getPost":{"title":"a","_version":1}}"#)
    }

    @Test func handlerDecidesConflicts() async throws {
        let options = ServerOptions(
            apiKeys: ["key"], strategy: .handler,
            handler: { conflict in
                if conflict.field == "deletePost" { return .remove }
                guard conflict.newItem["title"] != "reject" else { return .reject }
                var item = conflict.existingItem
                item["title"] = .string((item["title"]?.string ?? "") + "+" + (conflict.newItem["title"]?.string ?? ""))
                item["_version"] = 99
                item["id"] = "other"
                item["createdAt"] = .null
                return .resolve(item)
            })
        let test = try await TestServer.open(Self.schema, options: options)
        _ = try await test.data("mutation { createPost(input: { id: 1, title: \"a\" }) { id } }")
        let merged = try await test.data(
            "mutation { updatePost(input: { id: 1, title: \"b\" }) { id title createdAt _version } }")
        #expect(
            merged.text
                == #"{"updatePost":{"id":"1","title":"a+b","createdAt":"2023-11-14T22:13:20.000Z","_version":2}}"#)
        let rejected = try await test.send("mutation { updatePost(input: { id: 1, title: \"reject\" }) { title } }")
        #expect(rejected.at("errors.0.errorType") == "ConflictUnhandled")
        #expect(rejected.at("errors.0.data.title") == "a+b")
        let removed = try await test.data("mutation { deletePost(input: { id: 1 }) { _version _deleted } }")
        #expect(removed.text == #"{"deletePost":{"_version":3,"_deleted":true}}"#)
    }

    /// A record of which a part cannot be shown could not be read by anyone.
    @Test(arguments: [#"{ "size": "large" }"#, #""text""#, "1"])
    func handlerThatMakesAnotherTypeIsRefused(meta: String) async throws {
        let value = try WireValue(parsing: Array(meta.utf8))
        let options = ServerOptions(
            apiKeys: ["key"], strategy: .handler,
            handler: { conflict in
                var item = conflict.existingItem
                item["meta"] = value
                return .resolve(item)
            })
        let test = try await TestServer.open(Self.schema, options: options)
        _ = try await test.data(
            #"mutation { createPost(input: { id: 1, title: "a", meta: { name: "m", size: 1 } }) { id } }"#)
        let refused = try await test.send("mutation { updatePost(input: { id: 1, title: \"b\" }) { title } }")
        #expect(refused.at("errors.0.errorType") == "ConflictError")
        let kept = try await test.data("{ getPost(id: 1) { title meta { name size } _version } }")
        #expect(kept.text == #"{"getPost":{"title":"a","meta":{"name":"m","size":1},"_version":1}}"#)
    }

    @Test func handlerThatTakesARequiredValueAwayIsRefused() async throws {
        let options = ServerOptions(
            apiKeys: ["key"], strategy: .handler,
            handler: { conflict in
                var item = conflict.existingItem
                item["title"] = .null
                return .resolve(item)
            })
        let test = try await TestServer.open(Self.schema, options: options)
        _ = try await test.data("mutation { createPost(input: { id: 1, title: \"a\" }) { id } }")
        let refused = try await test.send("mutation { updatePost(input: { id: 1, rating: 1 }) { id } }")
        #expect(refused.at("errors.0.errorType") == "ConflictError")
        let kept = try await test.data("{ getPost(id: 1) { title _version } }")
        #expect(kept.text == #"{"getPost":{"title":"a","_version":1}}"#)
    }

    @Test func handlerThatAcceptsAChangeRemovesWhatItRemoves() async throws {
        let options = ServerOptions(
            apiKeys: ["key"], strategy: .handler, handler: { conflict in .resolve(conflict.newItem) })
        let test = try await TestServer.open(Self.schema, options: options)
        _ = try await test.data(
            #"mutation { createPost(input: { id: 1, title: "a", rating: 2, meta: { name: "m" }, json: "1" }) { id } }"#)
        let update = "updatePost(input: { id: 1, rating: null, meta: null }) { title rating meta { name } json }"
        #expect(
            try await test.data("mutation { \(update) }").text
                == #"{"updatePost":{"title":"a","rating":null,"meta":null,"json":"1"}}"#)
    }

    /// A function that speaks JSON decides, as one that is called over HTTP does.
    @Test func functionDecidesByJSON() async throws {
        let options = ServerOptions(
            apiKeys: ["key"], strategies: ["Post": .handler],
            handler: { conflict in
                let request = try WireValue(parsing: conflict.json.bytes)
                guard request.at("arguments.input.title") != "odd" else {
                    throw WireError(.mismatch, "an action that the function does not know")
                }
                let answer: WireValue = [
                    "action": "RESOLVE",
                    "item": [
                        "title": .string(
                            [
                                request.at("resolver.field"), request.at("existingItem.title"),
                                request.at("newItem.title"),
                            ].map { $0?.string ?? "" }.joined(separator: " ")),
                        "meta": ["name": request.at("newItem._version")?.number.map { .string($0.text) } ?? .null],
                    ],
                ]
                return ConflictResolution(answer) ?? .reject
            })
        let test = try await TestServer.open(Self.schema, options: options)
        _ = try await test.data("mutation { createPost(input: { id: 1, title: \"a\", rating: 2 }) { id } }")
        let merged = try await test.data(
            "mutation { updatePost(input: { id: 1, title: \"b\" }) { title rating meta { name } _version } }")
        #expect(
            merged.text
                == #"{"updatePost":{"title":"updatePost a b","rating":2.0,"meta":{"name":"2"},"_version":2}}"#)
        let failed = try await test.send("mutation { updatePost(input: { id: 1, title: \"odd\" }) { title } }")
        #expect(failed.at("errors.0.errorType") == "ConflictError")
        #expect(ConflictResolution(["action": "WHAT"]) == nil)
        #expect(ConflictResolution(["action": "RESOLVE"]) == nil)
    }

    /// However many wait for one record, one of them is written each time.
    @Test(arguments: TestServer.Kind.allCases) func concurrentUpdatesLoseNothing(kind: TestServer.Kind) async throws {
        let test = try await TestServer.open(Self.schema, on: kind)
        _ = try await test.data("mutation { createPost(input: { id: 1, title: \"a\", tags: [] }) { id } }")
        let count = 60
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    _ = try await test.data("mutation { updatePost(input: { id: 1, tags: [\"\(number)\"] }) { id } }")
                }
            }
            try await group.waitForAll()
        }
        let stored = try await test.data("{ getPost(id: \"1\") { tags _version } }")
        #expect(stored.at("getPost._version") == .integer(Int64(count + 1)))
        #expect(Set(stored.at("getPost.tags")?.array ?? []).count == count)
    }

    /// A record that changes before every commit makes the mutation give up.
    @Test func mutationGivesUpAfterTooManyConflicts() async throws {
        let adapter = RefusingAdapter()
        let test = try await TestServer.open(Self.schema, adapter: adapter)
        _ = try await test.data("mutation { createPost(input: { id: 1, title: \"a\" }) { id } }")
        let update = "mutation { updatePost(input: { id: 1, title: \"b\", _version: 1 }) { title _version } }"
        adapter.refuse(16)
        let response = try await test.send(update)
        #expect(response.at("errors.0.errorType") == "MaxConflicts")
        adapter.refuse(15)
        #expect(try await test.data(update).text == #"{"updatePost":{"title":"b","_version":2}}"#)
    }

    /// What a document selects is kept after its first request, unless it depends on the request.
    @Test func oneDocumentSelectsWhatEachRequestAsksFor() async throws {
        let test = try await TestServer.open(Self.schema)
        let update = """
            mutation A($input: CreatePostInput!, $full: Boolean!) {
              post: createPost(input: $input) { id ...Part }
            }
            fragment Part on Post { title rating @include(if: $full) }
            """
        for (number, isFull) in [true, false, true].enumerated() {
            let input: WireValue = ["id": .string("\(number)"), "title": "a", "rating": 2]
            let data = try await test.data(update, ["input": input, "full": .boolean(isFull)])
            let rating = isFull ? #","rating":2.0"# : ""
            #expect(data["post"]?.text == #"{"id":"\#(number)","title":"a"\#(rating)}"#)
        }
        let two = """
            mutation A($input: CreatePostInput!) { post: createPost(input: $input) { id } }
            mutation B($input: CreatePostInput!) { post: createPost(input: $input) { title } }
            """
        for (name, text) in [("A", #"{"post":{"id":"x"}}"#), ("B", #"{"post":{"title":"b"}}"#)] {
            let input: WireValue = ["id": .string(name == "A" ? "x" : "y"), "title": "b"]
            let body: WireValue = [
                "query": .string(two), "variables": ["input": input], "operationName": .string(name),
            ]
            let response = await test.server.respond(to: ServerRequest(headers: ["x-api-key": "key"], body: body.bytes))
            #expect(try WireValue(parsing: response.body)["data"]?.text == text)
        }
    }

    /// Apps with the original libraries discard a change for an error with status 200, and send it again after 503.
    @Test(arguments: [StorageError.Kind.busy, .connectionLost, .full, .readOnly, .io])
    func aStoreThatFailsForNowIsUnavailable(kind: StorageError.Kind) async throws {
        let adapter = RefusingAdapter()
        let test = try await TestServer.open(Self.schema, adapter: adapter)
        func create(_ id: Int) -> String { "m\(id): createPost(input: { id: \(id), title: \"a\" }) { id }" }
        adapter.refuse(1, with: kind)
        let response = try await test.send("mutation { \(create(1)) }", status: kind == .io ? 200 : 503)
        #expect(response["data"] == ["m1": nil])
        #expect(response.at("errors.0.path") == ["m1"])
        #expect(response.at("errors.0.errorType") == "InternalFailure")
        // What one field has done must not be done again.
        adapter.refuse(1, with: kind)
        let partial = try await test.send("mutation { \(create(2)) \(create(3)) }")
        #expect(partial["data"] == ["m2": nil, "m3": ["id": "3"]])
        #expect(partial["errors"]?.array?.count == 1)
    }

    /// What the record of an answer leads to cannot be read: the record was written.
    @Test func aMutationThatWasCarriedOutIsNotUnavailable() async throws {
        let isOpen = Mutex(false)
        let fails = Mutex(false)
        let adapter = InterceptedAdapter(
            TestServer.Kind.memory.make(),
            afterCommit: { _, _ in fails.store(isOpen.load()) },
            beforeGet: { () async throws(StorageError) in
                if fails.load() { throw StorageError(.busy, "The read was refused.") }
            },
            beforeSnapshot: { () async throws(StorageError) in
                if fails.load() { throw StorageError(.busy, "The snapshot was not opened.") }
            })
        let schema = """
            type Post @model @auth(rules: [{ allow: public }]) { blog: Blog @belongsTo }
            type Blog @model @auth(rules: [{ allow: public }]) { posts: [Post] @hasMany }
            """
        let test = try await TestServer.open(schema, adapter: adapter)
        isOpen.store(true)
        let create = "mutation { createPost(input: { id: 1, blogPostsId: 7 }) { id blog { id _version } } }"
        #expect(try await test.send(create).at("errors.0.errorType") == "InternalFailure")
        fails.store(false)
        #expect(try await test.data("{ getPost(id: 1) { id } }").at("getPost.id") == "1")
    }

    /// A commit whose outcome is unknown ends the connections, which resync.
    @Test func unknownOutcomeEndsConnections() async throws {
        let adapter = RefusingAdapter()
        let test = try await TestServer.open(Self.schema, adapter: adapter)
        let client = try await TestClient.open(test)
        await client.start("1", "subscription { onCreatePost { id } }")
        _ = try await client.next()
        adapter.loseNextAnswer()
        let response = try await test.send(
            "mutation { createPost(input: { id: 1, title: \"a\" }) { id } }", status: 503)
        #expect(response.at("errors.0.errorType") == "InternalFailure")
        #expect(await client.connection.next() == nil)
        #expect(try await test.data("{ getPost(id: 1) { title } }").at("getPost.title") == "a")
    }
}
