import HoldfastServer
import HoldfastStorage
import HoldfastTestSupport
import HoldfastWire
import Testing

/// The server answers any bytes from the network with JSON, or closes the connection.
@Suite struct HostileInputTests {
    static let bodies: [WireValue] = [
        [
            "query":
                "{ listPosts(filter: { rating: { between: [1, 2] }, or: [{ title: { size: { gt: 1 } } }] }) { items { id } } }"
        ],
        [
            "query":
                "mutation M($input: CreatePostInput!) { createPost(input: $input) { id title blog { name } _version } }",
            "variables": ["input": ["title": "t", "rating": 1, "tags": ["a"], "_version": 1]],
        ],
        [
            "query": """
            query Q($t: String) { syncPosts(limit: 1, nextToken: $t, lastSync: 5) { ...C } }
            fragment C on ModelPostConnection { items { id tags } nextToken startedAt }
            """,
            "variables": ["t": nil], "operationName": "Q",
        ],
        ["query": "{ __schema { types { name fields { name } } } a: __type(name: \"Post\") { kind } }"],
        [
            "query":
                "mutation { updatePost(input: { id: 1, title: \"x\" }, condition: { not: { id: { eq: null } } }) { id } }"
        ],
    ]

    @Test(arguments: 1...8) func everyBodyIsAnswered(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let test = try await TestServer.open(RealtimeTests.schema)
        let bodies = Self.bodies.map(\.bytes)
        var isAnswered = 0
        for _ in 0..<250 {
            let body = random.changed(random.pick(bodies), with: bodies)
            let response = await test.server.respond(to: ServerRequest(headers: ["x-api-key": "key"], body: body))
            let answer = try WireValue(parsing: response.body)
            #expect([200, 400, 413].contains(response.status), "seed \(seed)")
            #expect(answer["data"] != nil || answer["errors"] != nil, "seed \(seed)")
            if answer["errors"] == nil { isAnswered += 1 }
        }
        #expect(isAnswered > 0)
    }

    @Test(arguments: 1...8) func everyFrameIsTaken(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let test = try await TestServer.open(RealtimeTests.schema)
        let start: WireValue = [
            "id": "1", "type": "start",
            "payload": [
                "data": "{\"query\":\"subscription { onCreatePost(filter: { rating: { in: [1] } }) { id } }\"}",
                "extensions": ["authorization": ["x-api-key": "key"]],
            ],
        ]
        let frames = [start.bytes, WireValue(dictionaryLiteral: ("type", "stop"), ("id", "1")).bytes]
        let client = try await TestClient.open(test)
        for _ in 0..<150 { await client.connection.receive(random.changed(random.pick(frames), with: frames)) }
        await client.connection.close()
        var count = 0
        while let frame = await client.connection.next() {
            _ = try WireValue(parsing: frame)
            count += 1
        }
        #expect(count > 0, "seed \(seed)")
    }

    static let nested = """
        type Blog @model @auth(rules: [{ allow: public }]) { place: Place posts: [Post] @hasMany }
        type Post @model @auth(rules: [{ allow: public }]) { blog: Blog @belongsTo }
        type Place { name: String inner: [Place] }
        """

    /// Fragments lead to fragments, so that a short document can select very much, and on very many levels.
    @Test(
        arguments: [
            ("Blog", "posts { items { a: blog { ...NEXT } b: blog { ...NEXT } } }", 26),
            ("Blog", "posts { items { blog { ...NEXT } } }", 2_000), ("Blog", "...NEXT", 6_000),
            ("Place", "a: inner { ...NEXT } b: inner { ...NEXT }", 26), ("Place", "inner { ...NEXT }", 4_000),
            ("__Type", "a: inputFields { type { ...NEXT } } b: inputFields { type { ...NEXT } }", 26),
            ("__Type", "inputFields { type { ...NEXT } }", 3_000),
        ])
    func selectionsAreLimited(_ nested: (type: String, selections: String, count: Int)) async throws {
        let test = try await TestServer.open(Self.nested)
        _ = try await test.data("mutation { createBlog(input: { id: 1 }) { id } }")
        let fragments = (0..<nested.count).map { index in
            let selections = nested.selections.split(separator: "NEXT", omittingEmptySubsequences: false)
                .joined(separator: "F\(index + 1)")
            return "fragment F\(index) on \(nested.type) { \(selections) }"
        }
        let leaf = nested.type == "Blog" ? "id" : "name"
        let document = fragments.joined(separator: " ") + " fragment F\(nested.count) on \(nested.type) { \(leaf) }"
        let query =
            switch nested.type {
            case "Blog": "{ listBlogs { items { ...F0 } } }"
            case "Place": "{ listBlogs { items { place { ...F0 } } } }"
            default: "{ __type(name: \"ModelBlogFilterInput\") { ...F0 } }"
            }
        let answer = try await test.send(query + document)
        if nested.selections == "...NEXT" {
            #expect(answer.at("data.listBlogs.items.0.id") == "1")
        } else {
            #expect(answer.at("errors.0.errorType") == "LimitExceededException")
        }
    }

    /// A variable is sent once, and can be used very often.
    @Test func valuesOfArgumentsAreLimited() async throws {
        let test = try await TestServer.open(Self.nested)
        let ids = WireValue.array((0..<10_000).map { .string("\($0)") })
        let variables: WireValue = ["filter": ["id": ["between": ids]], "ids": ids]
        func answer(_ selections: String) async throws -> WireValue {
            try await test.send("query Q($filter: ModelPostFilterInput!, $ids: [ID]) { \(selections) }", variables)
        }
        func relations(_ filter: String) -> String {
            let fields = (0..<100).map { "a\($0): posts(filter: \(filter)) { nextToken }" }.joined(separator: " ")
            return "listBlogs { items { \(fields) } }"
        }
        // A variable that is the whole argument is not copied.
        #expect(try await answer(relations("$filter")) == ["data": ["listBlogs": ["items": []]]])
        let filter = "{ id: { between: $ids } }"
        let filters = Array(repeating: filter, count: 100).joined(separator: ", ")
        for selections in [relations(filter), "listPosts(filter: { or: [\(filters)] }) { nextToken }"] {
            #expect(try await answer(selections).at("errors.0.errorType") == "LimitExceededException")
        }
    }

    /// Each field of an answer must not be compared with every other one.
    @Test func aWideObjectTakesLinearTime() async throws {
        let test = try await TestServer.open(Self.nested)
        // The names are as many in any number of objects.
        func duration(of objectCount: Int) async throws -> Duration {
            let count = 16_000 / objectCount
            let names = (0..<count).map { "a\($0): name" }.joined(separator: " ")
            let objects = (0..<objectCount).map { "o\($0): __type(name: \"Blog\") { \(names) }" }
            let body: WireValue = ["query": .string("{ \(objects.joined(separator: " ")) }")]
            let start = ContinuousClock.now
            let response = await test.server.respond(to: ServerRequest(headers: ["x-api-key": "key"], body: body.bytes))
            let end = ContinuousClock.now
            let data = try WireValue(parsing: response.body)["data"]
            #expect(data?.at("o\(objectCount - 1).a\(count - 1)") == "Blog")
            return end - start
        }
        #expect(try await isLinear({ try await duration(of: 16) }, { try await duration(of: 1) }))
    }

    /// A name that does not exist must not be compared with all others: answers have no hints.
    @Test func manyWrongNamesTakeLinearTime() async throws {
        let test = try await TestServer.open(Self.nested)
        // Names of more than 64 bytes would not be compared.
        func duration(of nameLength: Int) async throws -> Duration {
            let name = String(repeating: "n", count: nameLength - 4)
            let declared = (1_000..<3_000).map { "$\(name)\($0): Int" }.joined(separator: ", ")
            let uses = (1_000..<1_100).map { "a\($0): listBlogs(limit: $\(name.dropLast())x\($0)) { nextToken }" }
            let body: WireValue = ["query": .string("query Q(\(declared)) { \(uses.joined(separator: " ")) }")]
            let start = ContinuousClock.now
            let response = await test.server.respond(to: ServerRequest(headers: ["x-api-key": "key"], body: body.bytes))
            let end = ContinuousClock.now
            #expect(try WireValue(parsing: response.body)["errors"]?.array?.count == 100)
            return end - start
        }
        #expect(try await isLinear({ try await duration(of: 70) }, { try await duration(of: 64) }))
    }

    /// Whether a request takes about as long as one of the same size that is known to take linear time.
    ///
    /// Other tests may slow down any one measurement.
    private func isLinear(
        _ known: () async throws -> Duration, _ measured: () async throws -> Duration
    ) async throws -> Bool {
        for _ in 0..<5 {
            let expected = try await known()
            if try await measured() < expected * 5 + .seconds(2) { return true }
        }
        return false
    }

    @Test func limitsAreKept() async throws {
        let limits = ServerLimits(requestByteCount: 20_000, rowsPerRequest: 50, rootFields: 10)
        let test = try await TestServer.open(
            RealtimeTests.schema, options: ServerOptions(apiKeys: ["key"], limits: limits))
        for id in 0..<20 {
            _ = try await test.data("mutation { createPost(input: { id: \(id), title: \"t\" }) { id } }")
        }
        let small = try await TestServer.open(
            RealtimeTests.schema,
            options: ServerOptions(apiKeys: ["key"], limits: ServerLimits(responseByteCount: 500)))
        for id in 0..<20 {
            _ = try await small.data("mutation { createPost(input: { id: \(id), title: \"t\" }) { id } }")
        }
        let list = "listPosts { items { id title __typename createdAt } nextToken }"
        let cut = try await small.send("{ a: \(list) b: \(list) }")
        #expect(cut.at("data.a.items.0.id") == "0")
        let count = try #require(cut.at("data.a.items")?.array?.count)
        #expect((1..<20).contains(count))
        #expect(cut.at("data.a.nextToken")?.string != nil)
        #expect(cut.at("data.b") == .null)
        #expect(cut["errors"]?.array?.count == 1)
        #expect(cut.at("errors.0.path") == ["b"])
        #expect(cut.at("errors.0.errorType") == "LimitExceededException")
        let large = await test.server.respond(
            to: ServerRequest(headers: ["x-api-key": "key"], body: [UInt8](repeating: 32, count: 20_001)))
        #expect(large.status == 413)
        let fields = (0..<11).map { "a\($0): __typename" }.joined(separator: " ")
        #expect(try await test.send("{ \(fields) }").at("errors.0.errorType") == "BadRequestException")
        let lists = (0..<3).map { "a\($0): listPosts { items { id } }" }.joined(separator: " ")
        let many = try await test.send("{ \(lists) }")
        #expect(many.at("data.a1.items")?.array?.count == 20)
        #expect(many.at("errors.0.errorType") == "LimitExceededException")
        // Types lead to types, and fragments to fragments, so that a short request can ask for very much.
        let types = String(repeating: "fields { type { ", count: 9) + "name" + String(repeating: " } }", count: 9)
        let endless = try await test.send("{ __schema { types { \(types) } } }")
        #expect(endless.at("errors.0.errorType") == "LimitExceededException")
        let doubled = (0..<30).map { "fragment F\($0) on Post { ...F\($0 + 1) ...F\($0 + 1) }" }.joined(separator: " ")
        let query = "{ getPost(id: 1) { ...F0 ...F0 } } \(doubled) fragment F30 on Post { id }"
        #expect(try await test.data(query).at("getPost.id") == "1")
        let deep = String(repeating: "{ a ", count: 40) + String(repeating: "}", count: 40)
        #expect(try await test.send(deep).at("errors.0.message")?.string?.hasPrefix("Validation error") == true)
    }

    /// A short request can select the same large value very often.
    @Test func aRecordHasALimitedNumberOfBytes() async throws {
        let limits = ServerLimits(responseByteCount: 1_000)
        let test = try await TestServer.open(
            RealtimeTests.schema, options: ServerOptions(apiKeys: ["key"], limits: limits))
        let title = WireValue.string(String(repeating: "t", count: 900_000))
        let mutation = "mutation M($title: String!) { createPost(input: { id: 1, title: $title }) { id } }"
        _ = try await test.data(mutation, ["title": title])
        let names = (0..<100).map { "a\($0): title" }.joined(separator: " ")
        let answer = try await test.send(
            "{ getPost(id: 1) { id \(names) } listPosts { items { \(names) } nextToken } }")
        #expect(answer["data"] == ["getPost": nil, "listPosts": nil])
        #expect(answer.at("errors.0.path") == ["getPost"])
        #expect(answer.at("errors.1.path") == ["listPosts"])
        #expect(answer.at("errors.1.errorType") == "LimitExceededException")
        // As large as it is, it can be read.
        #expect(try await test.data("{ getPost(id: 1) { title } }").at("getPost.title") == title)
    }

    /// Each is written until the limit before it turns out that it does not fit.
    @Test func relationsThatDoNotFitEndTheResponse() async throws {
        let text = String(repeating: "t", count: 30_000)
        let limits = ServerLimits(responseByteCount: 100_000)
        let test = try await SyncTests.openWithComments(limits, text: text, on: .memory).test
        let names = (0..<60).map { "t\($0): text" }.joined(separator: " ")
        let relations = (0..<40).map { "a\($0): comments { items { ...Texts } }" }
        func post(_ relationCount: Int) async throws -> WireValue? {
            let relations = relations.prefix(relationCount).joined(separator: " ")
            return try await test.send(
                "{ getPost(id: \"p\") { id \(relations) } } fragment Texts on Comment { \(names) }"
            ).at("data.getPost")
        }
        #expect(try await post(2) == ["id": "p", "a0": nil, "a1": nil])
        #expect(try await post(40) == .null)
    }

    /// Each variable has its own value, however many there are, and whatever else the request brings.
    @Test func manyVariablesHaveTheirValues() async throws {
        let test = try await TestServer.open(RealtimeTests.schema)
        for id in [7, 999, 5_000] {
            _ = try await test.data("mutation { createPost(input: { id: \(id), title: \"t\" }) { id } }")
        }
        let names = (0..<1_000).map { "$v\($0)" }
        let declared = names.map { "\($0): ID" }.joined(separator: ", ")
        let parts = (names + ["$K"]).map { "{ id: { eq: \($0) } }" }.joined(separator: ", ")
        let members = (0..<30_000).reversed().map { "\"v\($0)\": \"\($0)\"" }.joined(separator: ", ")
        // The sign for kelvin is equal to the letter, but it is another name.
        let variables = try WireValue(parsing: Array("{ \"\u{212A}\": \"5000\", \(members) }".utf8))
        let query = "query Q(\(declared), $K: ID = \"none\") { listPosts(filter: { or: [\(parts)] }) { items { id } } }"
        let data = try await test.data(query, variables)
        #expect(data.at("listPosts.items") == [["id": "7"], ["id": "999"]])
    }

    /// Each value is compared for each record.
    ///
    /// Clients do not send again what is a wrong request.
    @Test func filtersHaveFewValues() async throws {
        let test = try await SyncTests.openWithComments(ServerLimits(), text: "t", on: .memory).test
        let requests = [
            "query Q($f: ModelCommentFilterInput) { it: listComments(filter: $f) { items { id } } }",
            "query Q($f: ModelCommentFilterInput) { it: syncComments(filter: $f) { items { id } } }",
            "query Q($f: ModelCommentFilterInput) { it: getPost(id: \"p\") { id comments(filter: $f) { items { id } } } }",
            """
            mutation M($f: ModelCommentConditionInput) {
              it: updateComment(input: { id: "0", text: "t", _version: 1 }, condition: $f) { id }
            }
            """,
        ]
        for request in requests {
            for count in [2_001, 2_000] {
                let parts = [WireValue](repeating: ["text": ["eq": "t"]], count: count)
                let answer = try await test.send(request, ["f": ["or": .array(parts)]])
                #expect((answer["errors"] == nil) == (count == 2_000), "\(count) \(request)")
                if count > 2_000 { #expect(answer.at("errors.0.errorType") == "BadRequest", "\(request)") }
            }
        }
    }

    /// A filter is stated to the store once more for each record that has the relation.
    @Test(arguments: TestServer.Kind.allCases) func filtersOfRelationsCountForEachRecord(
        kind: TestServer.Kind
    ) async throws {
        let limits = ServerLimits(rowsPerRequest: 1_000)
        let test = try await SyncTests.openWithComments(limits, text: "t", on: kind).test
        for id in 10..<29 { _ = try await test.data("mutation { createPost(input: { id: \(id) }) { id } }") }
        let query = """
            query Q($f: ModelCommentFilterInput) {
              listPosts(limit: 20) { items { comments(filter: $f) { items { id } } } nextToken }
            }
            """
        for (count, itemCount) in [(5, 20), (1_000, 2)] {
            let parts = [WireValue](repeating: ["text": ["eq": "t"]], count: count)
            let data = try await test.data(query, ["f": ["or": .array(parts)]])
            #expect(data.at("listPosts.items")?.array?.count == itemCount)
            #expect((data.at("listPosts.nextToken") == .null) == (itemCount == 20))
        }
    }

    /// A page that compares very much is short, and its token continues.
    @Test(arguments: TestServer.Kind.allCases) func recordsWithManyComparisonsCountAsSeveral(
        kind: TestServer.Kind
    ) async throws {
        let (test, label) = try await SyncTests.openWithComments(ServerLimits(rowsLookedAt: 50), text: "t", on: kind)
        for arguments in ["listComments(filter: $f)", "syncComments(filter: $f, lastSync: \(label.text))"] {
            let query = "query Q($f: ModelCommentFilterInput) { it: \(arguments) { items { id } nextToken } }"
            for (count, isWhole) in [(10, true), (1_000, false)] {
                let parts = [WireValue](repeating: ["text": ["size": ["gt": 100]]], count: count)
                let data = try await test.data(query, ["f": ["or": .array(parts)]])
                #expect(data.at("it.items") == [])
                #expect((data.at("it.nextToken") == .null) == isWhole, "\(count) \(arguments)")
            }
        }
    }

    /// A page that compares long texts is short, and its token continues.
    @Test(arguments: TestServer.Kind.allCases) func recordsWithLongTextsCountAsSeveral(
        kind: TestServer.Kind
    ) async throws {
        let text = String(repeating: "t", count: 20_000)
        let (test, label) = try await SyncTests.openWithComments(ServerLimits(rowsLookedAt: 50), text: text, on: kind)
        let large: WireValue = ["text": ["size": ["gt": 100_000]]]
        for arguments in [
            "listComments(filter: $f, nextToken: $t", "syncComments(filter: $f, nextToken: $t, lastSync: \(label.text)",
        ] {
            let query =
                "query Q($f: ModelCommentFilterInput, $t: String) { it: \(arguments)) { items { id } nextToken } }"
            for (part, count, isWhole) in [("none", 1, true), ("none", 10, false), ("t", 10, false)] {
                var parts = [WireValue](repeating: ["text": ["contains": "none"]], count: count - 1)
                parts.insert(large, at: 0)
                parts.append(["text": ["contains": .string(part)]])
                let filter: WireValue = ["or": .array(parts)]
                var pages: [[WireValue]] = []
                var token: WireValue = .null
                repeat {
                    let data = try await test.data(query, ["f": filter, "t": token])
                    pages.append(try #require(data.at("it.items")?.array))
                    token = try #require(data.at("it.nextToken"))
                } while token != .null && pages.count < 20
                #expect((pages.count == 1) == isWhole, "\(count) \(arguments)")
                #expect(pages.joined().count == (part == "t" ? 8 : 0), "\(count) \(arguments)")
            }
        }
    }

    /// What is compared counts for the whole request, in lists as in deltas.
    @Test(arguments: TestServer.Kind.allCases) func comparisonsOfARequestAreLimited(kind: TestServer.Kind) async throws
    {
        let text = String(repeating: "t", count: 20_000)
        let (test, label) = try await SyncTests.openWithComments(
            ServerLimits(rowsPerRequest: 300), text: text, on: kind)
        let large: WireValue = ["text": ["size": ["gt": 100_000]]]
        let filters: [WireValue] = [
            ["or": [large, ["text": ["contains": "none"]]]],
            ["or": .array([WireValue](repeating: large, count: 1_000))],
        ]
        for arguments in ["listComments(filter: $f)", "syncComments(filter: $f, lastSync: \(label.text))"] {
            for filter in filters {
                func answer(_ fieldCount: Int) async throws -> WireValue {
                    let fields = (0..<fieldCount).map { "a\($0): \(arguments) { items { id } }" }
                    let query = "query Q($f: ModelCommentFilterInput) { \(fields.joined(separator: " ")) }"
                    return try await test.send(query, ["f": filter])
                }
                #expect(try await answer(1) == ["data": ["a0": ["items": []]]], "\(arguments)")
                #expect(try await answer(20).at("errors.0.errorType") == "LimitExceededException", "\(arguments)")
            }
        }
    }

    @Test func comparisonsOfConditionsAreLimited() async throws {
        let test = try await TestServer.open(
            MutationTests.schema, options: ServerOptions(apiKeys: ["key"], limits: ServerLimits(rowsPerRequest: 300)))
        let title = String(repeating: "t", count: 20_000)
        _ = try await test.data("mutation { createPost(input: { id: 1, title: \"\(title)\" }) { id } }")
        // They look at a million bytes, which counts as 250 records.
        let comparisons = [WireValue](repeating: ["title": ["contains": "none"]], count: 50)
        let condition: WireValue = ["or": .array(comparisons + [["title": ["beginsWith": "t"]]])]
        func update(_ fieldCount: Int) async throws -> WireValue {
            let fields = (1...fieldCount).map {
                "a\($0): updatePost(input: { id: 1, rating: \($0), _version: \($0) }, condition: $c) { id }"
            }
            return try await test.send(
                "mutation M($c: ModelPostConditionInput) { \(fields.joined(separator: " ")) }", ["c": condition])
        }
        let answer = try await update(3)
        #expect(answer.at("data.a1.id") == "1")
        #expect(answer.at("errors.0.errorType") == "LimitExceededException")
    }

    /// The bytes of the text of the first record and of all others, those of a page, and how many records are then read.
    static let batches: [(first: Int, others: Int, page: Int, rowCounts: [Int])] = [
        (10, 10, 4 << 20, [128, 256, 256]), (1_000, 1_000, 7_500, [128, 7, 7]),
        (100_000, 10, 4 << 20, [128, 42, 84]),
    ]

    /// A batch is in memory before it turns out that its records do not fit into the page.
    @Test(arguments: batches)
    func batchesOfLargeRecordsAreSmall(_ records: (first: Int, others: Int, page: Int, rowCounts: [Int])) async throws {
        let adapter = BatchRecordingAdapter(of: "Note")
        let limits = ServerLimits(pageByteCount: records.page)
        let test = try await TestServer.open(
            SyncTests.schema, options: ServerOptions(apiKeys: ["key"], limits: limits), adapter: adapter)
        let start = try await SyncTests.page(test).startedAt
        test.world.advance(.milliseconds(2_000))
        let notes = (1_000..<1_300).map { id -> JSONObject in
            let text = String(repeating: "t", count: id == 1_000 ? records.first : records.others)
            return ["__typename": "Note", "id": .string("\(id)"), "text": .string(text)]
        }
        // Records of one call may be written in any order, and deltas begin with those that were written first.
        for part in [notes.prefix(1), notes.dropFirst()] {
            for result in await test.server.data.importRecords(Array(part)) {
                #expect(try result.get() == .created)
            }
        }
        // The page goes on for as long as nothing fits the filter.
        let filter: WireValue = ["text": ["size": ["gt": 200_000]]]
        for lastSync in [nil, start] {
            _ = adapter.takeBatches()
            let page = try await SyncTests.page(test, since: lastSync, limit: 1_000, filter: filter)
            #expect(page.ids == [])
            #expect(adapter.takeBatches().prefix(3).map(\.maximumRowCount) == records.rowCounts)
        }
    }

    /// A short request can select the same large records very often.
    @Test(arguments: TestServer.Kind.allCases) func relationsKeepFewBytes(kind: TestServer.Kind) async throws {
        let limits = ServerLimits(rowBytesPerRequest: 30_000, rowBytesPerEvent: 500)
        let text = String(repeating: "t", count: 600)
        let test = try await SyncTests.openWithComments(limits, text: text, on: kind).test
        let fields = (0..<20).map { "a\($0): comments { items { id } }" }.joined(separator: " ")
        let many = try await test.send("{ getPost(id: \"p\") { id \(fields) } }")
        #expect(many.at("data.getPost.a0.items")?.array?.count == 8)
        #expect(many.at("data.getPost.a19") == .null)
        #expect(many.at("errors.0.errorType") == "LimitExceededException")
        // What was written is in the answer.
        let input = "{ id: \"new\", postCommentsId: \"p\" }"
        let written = try await test.send(
            "mutation { createComment(input: \(input)) { id post { id \(fields) } } }")
        #expect(written.at("data.createComment.id") == "new")
        #expect(written.at("data.createComment.post.a19") == .null)
        #expect(written.at("errors.0.errorType") == "LimitExceededException")
        let client = try await TestClient.open(test)
        await client.start("1", "subscription { onCreateComment { id post { id text } } }")
        #expect(try await client.next()["type"] == "start_ack")
        _ = try await test.data("mutation { createComment(input: { id: \"c\", postCommentsId: \"p\" }) { id } }")
        var event: WireValue
        // With a change feed, a subscription also receives what was written shortly before.
        repeat { event = try await client.next() } while event.at("payload.data.onCreateComment.id") != "c"
        #expect(event.at("payload.data.onCreateComment.post") == .null)
        #expect(event.at("payload.errors.0.errorType") == "LimitExceededException")
    }
}

extension SplitMix64 {
    /// The bytes with a few of them changed, removed, doubled, or exchanged for parts of others.
    fileprivate mutating func changed(_ bytes: [UInt8], with others: [[UInt8]]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...below(4) where !bytes.isEmpty {
            let index = below(bytes.count)
            switch below(5) {
            case 0: bytes[index] = UInt8(below(256))
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + below(20))], at: index)
            case 3: bytes.removeSubrange(index..<min(bytes.count, index + below(10)))
            default:
                let other = pick(others)
                let start = below(other.count)
                bytes.insert(contentsOf: other[start..<min(other.count, start + below(30))], at: index)
            }
        }
        return bytes
    }
}
