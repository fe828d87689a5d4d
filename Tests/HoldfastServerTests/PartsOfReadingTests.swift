import HoldfastServer
import HoldfastWire
import Testing

/// Rules that allow some of `get`, `list`, `sync`, and `listen`, or none.
@Suite struct PartsOfReadingTests {
    private static let schema = """
        type Task @model @auth(rules: [
          { allow: private, operations: [create, update, sync, listen] }, { allow: groups, groups: ["Admin"] }
        ]) {
          title: String secret: String @auth(rules: [{ allow: groups, groups: ["Admin"] }])
        }
        type Post @model @auth(rules: [{ allow: private, operations: [create, update, delete, sync, listen] }]) {
          comments: [Comment] @hasMany(indexName: "byPost", fields: ["id"])
          memos: [Memo] @hasMany(indexName: "memosByPost", fields: ["id"])
          notices: [Notice] @hasMany(indexName: "noticesByPost", fields: ["id"])
        }
        type Comment @model @auth(rules: [{ allow: private, operations: [create, update, delete, sync, listen] }]) {
          postId: ID @index(name: "byPost") post: Post @belongsTo(fields: ["postId"])
        }
        type Log @model @auth(rules: [{ allow: groups, groups: ["Admin"] }]) {
          reports: [Report] @hasMany(indexName: "byLog", fields: ["id"])
        }
        type Report @model @auth(rules: [
          { allow: private, operations: [create] }, { allow: groups, groups: ["Admin"] }
          { allow: groups, groups: ["Editors"], operations: [update] }
        ]) {
          text: String note: String @auth(rules: [{ allow: groups, groups: ["Admin"] }])
          logId: ID @index(name: "byLog") log: Log @belongsTo(fields: ["logId"])
        }
        type Memo @model @auth(rules: [
          { allow: owner }, { allow: groups, groups: ["Editors"], operations: [update, delete] }
        ]) {
          text: String owner: String postId: ID @index(name: "memosByPost") post: Post @belongsTo(fields: ["postId"])
        }
        type Notice @model @auth(rules: [
          { allow: groups, groups: ["Admin"] }, { allow: groups, groups: ["Editors"], operations: [update, delete] }
        ]) { text: String postId: ID @index(name: "noticesByPost") post: Post @belongsTo(fields: ["postId"]) }
        """

    private static let alice = AccessTests.user("alice")
    private static let admin = AccessTests.user("carol/Admin")

    private static func open() async throws -> TestServer {
        let test = try await AccessTests.open(schema: schema)
        for input in [
            "createTask(input: { id: 1, title: \"t\", secret: \"s\" })", "createPost(input: { id: \"p\" })",
            "createComment(input: { id: \"c\", postId: \"p\" })", "createLog(input: { id: \"l\" })",
        ] { _ = try await test.data("mutation { \(input) { id } }", headers: admin) }
        return test
    }

    @Test func onePartShowsFieldsAndRelations() async throws {
        let test = try await Self.open()
        let tasks = try await test.send("{ syncTasks { items { title secret } } }", headers: Self.alice)
        #expect(tasks.at("data.syncTasks.items") == [["title": "t", "secret": nil]])
        #expect(tasks["errors"]?.array?.count == 1)
        #expect(tasks.at("errors.0.path")?.text == #"["syncTasks","items",0,"secret"]"#)
        let comments = try await test.data("{ syncComments { items { post { id } } } }", headers: Self.alice)
        #expect(comments.at("syncComments.items") == [["post": ["id": "p"]]])
        let posts = try await test.data(
            "{ syncPosts { items { comments(filter: { postId: { eq: \"p\" } }) { items { id } } } } }",
            headers: Self.alice)
        #expect(posts.at("syncPosts.items") == [["comments": ["items": [["id": "c"]]]]])
        for query in ["getTask(id: 1) { title }", "listTasks { items { title } }", "listPosts { items { id } }"] {
            let refused = try await test.send("{ it: \(query) }", headers: Self.alice)
            #expect(refused["data"] == ["it": nil], "\(query)")
            #expect(refused.at("errors.0.errorType") == "Unauthorized")
        }
    }

    @Test func onePartIsEnoughForConditions() async throws {
        let test = try await Self.open()
        func update(_ condition: String) async throws -> WireValue {
            try await test.send(
                "mutation { updateTask(input: { id: 1, title: \"u\", _version: 1 }, condition: { \(condition) }) { title } }",
                headers: Self.alice)
        }
        let refused = try await update("secret: { eq: \"s\" }")
        #expect(refused.at("errors.0.message") == "Unauthorized on [secret]")
        #expect(try await update("title: { eq: \"t\" }") == ["data": ["updateTask": ["title": "u"]]])
    }

    /// A user who may only create records is shown the new one, and no other.
    @Test func aNewRecordIsVisibleToItsCreator() async throws {
        let test = try await Self.open()
        let create = "mutation { createReport(input: { id: 1, text: \"t\", logId: \"l\" }) { id text note logId } }"
        let made = try await test.data(create, headers: Self.alice)
        #expect(made["createReport"] == ["id": "1", "text": "t", "note": nil, "logId": "l"])
        let again = try await test.send(create, headers: Self.alice)
        #expect(again["data"] == ["createReport": nil])
        #expect(again.at("errors.0.data") == .null)
        let related = try await test.send(
            "mutation { createReport(input: { logId: \"l\" }) { text log { id } } }", headers: Self.alice)
        #expect(related["data"] == ["createReport": ["text": nil, "log": nil]])
        #expect(related.at("errors.0.message") == "Not Authorized to access log on type Report")
        for request in [
            "query { it: getReport(id: 1) { text } }", "query { it: syncReports { items { text } } }",
            "mutation { it: updateReport(input: { id: 1, _version: 1 }) { text } }",
        ] {
            let refused = try await test.send(request, headers: Self.alice)
            #expect(refused["data"] == ["it": nil], "\(request)")
            #expect(refused.at("errors.0.errorType") == "Unauthorized")
        }
        // A user who may change a record of another user may not have been allowed to read it.
        let changed = try await test.send(
            "mutation { updateReport(input: { id: 1, _version: 1 }) { id text } }",
            headers: AccessTests.user("dave/Editors"))
        #expect(changed["data"] == ["updateReport": ["id": "1", "text": nil]])
        #expect(changed.at("errors.0.errorType") == "Unauthorized")
        let stale = try await test.send(
            "mutation { updateReport(input: { id: 1, _version: 9 }) { id text } }",
            headers: AccessTests.user("dave/Editors"))
        #expect(stale.at("errors.0.errorType") == "ConflictUnhandled")
        #expect(stale.at("errors.0.data") == .null)
    }

    /// Neither by the answer, nor by a conflict, nor by conditions, also where no field has rules of its own.
    @Test(arguments: ["Memo", "Notice"]) func whoMayOnlyChangeARecordDoesNotReadIt(model: String) async throws {
        let test = try await Self.open()
        func send(_ mutation: String, _ headers: [String: String]) async throws -> WireValue {
            try await test.send("mutation { it: \(mutation) { id text post { id } _version } }", headers: headers)
        }
        let editor = AccessTests.user("eve/Editors")
        let made = try await send("create\(model)(input: { id: 1, text: \"s\", postId: \"p\" })", Self.admin)
        #expect(made == ["data": ["it": ["id": "1", "text": "s", "post": ["id": "p"], "_version": 1]]])
        let change = "update\(model)(input: { id: 1, text: \"u\", _version: 1 }"
        var answers: [WireValue] = []
        for part in ["s", "x"] {
            answers.append(try await send("\(change), condition: { text: { beginsWith: \"\(part)\" } })", editor))
        }
        #expect(answers[0] == answers[1])
        #expect(answers[0]["data"] == ["it": nil])
        for stale in ["update\(model)(input: { id: 1, _version: 7 })", "delete\(model)(input: { id: 1 })"] {
            let conflict = try await send(stale, editor)
            #expect(conflict["errors"]?.array?.count == 1)
            #expect(conflict.at("errors.0.errorType") == "ConflictUnhandled")
            #expect(conflict.at("errors.0.data") == .null)
        }
        let changed = try await send("\(change))", editor)
        #expect(changed["data"] == ["it": ["id": "1", "text": nil, "post": nil, "_version": 2]])
        #expect(changed["errors"]?.array?.count == 2)
        #expect(changed.at("errors.0.path") == ["it", "text"])
        #expect(changed.at("errors.0.errorType") == "Unauthorized")
        let conflict = try await send("\(change), condition: { text: { eq: \"u\" } })", Self.admin)
        #expect(conflict.at("errors.0.errorType") == "ConflictUnhandled")
        #expect(
            conflict.at("errors.0.data") == ["id": "1", "text": "u", "post": ["id": "p"], "_version": 2])
        let own = try await send(
            "update\(model)(input: { id: 1, _version: 2 }, condition: { text: { eq: \"u\" } })", Self.admin)
        #expect(own == ["data": ["it": ["id": "1", "text": "u", "post": ["id": "p"], "_version": 3]]])
    }

    /// A user who gives a record to another user has read it.
    @Test func anAnswerShowsWhatWasReadableBefore() async throws {
        let test = try await Self.open()
        _ = try await test.data("mutation { createMemo(input: { id: 1, text: \"s\" }) { id } }", headers: Self.alice)
        let given = try await test.data(
            "mutation { updateMemo(input: { id: 1, owner: \"bob\", _version: 1 }) { text owner } }",
            headers: Self.alice)
        #expect(given["updateMemo"] == ["text": "s", "owner": "bob"])
        let refused = try await test.send("{ getMemo(id: 1) { text } }", headers: Self.alice)
        #expect(refused.at("errors.0.errorType") == "Unauthorized")
    }
}
