import HoldfastAdapterTestSupport
import HoldfastGraphQL
import HoldfastInMemory
import HoldfastSQLite
import HoldfastServer
import HoldfastStorage
import HoldfastTestSupport
import HoldfastWire
import Testing

/// What an administrator reads and writes.
@Suite struct DataTests {
    /// Rules that allow no user anything, and a model without mutations.
    static let schema = """
        type Post @model @auth(rules: [{ allow: owner }]) {
          title: String!
          rating: Float
          status: Status @default(value: "DRAFT")
          tags: [String]
          meta: Meta
          metas: [Meta!]
          at: AWSDateTime
          day: AWSDate
          time: AWSTime
          json: AWSJSON
          stamp: AWSTimestamp
          flag: Boolean
          blog: Blog @belongsTo
        }
        type Blog @model(mutations: null) { name: String posts: [Post] @hasMany }
        type Reading @model { sensor: ID! @primaryKey(sortKeyFields: ["number"]) number: Int! value: Float! }
        type Meta { name: String! size: Int inner: Inner }
        type Inner { flag: Boolean }
        enum Status { DRAFT OPEN }
        """

    static func text(_ records: [JSONObject]) -> [String] { records.map { WireValue.object($0).text } }

    static func object(_ text: String) throws -> JSONObject {
        try #require(try WireValue(parsing: Array(text.utf8)).object)
    }

    static func export(_ test: TestServer, deleted: Bool = false, metadata: Bool = false) async throws -> [String] {
        var records: [JSONObject] = []
        try await test.server.data.forEachRecord(includesDeleted: deleted, includesMetadata: metadata) {
            records.append($0)
        }
        return text(records)
    }

    private static func event(_ id: String, _ record: String) -> String {
        #"{"type":"data","id":"\#(id)","payload":{"data":{"it":\#(record)}}}"#
    }

    /// What became of records, in one word each.
    static func words(_ outcomes: [Result<ImportOutcome, any Error>]) -> [String] {
        outcomes.map { outcome in
            switch outcome {
            case .success(let outcome): "\(outcome)"
            case .failure(let error as DataError): "\(error)"
            case .failure(let error): "\(type(of: error))"
            }
        }
    }

    // MARK: - One record

    @Test(arguments: TestServer.Kind.allCases) func recordIsPutChangedAndDeleted(kind: TestServer.Kind) async throws {
        let test = try await TestServer.open(Self.schema, on: kind)
        let data = test.server.data
        let created = try await data.put(["id": "p", "title": "Hello", "rating": 4, "tags": ["a", nil]], in: "Post")
        #expect(
            WireValue.object(created).text
                == #"{"__typename":"Post","id":"p","title":"Hello","rating":4.0,"status":"DRAFT","tags":["a",null],"#
                + #""meta":null,"metas":null,"at":null,"day":null,"time":null,"json":null,"stamp":null,"flag":null,"#
                + #""createdAt":"2023-11-14T22:13:20.000Z","updatedAt":"2023-11-14T22:13:20.000Z","#
                + #""blogPostsId":null,"owner":null,"#
                + #""_version":1,"_deleted":null,"_lastChangedAt":1700000000000}"#)
        test.world.advance(.milliseconds(1_000))
        let changed = try await data.put(["id": "p", "rating": nil, "owner": "ann", "_version": 1], in: "Post")
        #expect(changed["title"] == "Hello")
        #expect(changed["rating"] == .null)
        #expect(changed["owner"] == "ann")
        #expect(changed["createdAt"] == "2023-11-14T22:13:20.000Z")
        #expect(changed["updatedAt"] == "2023-11-14T22:13:21.000Z")
        #expect(changed["_version"] == 2)
        #expect(changed["_lastChangedAt"] == 1_700_000_001_000)
        let deleted = try await data.delete(["id": "p"], from: "Post")
        #expect(deleted["_deleted"] == true)
        #expect(deleted["_version"] == 3)
        #expect(deleted["title"] == "Hello")
        // It is created again, without the values that it had, and continues with its versions.
        let again = try await data.put(["id": "p", "title": "New"], in: "Post")
        #expect(again["_version"] == 4)
        #expect(again["_deleted"] == .null)
        #expect(again["owner"] == .null)
        #expect(again["tags"] == .null)
        #expect(again["status"] == "DRAFT")
        let made = try await data.put(["name": "b"], in: "Blog")
        #expect(made["id"]?.string?.utf8.count == 36)
        try await test.server.close()
    }

    @Test(arguments: TestServer.Kind.allCases) func clientsReceiveWhatAnAdministratorWrites(
        kind: TestServer.Kind
    ) async throws {
        let test = try await TestServer.open(SyncTests.schema, on: kind)
        let client = try await TestClient.open(test)
        for (id, field) in [("c", "onCreateNote"), ("u", "onUpdateNote"), ("d", "onDeleteNote")] {
            await client.start(id, "subscription { it: \(field) { id text _version _deleted } }")
            #expect(try await client.next()["type"] == "start_ack")
        }
        let before = try await SyncTests.page(test)
        test.world.advance(.milliseconds(2_000))
        let data = test.server.data
        // One after the other: a change may be left out if the record has changed again when its event is made.
        try await data.put(["id": "a", "text": "1"], in: "Note")
        #expect(try await client.next().text == Self.event("c", #"{"id":"a","text":"1","_version":1,"_deleted":null}"#))
        try await data.put(["id": "a", "text": "2"], in: "Note")
        #expect(try await client.next().text == Self.event("u", #"{"id":"a","text":"2","_version":2,"_deleted":null}"#))
        try await data.delete(["id": "a"], from: "Note")
        #expect(try await client.next().text == Self.event("d", #"{"id":"a","text":"2","_version":3,"_deleted":true}"#))
        let outcomes = await data.importRecords([["__typename": "Note", "id": "b", "text": "3"]])
        #expect(Self.words(outcomes) == ["created"])
        #expect(try await client.next().text == Self.event("c", #"{"id":"b","text":"3","_version":1,"_deleted":null}"#))
        test.world.advance(.milliseconds(2_000))
        #expect(try await SyncTests.page(test, since: before.startedAt).ids == ["a-", "b"])
        // A mutation continues from there.
        let updated = try await test.data(#"mutation { updateNote(input: { id: "b", _version: 1 }) { _version } }"#)
        #expect(updated.at("updateNote._version") == 2)
        try await test.server.close()
    }

    /// The service is one process, and the administrator's program another one.
    @Test func clientsOfOtherProcessesReceiveIt() async throws {
        let directory = TemporaryDirectory()
        func open() async throws -> TestServer {
            try await TestServer.open(
                SyncTests.schema,
                adapter: SQLiteAdapter(SQLiteConfiguration(.file(directory.file()), changeLogCommitCount: 1_000)))
        }
        let service = try await open()
        let client = try await TestClient.open(service)
        await client.start("1", "subscription { onCreateNote { id text _version } }")
        #expect(try await client.next()["type"] == "start_ack")
        let operating = try await open()
        let outcomes = await operating.server.data.importRecords([
            ["__typename": "Note", "id": "a", "text": "1"]
        ])
        #expect(Self.words(outcomes) == ["created"])
        #expect(
            try await client.next().text
                == #"{"type":"data","id":"1","payload":{"data":{"onCreateNote":{"id":"a","text":"1","_version":1}}}}"#)
        try await operating.server.close()
        try await service.server.close()
    }

    @Test func whatDoesNotFitIsRefused() async throws {
        let test = try await TestServer.open(Self.schema)
        let data = test.server.data
        try await data.put(["id": "p", "title": "t"], in: "Post")
        try await data.put(["id": "d", "title": "t"], in: "Post")
        try await data.delete(["id": "d"], from: "Post")
        for (fields, model, kind, text) in [
            (["id": "1"], "Pots", .unknownModel, "the schema has no model \"Pots\"; it has Post, Blog, Reading"),
            (["id": "1"], "a\"b", .unknownModel, "the schema has no model \"?\"; it has Post, Blog, Reading"),
            (["id": "1", "titel": 1], "Post", .unknownField, "Post.titel: there is no such field"),
            (["id": "1", "a secret": 1], "Post", .unknownField, "Post.?: there is no such field"),
            (["id": "1", "blog": "b"], "Post", .unknownField, "Post.blog: it is a relation; give blogPostsId"),
            (
                ["id": "1", "posts": []], "Blog", .unknownField,
                "Blog.posts: it is a relation; the other records have its key"
            ),
            (["id": "1"], "Post", .missingValue, "Post.title: a value is required"),
            (["id": "p", "title": nil], "Post", .missingValue, "Post.title: a value is required"),
            (
                ["sensor": "1", "value": 1], "Reading", .missingValue,
                "Reading.number: a value is required, since it is part of the key"
            ),
            (["id": "1", "title": ["secret"]], "Post", .invalidValue, "Post.title: expected text"),
            (
                ["id": "1", "title": "t", "rating": "secret"], "Post", .invalidValue,
                "Post.rating: expected a finite number"
            ),
            (
                ["id": "1", "title": "t", "status": "SECRET"], "Post", .invalidValue,
                "Post.status: expected a value of the enum Status"
            ),
            (
                ["id": "1", "title": "t", "meta": ["size": 1]], "Post", .missingValue,
                "Post.meta.name: a value is required"
            ),
            (
                ["id": "1", "title": "t", "meta": ["name": "n", "secret?": 1]], "Post", .unknownField,
                "Post.meta.?: there is no such field"
            ),
            (["id": "1", "_version": "secret"], "Post", .invalidValue, "Post._version: expected a whole number"),
            (["id": "1", "_deleted": "secret"], "Post", .invalidValue, "Post._deleted: expected true or false"),
            (
                ["id": "1", "_deleted": true], "Post", .invalidValue,
                "Post._deleted: 'put' does not delete records; call 'delete'"
            ),
            (
                ["__typename": "Blog", "id": "1"], "Post", .unknownModel,
                "Post.__typename: the record is of another model"
            ),
            (
                ["id": "p", "title": "u", "_version": 7], "Post", .otherVersion,
                "Post: the stored record has another version"
            ),
            (
                ["id": "p", "title": "u", "_version": 0], "Post", .otherVersion,
                "Post: the stored record has another version"
            ),
            (
                ["id": "n", "title": "u", "_version": 1], "Post", .otherVersion,
                "Post: the stored record has another version"
            ),
        ] as [(JSONObject, String, DataError.Kind, String)] {
            let error = await #expect(throws: DataError.self) { try await data.put(fields, in: model) }
            #expect(error?.kind == kind)
            #expect(error.map { "\($0)" } == text)
        }
        for (key, kind, text) in [
            (["id": "none"], .noRecord, "Post: there is no record with this key"),
            (["id": "d"], .noRecord, "Post: there is no record with this key"),
            (["id": "p", "_version": 2], .otherVersion, "Post: the stored record has another version"),
            ([:], .missingValue, "Post.id: a value is required, since it is part of the key"),
        ] as [(JSONObject, DataError.Kind, String)] {
            let error = await #expect(throws: DataError.self) { try await data.delete(key, from: "Post") }
            #expect(error?.kind == kind)
            #expect(error.map { "\($0)" } == text)
        }
        #expect(throws: DataError.self) { try data.key(of: "Pots") }
        #expect(try data.key(of: "Reading") == ["sensor", "number"])
        // Nothing of it was written.
        #expect(try await Self.export(test, deleted: true, metadata: true).count == 2)
        #expect(try await data.put(["id": "p"], in: "Post")["_version"] == 2)
    }

    /// Without it no client could read the record with the relation.
    @Test func theKeyOfARequiredRelationIsRequired() async throws {
        let data = try await TestServer.open(
            """
            type Ship @model @auth(rules: [{ allow: public }]) { bells: [Bell] @hasMany }
            type Bell @model @auth(rules: [{ allow: public }]) { ship: Ship! @belongsTo }
            """
        ).server.data
        try await data.put(["id": "1", "shipBellsId": "s"], in: "Bell")
        for fields in [["id": "2"], ["id": "1", "shipBellsId": nil]] as [JSONObject] {
            let error = await #expect(throws: DataError.self) { try await data.put(fields, in: "Bell") }
            #expect(error.map { "\($0)" } == "Bell.shipBellsId: a value is required")
        }
    }

    @Test func writesAreDecidedAgainIfAnotherCommitCameFirst() async throws {
        let adapter = RefusingAdapter()
        let test = try await TestServer.open(Self.schema, adapter: adapter)
        let data = test.server.data
        try await data.put(["id": "p", "title": "t"], in: "Post")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...8 {
                let field = ["rating", "stamp"][number % 2]
                group.addTask { try await data.put(["id": "p", "\(field)": .integer(Int64(number))], in: "Post") }
            }
            try await group.waitForAll()
        }
        #expect(try await data.put(["id": "p"], in: "Post")["_version"] == 10)
        adapter.refuse(15)
        #expect(try await data.put(["id": "p"], in: "Post")["_version"] == 11)
        adapter.refuse(16)
        let error = await #expect(throws: DataError.self) { try await data.put(["id": "p"], in: "Post") }
        #expect(error?.kind == .contended)
        adapter.refuse(1)
        #expect(Self.words(await data.importRecords([["__typename": "Blog", "id": "b"]])) == ["created"])
        adapter.loseNextAnswer()
        #expect(Self.words(await data.importRecords([["__typename": "Blog", "id": "c"]])) == ["StorageError"])
        #expect(Self.words(await data.importRecords([["__typename": "Blog", "id": "c"]])) == ["unchanged"])
    }

    // MARK: - Many records

    static let lines = [
        #"{"__typename":"Post","id":"1","title":"a \"b\"\n","rating":1.5,"status":"OPEN","tags":["x",null,"y"],"#
            + #""meta":{"name":"m","size":3,"inner":{"flag":true}},"metas":[{"name":"x"}],"#
            + #""at":"2024-02-29T08:30:00.50+02:00","day":"2024-02-29","time":"08:30:00.5","json":"{\"a\": 1}","#
            + #""stamp":12345678901,"flag":false,"createdAt":"2020-01-01T00:00:00.000Z","#
            + #""updatedAt":"2020-01-02T00:00:00.000Z","blogPostsId":"later","owner":"ann::Ann"}"#,
        #"{"__typename":"Post","id":"2","title":"","rating":null,"status":null,"tags":[],"meta":null,"metas":null,"#
            + #""at":null,"day":null,"time":null,"json":null,"stamp":null,"flag":null,"#
            + #""createdAt":"2020-01-01T00:00:00.000Z","updatedAt":"2020-01-02T00:00:00.000Z","#
            + #""blogPostsId":null,"owner":null}"#,
        #"{"__typename":"Blog","id":"later","name":"B","createdAt":"2020-01-01T00:00:00.000Z","#
            + #""updatedAt":"2020-01-02T00:00:00.000Z"}"#,
        #"{"__typename":"Reading","sensor":"s","number":-5,"value":0.1,"createdAt":"2020-01-01T00:00:00.000Z","#
            + #""updatedAt":"2020-01-02T00:00:00.000Z"}"#,
        #"{"__typename":"Reading","sensor":"s","number":10,"value":4.0,"createdAt":"2020-01-01T00:00:00.000Z","#
            + #""updatedAt":"2020-01-02T00:00:00.000Z"}"#,
    ]

    /// Every type of value, with children before their parents, from a store to another one.
    @Test(arguments: TestServer.Kind.allCases, TestServer.Kind.allCases) func exportIsEqualAfterImport(
        from: TestServer.Kind, to: TestServer.Kind
    ) async throws {
        let first = try await TestServer.open(Self.schema, on: from)
        let records = try Self.lines.map(Self.object)
        #expect(Self.words(await first.server.data.importRecords(records)) == Array(repeating: "created", count: 5))
        let exported = try await Self.export(first)
        #expect(exported == Self.lines)
        let second = try await TestServer.open(Self.schema, on: to)
        let metadata = try await Self.export(first, metadata: true).map(Self.object)
        #expect(Self.words(await second.server.data.importRecords(metadata)) == Array(repeating: "created", count: 5))
        #expect(try await Self.export(second) == exported)
        // Nothing is written a second time.
        second.world.advance(.milliseconds(1_000))
        let before = try await Self.export(second, metadata: true)
        for existing in ExistingRecords.allCases {
            let again = await second.server.data.importRecords(metadata, existing: existing)
            #expect(Self.words(again) == Array(repeating: "unchanged", count: 5))
        }
        #expect(try await Self.export(second, metadata: true) == before)
    }

    @Test(arguments: TestServer.Kind.allCases) func recordsAreExportedInOrder(kind: TestServer.Kind) async throws {
        let test = try await TestServer.open(Self.schema, on: kind)
        let numbers = (0..<1_500).map { WireValue.integer(Int64($0 * 7_919 % 1_500)) }
        let outcomes = await test.server.data.importRecords(
            numbers.map { ["__typename": "Reading", "sensor": "s", "number": $0, "value": 1] })
        #expect(outcomes.count == 1_500)
        try await test.server.data.put(["id": "b"], in: "Blog")
        try await test.server.data.delete(["sensor": "s", "number": "3"], from: "Reading")
        let data = test.server.data
        var found: [Int64] = []
        try await data.forEachRecord(of: ["Reading"]) { found.append($0["number"]?.integer ?? -1) }
        #expect(found == (0..<1_500).filter { $0 != 3 })
        var tombstones: [JSONObject] = []
        try await data.forEachRecord(of: ["Reading", "Blog"], includesDeleted: true, includesMetadata: true) { record in
            if record["_deleted"] == true || record["__typename"] == "Blog" { tombstones.append(record) }
        }
        #expect(tombstones.map { $0["__typename"] } == ["Reading", "Blog"])
        #expect(tombstones.first?["_version"] == 2)
        await #expect(throws: DataError.self) { try await data.forEachRecord(of: ["Blog", "Pots"]) { _ in } }
        // An end in the middle leaves nothing open.
        await #expect(throws: CancellationError.self) {
            try await data.forEachRecord { _ in throw CancellationError() }
        }
        try await test.server.close()
    }

    @Test(arguments: TestServer.Kind.allCases) func storedRecordsStayOrAreReplaced(kind: TestServer.Kind) async throws {
        let test = try await TestServer.open(Self.schema, on: kind)
        let data = test.server.data
        try await data.put(["id": "1", "title": "a", "rating": 5, "owner": "ann"], in: "Post")
        try await data.put(["id": "2", "title": "b"], in: "Post")
        try await data.delete(["id": "2"], from: "Post")
        let before = try await Self.export(test, deleted: true, metadata: true)
        let records: [JSONObject] = [
            ["__typename": "Post", "id": "1", "title": "c"], ["__typename": "Post", "id": "2", "title": "d"],
        ]
        test.world.advance(.milliseconds(1_000))
        #expect(
            Self.words(await data.importRecords(records)) == [
                "Post: there is a record with this key and other values"
            ])
        #expect(
            Self.words(await data.importRecords(records, stopsAtFailure: false)) == [
                "Post: there is a record with this key and other values", "Post: a record with this key was deleted",
            ])
        #expect(Self.words(await data.importRecords(records, existing: .skip)) == ["skipped", "skipped"])
        let dry = await data.importRecords(records, existing: .replace, isDryRun: true)
        #expect(Self.words(dry) == ["replaced", "replaced"])
        #expect(try await Self.export(test, deleted: true, metadata: true) == before)

        #expect(Self.words(await data.importRecords(records, existing: .replace)) == ["replaced", "replaced"])
        let after = try await Self.export(test, metadata: true).map(Self.object)
        #expect(after.map { $0["title"] } == ["c", "d"])
        #expect(after.map { $0["_version"] } == [2, 3])
        #expect(after.map { $0["rating"] } == [.null, .null])
        #expect(after.map { $0["owner"] } == [.null, .null])
        #expect(after.map { $0["status"] } == ["DRAFT", "DRAFT"])
        #expect(after.map { $0["createdAt"] } == ["2023-11-14T22:13:20.000Z", "2023-11-14T22:13:21.000Z"])
        #expect(after.map { $0["updatedAt"] } == ["2023-11-14T22:13:21.000Z", "2023-11-14T22:13:21.000Z"])

        // Tombstones delete what is there.
        let tombstones: [JSONObject] = [
            ["__typename": "Post", "id": "1", "_deleted": true, "_version": 99],
            ["__typename": "Post", "id": "none", "_deleted": true],
        ]
        #expect(
            Self.words(await data.importRecords(tombstones, stopsAtFailure: false)) == [
                "Post: there is a record with this key and other values", "unchanged",
            ])
        #expect(Self.words(await data.importRecords(tombstones, existing: .skip)) == ["skipped", "unchanged"])
        #expect(Self.words(await data.importRecords(tombstones, existing: .replace)) == ["deleted", "unchanged"])
        #expect(Self.words(await data.importRecords(tombstones, existing: .replace)) == ["unchanged", "unchanged"])
        #expect(try await Self.export(test).count == 1)
    }

    @Test func importStopsOrGoesOnAtAFailure() async throws {
        let records: [JSONObject] = [
            ["__typename": "Blog", "id": "1", "name": "a"], ["__typename": "Blog", "id": "1", "name": "a"],
            ["__typename": "Blog", "name": "b"], ["id": "3"], ["__typename": "Pots", "id": "3"],
            ["__typename": "Blog", "id": "1", "name": "c"], ["__typename": "Blog", "id": "4"],
        ]
        let first = try await TestServer.open(Self.schema)
        #expect(
            Self.words(await first.server.data.importRecords(records)) == [
                "created", "unchanged", "Blog.id: a value is required, since it is part of the key",
            ])
        #expect(try await Self.export(first).count == 1)
        let second = try await TestServer.open(Self.schema)
        #expect(
            Self.words(await second.server.data.importRecords(records, existing: .replace, stopsAtFailure: false)) == [
                "created", "unchanged", "Blog.id: a value is required, since it is part of the key",
                "\"__typename\" must be the name of a model",
                "the schema has no model \"Pots\"; it has Post, Blog, Reading", "replaced", "created",
            ])
        let blogs = try await Self.export(second).map(Self.object)
        #expect(blogs.map { $0["name"] } == ["c", .null])
        #expect(await second.server.data.importRecords([]).isEmpty)
        try await second.server.close()
        // A store that cannot be read fails each record, or the first.
        #expect(Self.words(await second.server.data.importRecords(Array(records.prefix(1)))) == ["StorageError"])
    }

    /// What comes later in the same call is not written after a record that only the store refuses.
    @Test func importStopsAtARefusalOfTheStore() async throws {
        let adapter = InterceptedAdapter(
            InMemoryAdapter(),
            beforeCommit: { _, request async throws(StorageError) in
                guard request.operations.contains(where: { $0.entity == "Reading" }) else { return }
                throw StorageError(.limitExceeded, "The record is too large.")
            })
        let test = try await TestServer.open(Self.schema, adapter: adapter)
        let records: [JSONObject] = [
            ["__typename": "Reading", "sensor": "s", "number": 1, "value": 1],
            ["__typename": "Blog", "id": "1", "name": "a"], ["__typename": "Blog", "id": "1", "name": "b"],
        ]
        let outcomes = await test.server.data.importRecords(records, existing: .replace)
        #expect(Self.words(outcomes) == ["Reading: The record is too large.", "created"])
        let blogs = try await Self.export(test).map(Self.object)
        #expect(blogs.map { $0["name"] } == ["a"])
        try await test.server.close()
    }

    /// What an earlier schema had stays in a record that is replaced.
    @Test func fieldsThatTheSchemaLacksStay() async throws {
        let directory = TemporaryDirectory()
        let large = try await SchemaChangeTests.open(
            "type Post @model { title: String rating: Int }", at: directory.file())
        try await large.server.data.put(["id": "1", "title": "a", "rating": 5], in: "Post")
        try await large.server.close()
        let small = try await SchemaChangeTests.open("type Post @model { title: String }", at: directory.file())
        let outcomes = await small.server.data.importRecords(
            [["__typename": "Post", "id": "1", "title": "b"]], existing: .replace)
        #expect(Self.words(outcomes) == ["replaced"])
        try await small.server.close()
        let again = try await SchemaChangeTests.open(
            "type Post @model { title: String rating: Int }", at: directory.file())
        let record = try #require(try await Self.export(again).map(Self.object).first)
        #expect(record["title"] == "b")
        #expect(record["rating"] == 5)
        try await again.server.close()
    }
}
