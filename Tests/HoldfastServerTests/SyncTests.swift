import Foundation
import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastSQLite
import HoldfastServer
import HoldfastStorage
import HoldfastTestSupport
import HoldfastWire
import Testing

@Suite struct SyncTests {
    static let schema = "type Note @model @auth(rules: [{ allow: public }]) { text: String }"
    static let query = """
        query Q($lastSync: AWSTimestamp, $limit: Int, $nextToken: String, $filter: ModelNoteFilterInput) {
          syncNotes(lastSync: $lastSync, limit: $limit, nextToken: $nextToken, filter: $filter) {
            items { id text _version _deleted } nextToken startedAt
          }
        }
        """

    struct Page {
        var ids: [String]
        var token: WireValue
        var startedAt: Int64
    }

    static func page(
        _ test: TestServer, since lastSync: Int64? = nil, limit: Int64 = 100, token: WireValue = .null,
        filter: WireValue = .null
    ) async throws -> Page {
        let data = try await test.data(
            query,
            [
                "lastSync": lastSync.map(WireValue.integer) ?? .null, "limit": .integer(limit), "nextToken": token,
                "filter": filter,
            ])
        let items = try #require(data.at("syncNotes.items")?.array)
        return Page(
            ids: items.map { item in
                (item["id"]?.string ?? "") + (item["_deleted"] == true ? "-" : "")
            }, token: try #require(data.at("syncNotes.nextToken")),
            startedAt: try #require(data.at("syncNotes.startedAt")?.integer))
    }

    static func create(_ test: TestServer, _ ids: String...) async throws {
        for id in ids { _ = try await test.data("mutation { createNote(input: { id: \"\(id)\" }) { id } }") }
    }

    @Test(arguments: TestServer.Kind.allCases) func deltaHasWhatChanged(kind: TestServer.Kind) async throws {
        let test = try await TestServer.open(Self.schema, on: kind)
        try await Self.create(test, "c", "a", "b")
        let base = try await Self.page(test, since: 0)
        #expect(base.ids == ["a", "b", "c"])
        #expect(base.token == .null)
        test.world.advance(.milliseconds(2_000))
        #expect(try await Self.page(test, since: base.startedAt).ids == [])
        _ = try await test.data("mutation { updateNote(input: { id: \"c\", text: \"x\", _version: 1 }) { id } }")
        _ = try await test.data("mutation { deleteNote(input: { id: \"a\", _version: 1 }) { id } }")
        try await Self.create(test, "d")
        test.world.advance(.milliseconds(2_000))
        let delta = try await Self.page(test, since: base.startedAt)
        #expect(delta.ids == ["c", "a-", "d"])
        #expect(delta.startedAt > base.startedAt)
        test.world.advance(.milliseconds(2_000))
        #expect(try await Self.page(test, since: delta.startedAt).ids == [])
        // A time of the client's own clock, a moment after the change, and one that is far ahead.
        #expect(try await Self.page(test, since: test.world.now).ids == ["c", "a-", "d"])
        #expect(try await Self.page(test, since: test.world.now + 60_000).ids == ["a-", "b", "c", "d"])
        #expect(try await Self.page(test).ids == ["a-", "b", "c", "d"])
    }

    @Test(arguments: TestServer.Kind.allCases) func pagesOfOneSyncAgree(kind: TestServer.Kind) async throws {
        let test = try await TestServer.open(Self.schema, on: kind)
        try await Self.create(test, "a", "b", "c", "d", "e")
        let first = try await Self.page(test, limit: 2)
        #expect(first.ids == ["a", "b"])
        // What changes before the page in key order comes with the next delta.
        _ = try await test.data("mutation { updateNote(input: { id: \"a\", text: \"x\", _version: 1 }) { id } }")
        test.world.advance(.milliseconds(2_000))
        let second = try await Self.page(test, limit: 2, token: first.token)
        #expect(second.ids == ["c", "d"])
        #expect(second.startedAt == first.startedAt)
        let third = try await Self.page(test, limit: 2, token: second.token)
        #expect(third.ids == ["e"])
        #expect(third.token == .null)
        #expect(try await Self.page(test, since: first.startedAt).ids == ["a"])

        // The same of a delta: it goes up to what its first page saw.
        let start = try await Self.page(test)
        for id in ["e", "d", "c"] {
            _ = try await test.data(
                "mutation { updateNote(input: { id: \"\(id)\", text: \"y\", _version: 1 }) { id } }")
        }
        test.world.advance(.milliseconds(2_000))
        let delta = try await Self.page(test, since: start.startedAt, limit: 2)
        #expect(delta.ids.suffix(2) == ["e", "d"] || delta.ids == ["a", "e"])
        _ = try await test.data("mutation { updateNote(input: { id: \"e\", text: \"z\", _version: 2 }) { id } }")
        var rest: [String] = []
        var token = delta.token
        while token != .null {
            let page = try await Self.page(test, since: start.startedAt, limit: 2, token: token)
            #expect(page.startedAt == delta.startedAt)
            rest += page.ids
            token = page.token
        }
        #expect(rest.last == "c")
        #expect(!rest.contains("e"))
        test.world.advance(.milliseconds(2_000))
        #expect(try await Self.page(test, since: delta.startedAt).ids.contains("e"))
    }

    /// What does not fit into a page is in the next one, and a record that is larger than a page has one of its own.
    @Test(arguments: TestServer.Kind.allCases) func pagesOfLargeRecordsAreShort(kind: TestServer.Kind) async throws {
        let limits = ServerLimits(pageByteCount: 1_500)
        let test = try await TestServer.open(
            Self.schema, on: kind, options: ServerOptions(apiKeys: ["key"], limits: limits))
        try await Self.create(test, "0")
        let before = try await Self.page(test)
        test.world.advance(.milliseconds(2_000))
        for (id, count) in [("a", 400), ("b", 400), ("c", 5_000), ("d", 400), ("e", 400)] {
            let text = String(repeating: "x", count: count)
            _ = try await test.data("mutation { createNote(input: { id: \"\(id)\", text: \"\(text)\" }) { id } }")
        }
        test.world.advance(.milliseconds(2_000))
        func pages(since lastSync: Int64? = nil, filter: WireValue = .null) async throws -> [[String]] {
            var pages: [[String]] = []
            var token: WireValue = .null
            repeat {
                let page = try await Self.page(test, since: lastSync, token: token, filter: filter)
                pages.append(page.ids)
                token = page.token
            } while !token.isNull
            return pages
        }
        #expect(try await pages() == [["0", "a", "b"], ["c"], ["d", "e"]])
        #expect(try await pages(since: before.startedAt) == [["a", "b"], ["c"], ["d", "e"]])
        #expect(try await pages(filter: ["text": ["size": ["gt": 1]]]) == [["a", "b"], ["c"], ["d", "e"]])
        let list = try await test.data("{ listNotes { items { id } nextToken } }")
        #expect(list.at("listNotes.items") == [["id": "0"], ["id": "a"], ["id": "b"]])
        #expect(list.at("listNotes.nextToken")?.string != nil)
    }

    static let comments = """
        type Post @model @auth(rules: [{ allow: public }]) { text: String comments: [Comment] @hasMany }
        type Comment @model @auth(rules: [{ allow: public }]) { text: String post: Post @belongsTo }
        """

    /// A server with a post whose text has 1,000 bytes, and eight comments on it.
    static func openWithComments(
        _ limits: ServerLimits, text: String, on kind: TestServer.Kind
    ) async throws -> (test: TestServer, startedAt: WireValue) {
        let test = try await TestServer.open(
            comments, on: kind, options: ServerOptions(apiKeys: ["key"], limits: limits))
        let before = try await test.data("{ syncComments { startedAt } }")
        test.world.advance(.milliseconds(2_000))
        let body = String(repeating: "x", count: 1_000)
        _ = try await test.data("mutation { createPost(input: { id: \"p\", text: \"\(body)\" }) { id } }")
        for id in 0..<8 {
            let input = "{ id: \"\(id)\", text: \"\(text)\", postCommentsId: \"p\" }"
            _ = try await test.data("mutation { createComment(input: \(input)) { id } }")
        }
        test.world.advance(.milliseconds(2_000))
        return (test, try #require(before.at("syncComments.startedAt")))
    }

    /// The pages of comments with their posts, and the error of each that has one.
    static func commentPages(
        _ test: TestServer, _ field: String
    ) async throws -> (pages: [[WireValue]], errors: [WireValue]) {
        var (pages, errors): ([[WireValue]], [WireValue]) = ([], [])
        var token: WireValue = .null
        repeat {
            // The token comes before what it depends on.
            let answer = try await test.send(
                "query Q($t: String) { \(field) { nextToken items { id text post { id text } } } }", ["t": token])
            let page = try #require(answer["data"]?.object?.members.first?.value)
            pages.append(try #require(page["items"]?.array))
            errors += answer["errors"]?.array ?? []
            token = try #require(page["nextToken"])
        } while token != .null && pages.count < 20
        return (pages, errors)
    }

    /// Related records are written with each record, so that a page of small records can meet the limit of a response.
    @Test(arguments: TestServer.Kind.allCases) func aPageEndsWhereTheResponseDoes(kind: TestServer.Kind) async throws {
        let (test, startedAt) = try await Self.openWithComments(
            ServerLimits(responseByteCount: 3_000), text: "t", on: kind)
        for field in [
            "syncComments(nextToken: $t)", "syncComments(nextToken: $t, lastSync: \(startedAt.text))",
            "listComments(nextToken: $t)",
        ] {
            let (pages, errors) = try await Self.commentPages(test, field)
            let ids = pages.map { page in page.compactMap { $0["id"]?.string } }
            #expect(ids == [["0", "1", "2"], ["3", "4", "5"], ["6", "7"]], "\(field)")
            #expect(pages.joined().allSatisfy { $0.at("post.text")?.string?.count == 1_000 }, "\(field)")
            #expect(errors == [], "\(field)")
        }
    }

    /// A record that fills a response is there without what did not fit, and the list goes on.
    @Test(arguments: TestServer.Kind.allCases) func aRecordThatFillsAResponseIsAlone(
        kind: TestServer.Kind
    ) async throws {
        let text = String(repeating: "y", count: 600)
        let (test, startedAt) = try await Self.openWithComments(
            ServerLimits(responseByteCount: 500), text: text, on: kind)
        for field in ["syncComments(nextToken: $t)", "syncComments(nextToken: $t, lastSync: \(startedAt.text))"] {
            let (pages, errors) = try await Self.commentPages(test, field)
            let ids = pages.map { page in page.compactMap { $0["id"]?.string } }
            #expect(ids == (0..<8).map { ["\($0)"] }, "\(field)")
            #expect(pages.joined().allSatisfy { $0["text"]?.string == text && $0["post"] == .null }, "\(field)")
            #expect(errors.count == 8, "\(field)")
            #expect(errors.allSatisfy { $0["path"] == ["syncComments", "items", 0, "post"] }, "\(field)")
            #expect(errors.allSatisfy { $0["errorType"] == "LimitExceededException" }, "\(field)")
        }
        // The page of a relation has all its records, or is missing.
        let post = try await test.send("{ getPost(id: \"p\") { id comments { items { id text } nextToken } } }")
        #expect(post["data"] == ["getPost": ["id": "p", "comments": nil]])
        #expect(post.at("errors.0.path") == ["getPost", "comments"])
        #expect(post.at("errors.0.errorType") == "LimitExceededException")
    }

    /// A page whose relations are larger than a request may keep has fewer records.
    @Test(arguments: TestServer.Kind.allCases) func aPageWithLargeRelationsIsShort(kind: TestServer.Kind) async throws {
        let limits = ServerLimits(rowBytesPerRequest: 20_000)
        let (test, startedAt) = try await Self.openWithComments(limits, text: "t", on: kind)
        let text = String(repeating: "x", count: 1_000)
        for id in 10..<42 {
            _ = try await test.data(
                "mutation { createPost(input: { id: \"p\(id)\", text: \"\(text)\" }) { id } }")
            _ = try await test.data(
                "mutation { createComment(input: { id: \"\(id)\", postCommentsId: \"p\(id)\" }) { id } }")
        }
        test.world.advance(.milliseconds(2_000))
        for field in [
            "syncComments(nextToken: $t)", "syncComments(nextToken: $t, lastSync: \(startedAt.text))",
            "listComments(nextToken: $t)",
        ] {
            let (pages, errors) = try await Self.commentPages(test, field)
            let ids = pages.joined().compactMap { $0["id"]?.string }
            #expect(ids.count == 40 && Set(ids).count == 40, "\(field)")
            #expect(pages.count > 1, "\(field)")
            #expect(pages.joined().allSatisfy { $0.at("post.text")?.string?.count == 1_000 }, "\(field)")
            #expect(errors == [], "\(field)")
        }
    }

    /// A page whose relations have more records than a request may read has fewer records.
    ///
    /// A client whose answer has errors would ask for the same page again.
    @Test(arguments: TestServer.Kind.allCases) func aPageWithManyRelatedRecordsIsShort(
        kind: TestServer.Kind
    ) async throws {
        let limits = ServerLimits(rowsPerRequest: 60)
        let test = try await TestServer.open(
            Self.comments, on: kind, options: ServerOptions(apiKeys: ["key"], limits: limits))
        let before = try await test.data("{ syncPosts { startedAt } }")
        test.world.advance(.milliseconds(2_000))
        for post in 10..<30 {
            _ = try await test.data("mutation { createPost(input: { id: \"\(post)\" }) { id } }")
            for comment in 0..<5 {
                let input = "{ id: \"\(post) \(comment)\", postCommentsId: \"\(post)\" }"
                _ = try await test.data("mutation { createComment(input: \(input)) { id } }")
            }
        }
        test.world.advance(.milliseconds(2_000))
        let label = try #require(before.at("syncPosts.startedAt")).text
        for field in [
            "syncPosts(limit: 20, nextToken: $t)", "syncPosts(limit: 20, nextToken: $t, lastSync: \(label))",
            "listPosts(limit: 20, nextToken: $t)",
        ] {
            var ids: [String] = []
            var pageCount = 0
            var token: WireValue = .null
            repeat {
                let data = try await test.data(
                    "query Q($t: String) { it: \(field) { items { id comments { items { id } } } nextToken } }",
                    ["t": token])
                let items = try #require(data.at("it.items")?.array)
                #expect(items.allSatisfy { $0.at("comments.items")?.array?.count == 5 }, "\(field)")
                ids += items.compactMap { $0["id"]?.string }
                token = try #require(data.at("it.nextToken"))
                pageCount += 1
            } while token != .null && pageCount < 30
            #expect(ids == (10..<30).map { "\($0)" }, "\(field)")
            #expect(pageCount > 1, "\(field)")
        }
    }

    @Test func tokensOfOthersAreRefused() async throws {
        let test = try await TestServer.open(Self.schema)
        try await Self.create(test, "a", "b", "c")
        let page = try await Self.page(test, limit: 1)
        let token = try #require(page.token.string)
        var tampered = Array(token.utf8)
        tampered[4] = tampered[4] == 65 ? 66 : 65
        let other = try await TestServer.open(Self.schema)
        for (server, token, lastSync) in [
            (test, String(decoding: tampered, as: UTF8.self), WireValue.null), (test, token, 5), (test, "", .null),
            (other, token + "A", .null),
        ] {
            let response = try await server.send(
                Self.query, ["nextToken": .string(token), "lastSync": lastSync, "limit": 1])
            #expect(response.at("data.syncNotes") == .null)
            #expect(response.at("errors.0.errorType") == "InvalidArgumentsError")
        }
    }

    @Test func filterAppliesToBaseAndDelta() async throws {
        let test = try await TestServer.open(Self.schema)
        try await Self.create(test, "a", "b", "c")
        let filter: WireValue = ["and": [["id": ["size": ["eq": 1]]], ["not": ["id": ["eq": "b"]]]]]
        let base = try await Self.page(test, filter: filter)
        #expect(base.ids == ["a", "c"])
        try await Self.create(test, "bb", "d")
        test.world.advance(.milliseconds(2_000))
        #expect(try await Self.page(test, since: base.startedAt, filter: filter).ids.suffix(1) == ["d"])
        #expect(try await !Self.page(test, since: base.startedAt, filter: filter).ids.contains("bb"))
        #expect(try await Self.page(test, filter: ["and": [["id": ["eq": nil]]]]).ids == [])
    }

    /// What a filter skips is read, too; a page that skips many records is short, and its token continues.
    @Test(arguments: TestServer.Kind.allCases) func aDeltaLooksAtALimitedNumberOfRecords(
        kind: TestServer.Kind
    ) async throws {
        let limits = ServerLimits(rowsLookedAt: 5, rowsPerRequest: 40)
        let test = try await TestServer.open(
            Self.schema, on: kind, options: ServerOptions(apiKeys: ["key"], limits: limits))
        let label = try await Self.page(test).startedAt
        test.world.advance(.milliseconds(2_000))
        for index in 0..<12 { try await Self.create(test, "n\(index)") }
        // Most of them share a commit, within which no page ends.
        let records = (0..<20).map { index -> JSONObject in ["__typename": "Note", "id": .string("i\(index)")] }
        for result in await test.server.data.importRecords(records) { #expect(try result.get() == .created) }
        let filter: WireValue = ["id": ["contains": "7"]]
        var pages = [try await Self.page(test, since: label, limit: 2, filter: filter)]
        while let token = pages.last?.token, token != .null, pages.count < 40 {
            pages.append(try await Self.page(test, since: label, limit: 2, token: token, filter: filter))
        }
        #expect(pages.flatMap(\.ids).sorted() == ["i17", "i7", "n7"])
        #expect(pages.first?.ids == [])
        let fields = (0..<9).map { index in
            "a\(index): syncNotes(lastSync: \(label), limit: 1, filter: { text: { eq: \"none\" } }) { items { id } }"
        }
        let response = try await test.send("{ \(fields.joined(separator: " ")) }")
        #expect(response.at("errors.0.errorType") == "LimitExceededException")
        #expect(response.at("data.a0.items")?.array?.isEmpty == true)
    }

    /// A commit with an earlier sequence becomes visible after a delta that had a later one.
    @Test func trap5ALateCommitIsInTheNextDelta() async throws {
        let adapter = LateCommitAdapter()
        let test = try await TestServer.open(Self.schema, adapter: adapter)
        try await Self.create(test, "a")
        let base = try await Self.page(test)
        test.world.advance(.milliseconds(2_000))

        adapter.holdNextCommit()
        async let late: Void = Self.create(test, "late")
        await adapter.waitUntilHeld()
        try await Self.create(test, "soon")
        let delta = try await Self.page(test, since: base.startedAt)
        #expect(!delta.ids.contains("late"))
        adapter.release()
        try await late
        test.world.advance(.milliseconds(2_000))

        let next = try await Self.page(test, since: delta.startedAt)
        let index = try #require(next.ids.firstIndex(of: "late"))
        #expect(try index < #require(next.ids.firstIndex(of: "soon")))
        test.world.advance(.milliseconds(2_000))
        #expect(try await Self.page(test, since: next.startedAt).ids == [])
    }

    @Test(arguments: TestServer.Kind.allCases) func expiredTombstonesArePurged(kind: TestServer.Kind) async throws {
        let test = try await TestServer.open(Self.schema, on: kind)
        try await Self.create(test, "a", "b", "c")
        let before = try await Self.page(test)
        test.world.advance(.milliseconds(2_000))
        for id in ["a", "b"] {
            _ = try await test.data("mutation { deleteNote(input: { id: \"\(id)\", _version: 1 }) { id } }")
        }
        let after = try await Self.page(test)
        #expect(after.ids == ["a-", "b-", "c"])
        #expect(try await test.server.purgeTombstones() == 0)
        test.world.advance(.milliseconds(30 * 86_400_000 + 1_000))
        // In as many commits as it takes.
        #expect(try await test.server.purgeTombstones(limit: 1) == 2)
        #expect(try await test.server.purgeTombstones() == 0)
        try await Self.create(test, "d")
        test.world.advance(.milliseconds(2_000))
        // A client that was there before the deletions reads everything; one that saw them does not.
        #expect(try await Self.page(test, since: before.startedAt).ids == ["c", "d"])
        let late = try await Self.page(test)
        try await Self.create(test, "a")
        test.world.advance(.milliseconds(2_000))
        #expect(try await Self.page(test, since: late.startedAt).ids.suffix(1) == ["a"])
        #expect(try await !Self.page(test, since: late.startedAt).ids.contains("c"))
    }

    /// A tombstone keeps all that its record had.
    @Test func aPurgeReadsKeysAlone() async throws {
        let adapter = BatchRecordingAdapter(of: "Note")
        let test = try await TestServer.open(Self.schema, adapter: adapter)
        try await Self.create(test, "a", "b", "c")
        for id in ["a", "b"] {
            _ = try await test.data("mutation { deleteNote(input: { id: \"\(id)\", _version: 1 }) { id } }")
        }
        test.world.advance(.milliseconds(30 * 86_400_000 + 1_000))
        _ = adapter.takeBatches()
        #expect(try await test.server.purgeTombstones() == 2)
        #expect(Set(adapter.takeBatches().map(\.columnCount)) == [1])
        #expect(try await Self.page(test).ids == ["c"])
    }

    /// A deletion that is purged before its page is read would never be learned.
    @Test(arguments: TestServer.Kind.allCases) func aPurgeEndsTheDeltasThatNeedIt(kind: TestServer.Kind) async throws {
        let test = try await TestServer.open(Self.schema, on: kind)
        try await Self.create(test, "a", "b", "c")
        let before = try await Self.page(test)
        let base = try await Self.page(test, limit: 1)
        test.world.advance(.milliseconds(2_000))
        try await Self.create(test, "d")
        _ = try await test.data(#"mutation { deleteNote(input: { id: "a", _version: 1 }) { id } }"#)
        test.world.advance(.milliseconds(2_000))
        let first = try await Self.page(test, since: before.startedAt, limit: 1)
        #expect(first.ids == ["d"])
        test.world.advance(.milliseconds(30 * 86_400_000))
        #expect(try await test.server.purgeTombstones() == 1)
        let second = try await test.send(
            Self.query, ["lastSync": .integer(before.startedAt), "limit": 1, "nextToken": first.token])
        #expect(second.at("data.syncNotes") == .null)
        #expect(second.at("errors.0.errorType") == "InvalidArgumentsError")
        #expect(try await Self.page(test, since: before.startedAt).ids == ["b", "c", "d"])
        // A base query removes what it does not see, and goes on.
        #expect(try await Self.page(test, token: base.token).ids == ["b", "c", "d"])
    }

    @Test(arguments: TestServer.Kind.allCases) func renewedRecordsAreNewToEveryone(kind: TestServer.Kind) async throws {
        let test = try await TestServer.open(Self.schema, on: kind)
        try await Self.create(test, "a", "b")
        _ = try await test.data(#"mutation { deleteNote(input: { id: "b", _version: 1 }) { id } }"#)
        test.world.advance(.milliseconds(2_000))
        let before = try await Self.page(test)
        #expect(try await Self.page(test, since: before.startedAt).ids == [])
        #expect(try await test.server.renewVersions() == 2)
        let version = Self.clock(test)
        test.world.advance(.milliseconds(2_000))
        let query = "{ syncNotes(lastSync: \(before.startedAt)) { items { id _version _deleted } startedAt } }"
        let page = try #require(try await test.data(query)["syncNotes"])
        #expect(
            page["items"] == [
                ["id": "a", "_version": .integer(version), "_deleted": nil],
                ["id": "b", "_version": .integer(version), "_deleted": true],
            ])
        let startedAt = try #require(page["startedAt"]?.integer)
        #expect(startedAt > before.startedAt)
        test.world.advance(.milliseconds(2_000))
        #expect(try await Self.page(test, since: startedAt).ids == [])
        let update = #"mutation { updateNote(input: { id: "a", _version: \#(version) }) { _version } }"#
        #expect(try await test.data(update).at("updateNote._version") == .integer(version + 1))
    }

    /// A new label is written before the request has its snapshot.
    @Test func aRequestNeedsOneConnection() async throws {
        let test = try await TestServer.open(Self.schema, adapter: OneConnectionAdapter())
        try await Self.create(test, "a")
        let query = "{ listNotes { items { id } } syncNotes { items { id } startedAt } __typename }"
        let first = try await test.data(query)
        #expect(first.at("listNotes.items.0.id") == "a")
        #expect(first.at("syncNotes.items.0.id") == "a")
        test.world.advance(.milliseconds(2_000))
        try await Self.create(test, "b")
        let label = try #require(first.at("syncNotes.startedAt")?.integer)
        let second = try #require(try await test.data(query).at("syncNotes.startedAt")?.integer)
        #expect(second > label)
        #expect(try await Self.page(test, since: label).ids == ["b"])
        try await test.server.close()
    }

    /// Many devices come back at the same moment when a process was restarted.
    @Test func requestsOfOneMomentShareALabel() async throws {
        let adapter = HoldingAdapter()
        let test = try await TestServer.open(Self.schema, adapter: adapter)
        try await Self.create(test, "a")
        test.world.advance(.milliseconds(2_000))
        let count = adapter.commits.count
        adapter.hold()
        let requests = (0..<50).map { _ in Task { try await Self.page(test) } }
        while adapter.commits.count == count { await Task.yield() }
        // Time for the others to begin commits of their own.
        for _ in 0..<1_000 { await Task.yield() }
        adapter.letGo()
        for request in requests { #expect(try await request.value.ids == ["a"]) }
        #expect(adapter.commits.count == count + 1)
    }

    @Test func aStoreThatTakesNoCommitsCanBeRead() async throws {
        let adapter = RefusingAdapter()
        let reports = Mutex<[String]>([])
        let options = ServerOptions(apiKeys: ["key"], report: { report in reports.withLock { $0.append(report) } })
        let test = try await TestServer.open(Self.schema, options: options, adapter: adapter)
        try await Self.create(test, "a")
        test.world.advance(.milliseconds(2_000))
        let base = try await Self.page(test)
        try await Self.create(test, "b")
        test.world.advance(.milliseconds(2_000))
        adapter.refuse(2, with: .full)
        for _ in 0..<2 {
            let delta = try await Self.page(test, since: base.startedAt)
            #expect(delta.ids == ["b"])
            #expect(delta.startedAt == base.startedAt)
        }
        #expect(reports.load().count == 2)
        #expect(try await Self.page(test, since: base.startedAt).startedAt > base.startedAt)
    }

    @Test(arguments: [StorageError.Kind.cancelled, .closed, .io]) func aClientThatLeavesIsNotReported(
        kind: StorageError.Kind
    ) async throws {
        let fails = Mutex(false)
        let reports = Mutex<[String]>([])
        let adapter = InterceptedAdapter(
            TestServer.Kind.memory.make(),
            beforeSnapshot: { () async throws(StorageError) in
                if fails.load() { throw StorageError(kind, "The snapshot was not opened.") }
            })
        let options = ServerOptions(apiKeys: ["key"], report: { report in reports.withLock { $0.append(report) } })
        let test = try await TestServer.open(Self.schema, options: options, adapter: adapter)
        fails.store(true)
        let answer = try await test.send("{ listNotes { items { id } } }", status: kind == .io ? 200 : 503)
        #expect(answer.at("errors.0.errorType") == "InternalFailure")
        #expect(reports.load().count == (kind == .io ? 1 : 0))
    }

    /// A backup that was made after a renewal is restored twice: the second time must not repeat the first one's
    /// versions, nor what came after them, also if the record changed more than once a second.
    @Test(arguments: [0, 10]) func aBackupCanBeRestoredAgain(changes: Int64) async throws {
        func version(after seconds: Int64) async throws -> Int64 {
            let test = try await TestServer.open(Self.schema)
            try await Self.create(test, "a")
            test.world.advance(.milliseconds(2_000))
            try await test.server.renewVersions()
            let first = Self.clock(test)
            for version in first..<first + changes {
                _ = try await test.data(
                    #"mutation { updateNote(input: { id: "a", text: "b", _version: \#(version) }) { id } }"#)
            }
            test.world.advance(.milliseconds(seconds * 1_000))
            try await test.server.renewVersions()
            let query = #"{ getNote(id: "a") { _version } }"#
            return try #require(try await test.data(query).at("getNote._version")?.integer) - first
        }
        let (first, second) = (try await version(after: 2), try await version(after: 4))
        #expect(first > changes && second > first)
    }

    /// The labels that devices have may be from a process whose clock is ahead of that of the renewal.
    @Test func aLaterLabelThanThatOfARestoredServiceIsNotTakenForOneOfIts() async throws {
        let directory = TemporaryDirectory()
        @Sendable func adapter(_ name: String) -> SQLiteAdapter { SQLiteAdapter(path: directory.file(name)) }
        let (slow, fast) = (ManualSurroundings(), ManualSurroundings())
        fast.advance(.seconds(40))
        var test = try await TestServer.open(Self.schema, world: slow, adapter: adapter("store"))
        try await Self.create(test, "a")
        try await test.server.close()
        try FileManager.default.copyItem(atPath: directory.file("store"), toPath: directory.file("backup"))

        test = try await TestServer.open(Self.schema, world: fast, adapter: adapter("store"))
        try await Self.create(test, "lost")
        let device = try await Self.page(test)
        #expect(device.ids == ["a", "lost"])
        try await test.server.close()

        test = try await TestServer.open(Self.schema, world: slow, adapter: adapter("backup"))
        slow.advance(.seconds(10))
        #expect(try await test.server.renewVersions() == 1)
        slow.advance(.seconds(2))
        let other = try await Self.page(test)
        #expect(other.startedAt > device.startedAt)
        slow.advance(.seconds(25))
        #expect(try await Self.page(test, since: device.startedAt).ids == ["a"])
        try await Self.create(test, "b")
        slow.advance(.seconds(2))
        #expect(try await Self.page(test, since: other.startedAt).ids == ["b"])
    }

    @Test func aVersionHasItsLimit() async throws {
        let test = try await TestServer.open(Self.schema)
        try await Self.create(test, "a")
        test.world.advance(.seconds(100 * 365 * 86_400))
        let error = await #expect(throws: StorageError.self) { try await test.server.renewVersions() }
        #expect(error?.kind == .limitExceeded)
    }

    /// Seconds since 2020.
    private static func clock(_ test: TestServer) -> Int64 { test.world.now / 1_000 - 1_577_836_800 }

    /// A copy numbers its commits from 1, and has the labels of its source.
    @Test func aCopyAnswersEverythingToTheDevicesOfItsSource() async throws {
        let directory = TemporaryDirectory()
        @Sendable func adapter(_ name: String) -> SQLiteAdapter { SQLiteAdapter(path: directory.file(name)) }
        let test = try await TestServer.open(Self.schema, adapter: adapter("source"))
        for index in 0..<20 { try await Self.create(test, "\(index)") }
        test.world.advance(.milliseconds(2_000))
        let before = try await Self.page(test)
        try await Self.create(test, "late")
        try await test.server.close()
        let source = try await Store.openAsStored { adapter("source") }
        try await StoreCopy(from: source) { adapter("copy") }.run().target.close()
        try await source.close()

        var copy = try await TestServer.open(Self.schema, world: test.world, adapter: adapter("copy"))
        #expect(try await Self.page(copy, since: before.startedAt).ids.count == 21)
        test.world.advance(.milliseconds(2_000))
        let after = try await Self.page(copy)
        #expect(after.startedAt > before.startedAt)
        _ = try await copy.data(#"mutation { updateNote(input: { id: "0", text: "b", _version: 1 }) { id } }"#)
        try await copy.server.close()
        // Only the first start sees that it is a copy.
        copy = try await TestServer.open(Self.schema, world: test.world, adapter: adapter("copy"))
        #expect(try await Self.page(copy, since: after.startedAt).ids == ["0"])
        try await copy.server.close()
    }

    @Test func anAnswerStatesThatItIsNotADelta() async throws {
        let test = try await TestServer.open(Self.schema)
        try await Self.create(test, "a")
        test.world.advance(.milliseconds(2_000))
        let label = try await Self.page(test).startedAt
        func extensions(_ lastSync: Int64) async throws -> WireValue? {
            try await test.send("{ a: syncNotes(lastSync: \(lastSync)) { items { id } } }")["extensions"]
        }
        #expect(try await extensions(0) == nil)
        #expect(try await extensions(label) == nil)
        #expect(try await extensions(label - 60_000) == ["baseQueries": ["a"]])
        try await test.server.renewVersions()
        #expect(try await extensions(label) == ["baseQueries": ["a"]])
    }

    @Test(arguments: TestServer.Kind.allCases) func anotherHistoryRenewsVersions(kind: TestServer.Kind) async throws {
        let test = try await TestServer.open(Self.schema, on: kind)
        try await Self.create(test, "a")
        #expect(try await test.server.follow(timeline: "1") == nil)
        #expect(try await test.server.follow(timeline: "1") == nil)
        test.world.advance(.milliseconds(2_000))
        let before = try await Self.page(test)
        #expect(try await test.server.follow(timeline: "2", renewsVersions: false) == nil)
        #expect(try await Self.page(test, since: before.startedAt).ids == [])
        #expect(try await test.server.follow(timeline: "2") == nil)
        let version = Self.clock(test)
        #expect(try await test.server.follow(timeline: "3") == 1)
        #expect(try await test.server.follow(timeline: "3") == nil)
        test.world.advance(.milliseconds(2_000))
        let query = "{ syncNotes(lastSync: \(before.startedAt)) { items { id _version } } }"
        #expect(try await test.data(query).at("syncNotes.items") == [["id": "a", "_version": .integer(version)]])
    }

    /// A remark whose note the service has forgotten can still be read, changed, and synchronized.
    @Test func aPurgedParentIsShownByItsKey() async throws {
        let test = try await TestServer.open(
            """
            type Note @model @auth(rules: [{ allow: public }]) {
              text: String remarks: [Remark] @hasMany(indexName: "byNote", fields: ["id"])
            }
            type Remark @model @auth(rules: [{ allow: public }]) {
              text: String noteId: ID! @index(name: "byNote") note: Note! @belongsTo(fields: ["noteId"])
            }
            """)
        try await Self.create(test, "n")
        _ = try await test.data(#"mutation { createRemark(input: { id: "r", noteId: "n" }) { id } }"#)
        _ = try await test.data(#"mutation { deleteNote(input: { id: "n", _version: 1 }) { id } }"#)
        test.world.advance(.milliseconds(31 * 86_400_000))
        #expect(try await test.server.purgeTombstones() == 1)
        let selection = "id text _version note { id __typename _deleted }"
        let update = #"mutation { updateRemark(input: { id: "r", text: "b", _version: 1 }) { \#(selection) } }"#
        let expected: WireValue = [
            "id": "r", "text": "b", "_version": 2, "note": ["id": "n", "__typename": "Note", "_deleted": true],
        ]
        #expect(try await test.data(update)["updateRemark"] == expected)
        let page = try await test.data("{ syncRemarks { items { \(selection) } } }")
        #expect(page["syncRemarks"]?["items"]?[0] == expected)
    }

    /// Clients that select a parent in full take an error for a synchronization that failed.
    @Test func aPurgedParentOfWhichMoreIsSelectedIsNull() async throws {
        let test = try await TestServer.open(
            """
            type Note @model @auth(rules: [{ allow: public }]) { text: String remarks: [Remark] @hasMany }
            type Remark @model @auth(rules: [{ allow: public }]) { text: String note: Note @belongsTo }
            """)
        try await Self.create(test, "n")
        _ = try await test.data(#"mutation { createRemark(input: { id: "r", noteRemarksId: "n" }) { id } }"#)
        _ = try await test.data(#"mutation { deleteNote(input: { id: "n", _version: 1 }) { id } }"#)
        test.world.advance(.milliseconds(31 * 86_400_000))
        #expect(try await test.server.purgeTombstones() == 1)
        let note = "note { __typename _deleted _lastChangedAt _version createdAt id text updatedAt }"
        let page = try await test.data("{ syncRemarks { items { __typename _version id \(note) } } }")
        #expect(page.at("syncRemarks.items") == [["__typename": "Remark", "_version": 1, "id": "r", "note": nil]])
        let client = try await TestClient.open(test)
        await client.start("1", "subscription { onUpdateRemark { id \(note) } }")
        #expect(try await client.next()["type"] == "start_ack")
        // Only the answer of a mutation says that there is a relation, or its client would remove it.
        let update = #"updateRemark(input: { id: "r", text: "b", _version: 1 }) { id \#(note) }"#
        let answer = try await test.send("mutation { \(update) }")
        #expect(answer["data"] == ["updateRemark": ["id": "r", "note": nil]])
        #expect(answer["errors"]?.array?.count == 1)
        #expect(try await client.next()["payload"] == ["data": ["onUpdateRemark": ["id": "r", "note": nil]]])
    }

    /// Clients of Amplify read everything if the time that they were answered is a day old.
    @Test func labelsAreRenewedWhileNothingIsWritten() async throws {
        let test = try await TestServer.open(Self.schema)
        try await Self.create(test, "a")
        var label = try await Self.page(test).startedAt
        for _ in 0..<3 {
            test.world.advance(.milliseconds(2_000))
            #expect(try await Self.page(test, since: label).startedAt == label)
            test.world.advance(.milliseconds(3_600_000))
            let page = try await Self.page(test, since: label)
            #expect(page.ids.isEmpty && page.startedAt == label + 3_602_000)
            label = page.startedAt
        }
    }

    /// A client whose label was taken out receives what changed since an earlier one.
    @Test func labelsAreThinnedWithAge() async throws {
        let test = try await TestServer.open(Self.schema)
        var labels: [Int64] = []
        for index in 0..<10 {
            try await Self.create(test, "\(index)")
            labels.append(try await Self.page(test).startedAt)
            test.world.advance(.milliseconds(7_000))
        }
        test.world.advance(.milliseconds(2 * 3_600_000))
        try await test.server.purgeTombstones()
        try await Self.create(test, "new")
        test.world.advance(.milliseconds(2_000))
        for (index, label) in labels.enumerated() {
            let ids = try await Self.page(test, since: label).ids
            #expect(ids.last == "new")
            #expect(ids.count >= 10 - index)
        }
        #expect(try await Self.page(test, since: labels[5]).ids.contains("1"))
    }

    /// Two processes whose clocks differ by a minute give out labels that rise with the sequences.
    @Test func labelsRiseWhenClocksDiffer() async throws {
        let adapter = SharedAdapter(LateCommitAdapter())
        let ahead = ManualSurroundings()
        ahead.advance(.milliseconds(60_000))
        let behind = ManualSurroundings()
        let first = try await TestServer.open(Self.schema, world: ahead, adapter: adapter)
        let second = try await TestServer.open(Self.schema, world: behind, adapter: adapter)
        var label: Int64 = 0
        for (index, test) in [first, second, first, second].enumerated() {
            try await Self.create(test, "\(index)")
            ahead.advance(.milliseconds(1_500))
            behind.advance(.milliseconds(1_500))
            let page = try await Self.page(test, since: label)
            #expect(page.ids.contains("\(index)"))
            #expect(page.startedAt > label)
            label = page.startedAt
        }
    }
}

/// One store for several servers, opened by the first.
final class SharedAdapter: StorageAdapter {
    private let inner: any StorageAdapter
    private let opening = Opening()

    actor Opening {
        private var isOpen = false

        func open(_ adapter: any StorageAdapter, _ request: OpenRequest) async throws(StorageError) {
            guard !isOpen else { return }
            isOpen = true
            try await adapter.open(request)
        }
    }

    init(_ inner: any StorageAdapter) { self.inner = inner }

    var capabilities: Capabilities { inner.capabilities }
    func changes(after sequence: UInt64?) async throws(StorageError) -> any ChangeFeed {
        try await inner.changes(after: sequence)
    }
    func open(_ request: OpenRequest) async throws(StorageError) { try await opening.open(inner, request) }
    func snapshot() async throws(StorageError) -> any AdapterSnapshot { try await inner.snapshot() }
    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try await inner.commit(request)
    }
    func close() async throws(StorageError) { try await inner.close() }
}
