import HoldfastInMemory
import HoldfastSQLite
import HoldfastServer
import HoldfastStorage
import HoldfastTestSupport
import HoldfastWire
import Testing

@Suite struct RealtimeTests {
    static let schema = """
        type Post @model @auth(rules: [{ allow: public }]) {
          title: String! rating: Int tags: [String] blog: Blog @belongsTo
        }
        type Blog @model @auth(rules: [{ allow: public }]) { name: String posts: [Post] @hasMany }
        """

    @Test(arguments: TestServer.Kind.allCases) func clientReceivesWhatItSubscribedTo(kind: TestServer.Kind) async throws
    {
        let test = try await TestServer.open(Self.schema, on: kind)
        let client = try await TestClient.open(test)
        await client.start("1", "subscription S { onCreatePost { __typename id title blog { name } _version } }")
        #expect(try await client.next().text == #"{"type":"start_ack","id":"1"}"#)
        await client.start("2", "subscription { it: onUpdatePost { id title } }")
        #expect(try await client.next().text == #"{"type":"start_ack","id":"2"}"#)
        _ = try await test.data("mutation { createBlog(input: { id: 7, name: \"B\" }) { id } }")
        _ = try await test.data(
            "mutation { createPost(input: { id: 1, title: \"a\", blogPostsId: 7 }) { id } }")
        #expect(
            try await client.next().text
                == #"{"type":"data","id":"1","payload":{"data":{"onCreatePost":{"__typename":"Post","id":"1","#
                + #""title":"a","blog":{"name":"B"},"_version":1}}}}"#)
        _ = try await test.data("mutation { updatePost(input: { id: 1, title: \"b\", _version: 1 }) { id } }")
        #expect(
            try await client.next().text
                == #"{"type":"data","id":"2","payload":{"data":{"it":{"id":"1","title":"b"}}}}"#)
        // A mutation that fails has no event; after the end of a subscription nothing comes.
        _ = try await test.send("mutation { createPost(input: { id: 1, title: \"c\" }) { id } }")
        await client.send(["type": "stop", "id": "2"])
        #expect(try await client.next().text == #"{"type":"complete","id":"2"}"#)
        _ = try await test.data("mutation { updatePost(input: { id: 1, title: \"d\", _version: 2 }) { id } }")
        _ = try await test.data("mutation { createPost(input: { id: 2, title: \"e\" }) { id } }")
        #expect(try await client.next().at("payload.data.onCreatePost.title") == "e")
        await client.connection.close()
        #expect(await client.connection.next() == nil)
    }

    /// Other processes see no more than the record.
    @Test func aDeletionOfWhichAFunctionKeepsTheRecordIsAnUpdate() async throws {
        let options = ServerOptions(
            apiKeys: ["key"], strategy: .handler, handler: { .resolve($0.existingItem) })
        let test = try await TestServer.open(Self.schema, options: options)
        _ = try await test.data("mutation { createPost(input: { id: 1, title: \"a\" }) { id } }")
        let client = try await TestClient.open(test)
        await client.start("1", "subscription { onDeletePost { id } }")
        await client.start("2", "subscription { onUpdatePost { id _version _deleted } }")
        for _ in 0..<2 { _ = try await client.next() }
        let kept = try await test.data("mutation { deletePost(input: { id: 1, _version: 9 }) { _version _deleted } }")
        #expect(kept.text == #"{"deletePost":{"_version":2,"_deleted":null}}"#)
        let event = try await client.next()
        #expect(event.at("payload.data") == ["onUpdatePost": ["id": "1", "_version": 2, "_deleted": nil]])
        await client.connection.close()
    }

    /// Without a change feed, no task has to run between a commit and the frames of its events: with a thousand
    /// subscribers that would take long.
    @Test func eventsAreAmongTheFramesWhenTheMutationIsAnswered() async throws {
        let adapter = SQLiteAdapter(SQLiteConfiguration(.temporary, changeLogCommitCount: 0))
        let test = try await TestServer.open(Self.schema, adapter: adapter)
        var clients: [TestClient] = []
        for selection in ["id", "id", "id title rating"] {
            let client = try await TestClient.open(test)
            await client.start("1", "subscription { onCreatePost { \(selection) } }")
            #expect(try await client.next().text == #"{"type":"start_ack","id":"1"}"#)
            clients.append(client)
        }
        _ = try await test.data("mutation { createPost(input: { id: 1, title: \"a\" }) { id } }")
        for client in clients {
            guard case .element(let frame) = client.connection.takeFrame() else {
                Issue.record("The event is not there.")
                continue
            }
            #expect(try WireValue(parsing: frame).at("payload.data.onCreatePost.id") == "1")
        }
        await clients[0].connection.close()
        guard case .end = clients[0].connection.takeFrame() else {
            Issue.record("The connection has not ended.")
            return
        }
    }

    /// Subscriptions that select the same share the payload; nearly the same is not the same.
    @Test func eachSubscriberReceivesWhatItSelects() async throws {
        let test = try await TestServer.open(Self.schema)
        let subscriptions = [
            ("onCreatePost { id title }", #""onCreatePost":{"id":"1","title":"a"}"#),
            ("onCreatePost { id title }", #""onCreatePost":{"id":"1","title":"a"}"#),
            ("onCreatePost { title id }", #""onCreatePost":{"title":"a","id":"1"}"#),
            ("it: onCreatePost { id title }", #""it":{"id":"1","title":"a"}"#),
            ("onCreatePost { id title: rating }", #""onCreatePost":{"id":"1","title":5}"#),
            ("onCreatePost { id title __typename }", #""onCreatePost":{"id":"1","title":"a","__typename":"Post"}"#),
            ("onCreatePost { id title blog { id } }", #""onCreatePost":{"id":"1","title":"a","blog":null}"#),
        ]
        var clients: [TestClient] = []
        for (index, subscription) in subscriptions.enumerated() {
            let client = try await TestClient.open(test)
            await client.start("s\(index)", "subscription { \(subscription.0) }")
            #expect(try await client.next()["type"] == "start_ack")
            clients.append(client)
        }
        _ = try await test.data("mutation { createPost(input: { id: 1, title: \"a\", rating: 5 }) { id } }")
        for (index, client) in clients.enumerated() {
            let data = subscriptions[index].1
            #expect(
                try await client.next().text
                    == #"{"type":"data","id":"s\#(index)","payload":{"data":{\#(data)}}}"#)
        }
    }

    @Test func faultsHaveTheFormOfTheService() async throws {
        let test = try await TestServer.open(
            Self.schema, options: ServerOptions(apiKeys: ["key"], limits: ServerLimits(subscriptions: 2)))
        let refused = TestClient(connection: await test.server.connect(with: Credentials(headers: ["x-api-key": "no"])))
        #expect(
            try await refused.next().text
                == #"{"type":"connection_error","payload":{"errors":[{"errorType":"UnauthorizedException","#
                + #""message":"You are not authorized to make this call.","errorCode":401}]}}"#)
        await refused.send(["type": "connection_init"])
        #expect(await refused.connection.next() == nil)

        let early = TestClient(connection: await test.server.connect(with: Credentials(headers: ["x-api-key": "key"])))
        await early.start("1", "subscription { onCreatePost { id } }")
        #expect(try await early.next().at("payload.errors.0.errorType") == "UnsupportedOperation")

        let client = try await TestClient.open(test)
        let unsupported =
            #""payload":{"errors":[{"errorType":"UnsupportedOperation","#
            + #""message":"unknown not supported through the realtime channel"}]}}"#
        await client.send(["type": "what"])
        #expect(try await client.next().text == #"{"type":"error","# + unsupported)
        await client.send(["type": "start", "id": "x", "payload": [:]])
        #expect(try await client.next().text == #"{"type":"error","id":"x","# + unsupported)
        await client.start("q", "query { listPosts { items { id } } }")
        #expect(
            try await client.next().at("payload.errors.0.message") == "query not supported through the realtime channel"
        )
        await client.start("v", "subscription { onCreatePost { what } }")
        #expect(
            try await client.next().at("payload.errors.0.message")?.string?.hasPrefix(
                "Validation error of type FieldUndefined") == true)
        await client.start("k", "subscription { onCreatePost { id } }", authorization: ["x-api-key": "other"])
        #expect(try await client.next().at("payload.errors.0.errorType") == "UnauthorizedException")
        for id in ["1", "2"] {
            await client.start(id, "subscription { onCreatePost { id } }")
            #expect(try await client.next()["type"] == "start_ack")
        }
        await client.start("1", "subscription { onCreatePost { id } }")
        #expect(try await client.next().at("payload.errors.0.errorType") == "DuplicatedOperationError")
        await client.start("3", "subscription { onCreatePost { id } }")
        #expect(
            try await client.next().text
                == #"{"type":"error","id":"3","payload":{"errors":{"errorType":"MaxSubscriptionsReachedError","#
                + #""message":"Max number of 2 subscriptions reached"}}}"#)
    }

    @Test func keepAlivesComeEveryMinute() async throws {
        let test = try await TestServer.open(Self.schema)
        let client = try await TestClient.open(test)
        for _ in 0..<3 {
            await test.world.waitForSleeper()
            test.world.advance(.milliseconds(60_000))
            #expect(try await client.next().text == #"{"type":"ka"}"#)
        }
        await test.world.waitForSleeper()
        test.world.advance(.milliseconds(86_400_000))
        #expect(await client.connection.next() == nil)
    }

    /// Many devices connect in the minute after a deployment; they must not all come back in the same minute.
    @Test func connectionsEndAtDifferentTimes() async throws {
        let test = try await TestServer.open(Self.schema)
        var earlyCount = 0
        for _ in 0..<20 {
            let client = try await TestClient.open(test)
            await test.world.waitForSleeper(of: .seconds(60))
            test.world.advance(.seconds(20 * 3_600))
            #expect(try await client.next().text == #"{"type":"ka"}"#)
            await test.world.waitForSleeper(of: .seconds(60))
            test.world.advance(.seconds(2 * 3_600))
            if await client.connection.next() == nil {
                earlyCount += 1
                continue
            }
            await test.world.waitForSleeper(of: .seconds(60))
            test.world.advance(.seconds(2 * 3_600))
            #expect(await client.connection.next() == nil)
        }
        #expect((1..<20).contains(earlyCount))
    }

    @Test func aConversationThatDoesNotBeginEnds() async throws {
        let test = try await TestServer.open(Self.schema)
        let credentials = Credentials(headers: ["x-api-key": "key"])
        let client = TestClient(connection: await test.server.connect(with: credentials))
        await client.send(["type": "what"])
        #expect(try await client.next()["type"] == "error")
        await test.world.waitForSleeper()
        test.world.advance(.seconds(60))
        #expect(await client.connection.next() == nil)
    }

    @Test func slowClientIsCutOff() async throws {
        let test = try await TestServer.open(
            Self.schema, options: ServerOptions(apiKeys: ["key"], limits: ServerLimits(unsentByteCount: 2_000)))
        let client = try await TestClient.open(test)
        await client.start("1", "subscription { onCreatePost { id title } }")
        #expect(try await client.next()["type"] == "start_ack")
        let other = try await TestClient.open(test)
        await other.start("1", "subscription { onCreatePost { id } }")
        _ = try await other.next()
        var received = 0
        for index in 0..<60 {
            _ = try await test.data("mutation { createPost(input: { id: \(index), title: \"a long title\" }) { id } }")
            if try await other.next()["type"] == "data" { received += 1 }
        }
        #expect(received == 60)
        var count = 0
        while await client.connection.next() != nil { count += 1 }
        #expect(count < 60)
    }

    /// Its client would be cut off again after each reconnection although it reads.
    @Test func clientThatReadsReceivesARecordOfAnySize() async throws {
        let test = try await TestServer.open(
            Self.schema, options: ServerOptions(apiKeys: ["key"], limits: ServerLimits(unsentByteCount: 2_000)))
        let client = try await TestClient.open(test)
        await client.start("1", "subscription { onCreatePost { id title } }")
        #expect(try await client.next()["type"] == "start_ack")
        let title = String(repeating: "long ", count: 1_000)
        for id in ["1", "2"] {
            _ = try await test.data("mutation { createPost(input: { id: \(id), title: \"\(title)\" }) { id } }")
            #expect(try await client.next().at("payload.data.onCreatePost.id") == .string(id))
        }
    }

    /// Clients take an event with an error for none, and a relation that a conflict lacks for null.
    @Test func aLargeRecordComesWithItsRelations() async throws {
        let test = try await TestServer.open(
            Self.schema,
            options: ServerOptions(
                apiKeys: ["key"], strategy: .optimisticConcurrency, limits: ServerLimits(requestByteCount: 4 << 20)))
        let client = try await TestClient.open(test)
        await client.start("1", "subscription { onCreatePost { id title blog { name } } }")
        #expect(try await client.next()["type"] == "start_ack")
        let title = WireValue.string(String(repeating: "long ", count: 300_000))
        _ = try await test.data("mutation { createBlog(input: { id: 7, name: \"B\" }) { id } }")
        let create = "createPost(input: { id: 1, title: $title, blogPostsId: 7 }) { id }"
        _ = try await test.data("mutation M($title: String!) { \(create) }", ["title": title])
        let record: WireValue = ["id": "1", "title": title, "blog": ["name": "B"]]
        #expect(try await client.next()["payload"] == ["data": ["onCreatePost": record]])
        let update = "updatePost(input: { id: 1, title: \"b\" }) { id title blog { name } }"
        let conflict = try await test.send("mutation { \(update) }")
        #expect(conflict.at("errors.0.errorType") == "ConflictUnhandled")
        #expect(conflict.at("errors.0.data") == record)
    }

    /// Relations are read for one event after the other, which may take longer than writing the records did.
    @Test func connectionEndsWhenTooManyEventsWait() async throws {
        let gate = Gate()
        let holds = Mutex(false)
        let adapter = InterceptedAdapter(
            InMemoryAdapter(changeLogCommitCount: 0), beforeSnapshot: { if holds.load() { await gate.wait() } })
        let test = try await TestServer.open(Self.schema, adapter: adapter)
        let all = try await TestClient.open(test)
        await all.start("1", "subscription { onCreatePost { id blog { name } } }")
        #expect(try await all.next()["type"] == "start_ack")
        let one = try await TestClient.open(test)
        await one.start("1", "subscription { onCreatePost(filter: { id: { eq: \"one\" } }) { id blog { name } } }")
        #expect(try await one.next()["type"] == "start_ack")
        holds.store(true)
        let fields = (0..<100).map { "a\($0): createPost(input: { title: \"t\" }) { id }" }.joined(separator: " ")
        for _ in 0..<11 { _ = try await test.data("mutation { \(fields) }") }
        _ = try await test.data("mutation { createPost(input: { id: \"one\", title: \"t\" }) { id } }")
        gate.open()
        // Some may be delivered before the connection ends, but not all of them.
        var count = 0
        while count < 1_100, await all.connection.next() != nil { count += 1 }
        #expect(count < 1_100)
        // What a client does not want does not wait.
        #expect(try await one.next().at("payload.data.onCreatePost.id") == "one")
    }

    /// Clients take an event with an error for none, and would never query what has changed.
    @Test func connectionEndsWhenTheStoreDoesNotAnswerForAnEvent() async throws {
        let fails = Mutex(false)
        let reports = Mutex<[String]>([])
        let adapter = InterceptedAdapter(
            InMemoryAdapter(changeLogCommitCount: 0),
            beforeSnapshot: { () async throws(StorageError) in
                if fails.load() { throw StorageError(.connectionLost, "The database is away.") }
            })
        let options = ServerOptions(apiKeys: ["key"], report: { report in reports.withLock { $0.append(report) } })
        let test = try await TestServer.open(Self.schema, options: options, adapter: adapter)
        let client = try await TestClient.open(test)
        await client.start("1", "subscription { onCreatePost { id blog { name } } }")
        #expect(try await client.next()["type"] == "start_ack")
        fails.store(true)
        _ = try await test.data("mutation { createPost(input: { id: 1, title: \"t\" }) { id } }")
        #expect(await client.connection.next() == nil)
        #expect(reports.withLock { $0.count } == 1)
    }

    /// All others wait while the filters of a connection compare a long text.
    @Test func connectionEndsWhenItsFiltersCompareTooMuch() async throws {
        let test = try await TestServer.open(Self.schema)
        let query = "subscription S($filter: ModelSubscriptionPostFilterInput) { onCreatePost(filter: $filter) { id } }"
        let parts =
            [["title": ["beginsWith": "long"]]] + [WireValue](repeating: ["title": ["contains": "none"]], count: 9)
        let many = try await TestClient.open(test)
        let few = try await TestClient.open(test)
        for (client, count) in [(many, 10), (few, 2)] {
            for id in 0..<count {
                await client.start("\(id)", query, ["filter": ["or": .array(parts)]])
                #expect(try await client.next()["type"] == "start_ack")
            }
        }
        // Short records are compared by any number of subscriptions.
        _ = try await test.data("mutation { createPost(input: { id: 1, title: \"long\" }) { id } }")
        for _ in 0..<10 { #expect(try await many.next().at("payload.data.onCreatePost.id") == "1") }
        for _ in 0..<2 { #expect(try await few.next().at("payload.data.onCreatePost.id") == "1") }
        let title = String(repeating: "long ", count: 40_000)
        _ = try await test.data("mutation { createPost(input: { id: 2, title: \"\(title)\" }) { id } }")
        for _ in 0..<2 { #expect(try await few.next().at("payload.data.onCreatePost.id") == "2") }
        var count = 0
        while count < 10, await many.connection.next() != nil { count += 1 }
        #expect(count < 10)
    }

    @Test func anEventReadsFewRecords() async throws {
        let test = try await TestServer.open(
            Self.schema, options: ServerOptions(apiKeys: ["key"], limits: ServerLimits(rowsPerEvent: 5)))
        let client = try await TestClient.open(test)
        await client.start("1", "subscription { onCreatePost { id blog { posts { items { id } } } } }")
        #expect(try await client.next()["type"] == "start_ack")
        _ = try await test.data("mutation { createBlog(input: { id: 7 }) { id } }")
        for id in 1...6 {
            _ = try await test.data(
                "mutation { createPost(input: { id: \(id), title: \"t\", blogPostsId: 7 }) { id } }")
            let event = try await client.next()
            #expect((event.at("payload.errors.0.errorType") == "LimitExceededException") == (id > 3))
        }
    }

    /// What subscriptions select is kept as long as they last.
    @Test func selectionsOfAConnectionAreLimited() async throws {
        let test = try await TestServer.open(
            Self.schema, options: ServerOptions(apiKeys: ["key"], limits: ServerLimits(selectionsPerConnection: 10)))
        let client = try await TestClient.open(test)
        let query = "subscription { onCreatePost { id title rating tags blog { name } } }"
        await client.start("1", query)
        #expect(try await client.next()["type"] == "start_ack")
        await client.start("2", query)
        #expect(try await client.next().at("payload.errors.0.errorType") == "LimitExceededException")
        await client.send(["type": "stop", "id": "1"])
        #expect(try await client.next()["type"] == "complete")
        await client.start("2", query)
        #expect(try await client.next()["type"] == "start_ack")
        let other = try await TestClient.open(test)
        let ids = WireValue.array((0..<20).map { .string("\($0)") })
        await other.start(
            "1", "subscription S($f: ModelPostFilterInput) { onCreateBlog { posts(filter: $f) { nextToken } } }",
            ["f": ["id": ["between": ids]]])
        #expect(try await other.next().at("payload.errors.0.errorType") == "LimitExceededException")
    }

    @Test func filtersOfSubscriptionsAreTheirOwn() async throws {
        let test = try await TestServer.open(Self.schema)
        let client = try await TestClient.open(test)
        let query = "subscription S($filter: ModelSubscriptionPostFilterInput) { onCreatePost(filter: $filter) { id } }"
        // Comparisons of one field are alternatives; fields and `and` are not.
        await client.start(
            "1", query,
            [
                "filter": [
                    "rating": ["le": 2, "ge": 8], "and": [["title": ["ne": "x"]]],
                    "or": [["id": ["in": ["1", "2", "3"]]], ["title": ["beginsWith": "y"]]],
                ]
            ])
        #expect(try await client.next()["type"] == "start_ack")
        for (id, title, rating) in [
            (1, "a", 1), (2, "a", 5), (3, "x", 1), (4, "a", 9), (5, "yes", 9), (6, "yes", 4), (7, "y", 0),
        ] {
            _ = try await test.data(
                "mutation { createPost(input: { id: \(id), title: \"\(title)\", rating: \(rating) }) { id } }")
        }
        var ids: [WireValue?] = []
        for _ in 0..<3 { ids.append(try await client.next().at("payload.data.onCreatePost.id")) }
        #expect(ids == ["1", "5", "7"])
        let many = WireValue.array((0..<11).map { ["id": ["eq": .string("\($0)")]] })
        let either: WireValue = ["or": [["id": ["eq": "a"]], ["id": ["eq": "b"]]]]
        func all(_ count: Int, _ part: WireValue? = nil) -> WireValue {
            ["and": .array(Array(repeating: part ?? either, count: count))]
        }
        let long = WireValue.string(String(repeating: "x", count: 257))
        let deep: WireValue = ["and": [["and": [["and": [["and": [all(1)]]]]]]]]
        let unknown =
            "The variables input contains a field that is not defined for input object type "
            + "'ModelSubscriptionPostFilterInput': 'blogPostsId'"
        for (filter, part) in [
            (["or": many], "Filters combination exceed maximum limit 10"), (all(4), "exceed maximum limit 10"),
            // More combinations than an integer counts.
            (all(63), "exceed maximum limit 10"), (["or": [all(62), all(62)]], "exceed maximum limit 10"),
            // Each is made for each event.
            (all(51, ["title": ["notContains": "x"]]), "Filters exceed maximum attributes limit 50"),
            (all(26, ["rating": ["ge": 1, "le": 2]]), "maximum attributes limit 50"),
            (all(51, [:]), "maximum attributes limit 50"),
            (["and": [all(30, ["id": ["ne": "a"]]), all(30, ["id": ["ne": "a"]])]], "maximum attributes limit 50"),
            // Clients that do not know the text would try again and again, instead of without the filter.
            (["id": ["in": ["1", "2", "3", "4", "5", "6"]]], "Filters exceed maximum attributes limit 5"),
            (["title": ["eq": long]], "maximum attributes limit 256"),
            (deep, "Filters combination exceed maximum limit 5"),
            (["not": ["id": ["eq": "1"]]], "The variables input contains a field name 'not'"),
            (all(1, ["blogPostsId": ["eq": "7"]]), unknown),
        ] as [(WireValue, String)] {
            await client.start("2", query, ["filter": filter])
            let message = try await client.next().at("payload.errors.0.message")?.string
            #expect(message?.contains(part) == true, "\(message ?? "")")
        }
        await client.start("2", query, ["filter": all(50, ["title": ["ne": "x"]])])
        #expect(try await client.next()["type"] == "start_ack")
    }

    /// Two processes on one store: a client of either receives the commits of both, each once and in order.
    @Test func clientsReceiveCommitsOfEveryProcess() async throws {
        let adapter = SharedAdapter(InMemoryAdapter(changeLogCommitCount: 1_000))
        let world = ManualSurroundings()
        let servers = [
            try await TestServer.open(Self.schema, world: world, adapter: adapter),
            try await TestServer.open(Self.schema, world: world, adapter: adapter),
        ]
        var clients: [TestClient] = []
        for server in servers {
            let client = try await TestClient.open(server)
            for (id, field) in [("c", "onCreatePost"), ("u", "onUpdatePost"), ("d", "onDeletePost")] {
                await client.start(id, "subscription { it: \(field) { id title _version _deleted } }")
                #expect(try await client.next()["type"] == "start_ack")
            }
            clients.append(client)
        }
        let count = 12
        for number in 0..<count {
            let server = servers[number % 2]
            let mutation =
                number == 0
                ? "createPost(input: { id: 1, title: \"0\" })"
                : number == count - 1
                    ? "deletePost(input: { id: 1, _version: \(number) })"
                    : "updatePost(input: { id: 1, title: \"\(number)\", _version: \(number) })"
            _ = try await server.data("mutation { \(mutation) { id } }")
        }
        for client in clients {
            var versions: [Int64] = []
            // A process that reads late sees the newest version only, and it comes last for all.
            while versions.last != Int64(count) {
                let frame = try await client.next()
                let version = try #require(frame.at("payload.data.it._version")?.integer)
                if versions.isEmpty { try #require(frame["id"] == "c") }
                if version == Int64(count) { #expect(["c", "d"].contains(frame["id"])) }
                versions.append(version)
            }
            #expect(versions == versions.sorted())
        }
        for server in servers { try await server.server.close() }
        for client in clients {
            while let frame = await client.connection.next() { #expect(!frame.isEmpty) }
        }
    }

    /// Records may be large, and those of one read are in memory together.
    @Test func commitsOfOtherProcessesAreReadInParts() async throws {
        let shared = SharedAdapter(InMemoryAdapter(changeLogCommitCount: 1_000))
        let other = try await TestServer.open(Self.schema, adapter: shared)
        let adapter = HoldingAdapter(shared)
        let test = try await TestServer.open(Self.schema, adapter: adapter)
        let client = try await TestClient.open(test)
        await client.start("1", "subscription { onCreatePost { id } }")
        #expect(try await client.next()["type"] == "start_ack")
        // Most of the commits are in the feed before the first records have been read.
        adapter.hold()
        for id in 0..<200 {
            _ = try await other.data("mutation { createPost(input: { id: \(id), title: \"t\" }) { id } }")
        }
        adapter.letGo()
        for id in 0..<200 {
            #expect(try await client.next().at("payload.data.onCreatePost.id") == .string("\(id)"))
        }
        #expect(adapter.reads.max() == 64)
        for server in [test, other] { try await server.server.close() }
    }

    /// The feed continues where it was, so clients need not read everything again.
    @Test func aFeedThatFailsForAMomentLosesNothing() async throws {
        let shared = SharedAdapter(InMemoryAdapter(changeLogCommitCount: 1_000))
        let other = try await TestServer.open(Self.schema, adapter: shared)
        let adapter = HoldingAdapter(shared)
        adapter.failFeeds(2)
        let test = try await TestServer.open(Self.schema, adapter: adapter)
        let client = try await TestClient.open(test)
        await client.start("1", "subscription { onCreatePost { id } }")
        #expect(try await client.next()["type"] == "start_ack")
        for id in 1...2 {
            await test.world.waitForSleeper(of: .milliseconds(200))
            _ = try await other.data("mutation { createPost(input: { id: \(id), title: \"t\" }) { id } }")
            test.world.advance(.milliseconds(200))
        }
        for id in 1...2 {
            #expect(try await client.next().at("payload.data.onCreatePost.id") == .string("\(id)"))
        }
        for server in [test, other] { try await server.server.close() }
    }

    /// Another process may have a feed that works.
    @Test func aFeedThatFailsForAMinuteEndsConnections() async throws {
        let adapter = HoldingAdapter(InMemoryAdapter(changeLogCommitCount: 1_000))
        adapter.failFeeds(1_000)
        let test = try await TestServer.open(Self.schema, adapter: adapter)
        let client = try await TestClient.open(test)
        await client.start("1", "subscription { onCreatePost { id } }")
        #expect(try await client.next()["type"] == "start_ack")
        await test.world.waitForSleeper(of: .milliseconds(200))
        test.world.advance(.seconds(59))
        await test.world.waitForSleeper(of: .milliseconds(200))
        guard case .nothing = client.connection.takeFrame() else {
            Issue.record("The connection has ended.")
            return
        }
        test.world.advance(.seconds(1))
        while let frame = await client.connection.next() { #expect(!frame.isEmpty) }
        try await test.server.close()
    }

    @Test func serverEndsItsConnections() async throws {
        let test = try await TestServer.open(Self.schema)
        let idle = try await TestClient.open(test)
        try await test.server.close()
        #expect(await idle.connection.next() == nil)
    }

    /// The three places in which clients put what proves who they are.
    @Test func credentialsAreReadFromEachPlace() {
        let carried = "eyJ4LWFwaS1rZXkiOiJrIiwiaG9zdCI6ImgifQ"
        for (headers, parameters) in [
            (["sec-websocket-protocol": "graphql-ws, header-\(carried)"], [:]), ([:], ["header": carried + "=="]),
            (["x-api-key": "k", "host": "h"], [:]),
        ] as [([String: String], [String: String])] {
            let credentials = Credentials(headers: headers, parameters: parameters)
            #expect(credentials.headers["x-api-key"] == "k")
            #expect(credentials.headers["host"] == "h")
            #expect(!"\(credentials)".contains("\"k\""))
        }
    }
}
