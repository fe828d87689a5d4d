import HoldfastModel
import HoldfastStorage
import HoldfastWire
import Testing

@Suite struct PageTests {
    private func items(_ model: WireModel, _ records: String...) throws -> RemoteItems {
        let body =
            #"{"data":{"syncX":{"items":["# + records.joined(separator: ",") + #"],"nextToken":null,"startedAt":7}}}"#
        return try #require(try model.page(bytes(body)).result).items
    }

    private let comment =
        #"{"id":"c1","content":"hi","createdAt":"2024-01-01T00:00:00.000Z","updatedAt":null,"#
        + #""post":{"id":"p1","__typename":"Post","_deleted":null},"__typename":"Comment4V2","_version":3,"#
        + #""_deleted":null,"_lastChangedAt":1601499066604}"#

    @Test(arguments: [
        (#"{"baseQueries":["syncX"]}"#, true), (#"{"baseQueries":[]}"#, false), ("null", false), ("7", false),
    ]) func aServiceMaySayThatItAnsweredABaseQuery(extensions: String, isBase: Bool) throws {
        let body = #"{"data":{"syncX":{"items":[],"startedAt":7}},"extensions":"# + extensions + "}"
        #expect(try WireFixtures.commentModel.page(bytes(body)).isBaseQuery == isBase)
    }

    @Test func pageBecomesRows() throws {
        let body =
            #"{"data":{"syncComment4V2s":{"items":["# + comment
            + #"],"nextToken":"more","startedAt":1601499066000}},"errors":null,"extensions":{}}"#
        let page = try #require(try WireFixtures.commentModel.page(bytes(body)).result)
        #expect(page.nextToken == "more")
        #expect(page.startedAt == 1_601_499_066_000)
        #expect(page.items.items == [RemoteItem(version: 3, lastChangedAt: 1_601_499_066_604)])
        #expect(
            WireFixtures.commentModel.columns.map(\.name) == [
                "content", "createdAt", "id", "post4V2CommentsId", "updatedAt",
            ])
        #expect(
            Array(page.items.rows[0]) == [
                .text("hi"), .timestamp(try Timestamp(parsing: "2024-01-01T00:00:00.000Z")), .text("c1"), .text("p1"),
                .null,
            ])
    }

    @Test(
        arguments: [
            #"{"content":"a","createdAt":null,"id":"x","_version":4,"_deleted":null,"_lastChangedAt":5}"#,
            #"{"_lastChangedAt":5,"_deleted":null,"_version":4,"id":"x","createdAt":null,"content":"a"}"#,
            #"{ "content" : "a" , "id"\#t:\#n"x", "_version":\#r4 ,"_lastChangedAt": 5 }"#,
            #"{"contents":1,"content":"a","conten":2,"id":"x","":3,"_version":4,"_versio":6,"_lastChangedAt":5,"c":7}"#,
            #"{"unknown":{"id":"y","_version":9},"id":"x","content":"b","content":"a","_version":4,"_lastChangedAt":5}"#,
        ])
    func membersMayComeInAnyOrderAndForm(record: String) throws {
        let items = try items(WireFixtures.commentModel, record)
        #expect(items.faults.isEmpty)
        #expect(items.items == [RemoteItem(version: 4, lastChangedAt: 5)])
        #expect(Array(items.rows[0]) == [.text("a"), .null, .text("x"), .null, .null])
    }

    @Test func everyTypeIsRead() throws {
        let secret = WireFixtures.model("Secret")
        let record =
            #"{"_lastChangedAt":1,"_version":2,"_deleted":false,"id":"s","editors":["a",null],"#
            + #""place":{"street":"x","__typename":"Place","floors":[{"number":1.0,"__typename":"Floor"}],"extra":null},"#
            + #""places":[{"__typename":"Place","street":"y","floors":null},null],"score":-12.25,"count":12e1,"#
            + #""day":"2024-02-29","at":"12:00:34.","when":"2024-02-29T12:00:00+01:00","post":null,"unknown":[{}]}"#
        let items = try items(secret, record)
        #expect(items.faults.isEmpty)
        let expected: [String: Value] = [
            "id": .text("s"), "editors": .list([.text("a"), .null]),
            "place": .text(#"{"floors":[{"number":1}],"street":"x"}"#),
            "places": .list([.text(#"{"street":"y"}"#), .null]), "score": .double(-12.25), "count": .integer(120),
            "day": .date(try CalendarDate(parsing: "2024-02-29")), "at": .time(try ClockTime(parsing: "12:00:34")),
            "when": .timestamp(try Timestamp(parsing: "2024-02-29T12:00:00+01:00")),
        ]
        #expect(Array(items.rows[0]) == secret.columns.map { expected[$0.name] ?? .null })
        #expect(items.items == [RemoteItem(version: 2, lastChangedAt: 1)])
    }

    @Test(arguments: [
        (
            #"{"id":"x","content":1,"_version":1,"_lastChangedAt":1}"#,
            "record 1: content: a number where a string is expected"
        ),
        (
            #"{"id":"x","content":null,"_version":1,"_lastChangedAt":1}"#,
            "record 1: content: no value, though the model requires one"
        ),
        (#"{"id":"x","content":"a","_lastChangedAt":1}"#, "record 1: no '_version'"),
        (#"{"id":"x","content":"a","_version":1}"#, "record 1: no '_lastChangedAt'"),
        (#"{"content":"a","_version":1,"_lastChangedAt":1}"#, "record 1: id: no value, though the model requires one"),
        (
            #"{"id":"x","content":"a\u0000","_version":1,"_lastChangedAt":1}"#,
            "record 1: content: invalid String: contains U+0000; expected text without it"
        ),
        (
            #"{"id":"x","content":"a","post":{"id":{}},"_version":1,"_lastChangedAt":1}"#,
            "record 1: post.id: an object where a string is expected"
        ),
        (
            #"{"id":"x","content":"a","_version":1.5,"_lastChangedAt":1}"#,
            "record 1: _version: a number that is not a whole number of 64 bits"
        ),
        ("null", "record 1: null where an object is expected"),
        ("[[1],2]", "record 1: an array where an object is expected"),
    ])
    func badRecordIsReportedAndOthersGoOn(record: String, fault: String) throws {
        let items = try items(WireFixtures.commentModel, comment, record, comment)
        #expect(items.count == 2)
        #expect(items.rows.rowCount == 2)
        #expect(items.faults.map(\.description) == [fault])
        #expect(items.faults.first?.json == record)
        #expect(Array(items.rows[0]) == Array(items.rows[1]))
    }

    @Test func faultKeepsKeyAndMetadata() throws {
        let items = try items(
            WireFixtures.commentModel, #"{"id":"x","content":1,"_version":4,"_lastChangedAt":5,"_deleted":null}"#)
        #expect(items.faults.first?.key == RecordKey("x"))
        #expect(items.faults.first?.item == RemoteItem(version: 4, lastChangedAt: 5))
        let repaired = WireFixtures.commentModel.record(json: items.faults[0].json.replacingOne(with: "\"a\""))
        #expect(repaired?.count == 1)
    }

    @Test func tombstoneNeedsOnlyItsKey() throws {
        let items = try items(
            WireFixtures.commentModel, #"{"id":"x","content":7,"_version":4,"_lastChangedAt":5,"_deleted":true}"#,
            #"{"id":"y","_version":4,"_lastChangedAt":5,"_deleted":true}"#)
        #expect(items.faults.isEmpty)
        #expect(items.items.map(\.isDeleted) == [true, true])
        #expect(items.rows[0, 2] == .text("x"))
        #expect(items.rows[0, 0] == .null)
    }

    @Test(arguments: [
        ("{}", "neither a result nor errors"), (#"{"data":null}"#, "neither a result nor errors"),
        (#"{"data":{}}"#, "neither a result nor errors"),
        (#"{"data":null,"errors":[]}"#, "neither a result nor errors"), ("null", "null where an object is expected"),
        (#"{"data":{"syncX":{"nextToken":null}}}"#, "data.syncX: no 'items'"),
        (
            #"{"data":{"syncX":{"items":[],"startedAt":"1"}}}"#,
            "data.syncX.startedAt: a string where a number is expected"
        ),
        (#"{"data":{"syncX":{"items":{}}}}"#, "data.syncX.items: an object where an array is expected"),
        (#"{"data":{"syncX":{"items":[]}}"#, "byte 30: an array or object that is not closed"),
    ])
    func brokenPageNamesItsPlace(body: String, message: String) {
        let error = #expect(throws: WireError.self) { try WireFixtures.commentModel.page(bytes(body)) }
        #expect(error?.description == message)
    }

    /// The transport limits what is read.
    @Test func longPageIsRead() throws {
        let space = [UInt8](repeating: UInt8(ascii: " "), count: 16 << 20)
        let body = space + bytes(#"{"data":{"syncX":{"items":[],"nextToken":"t"}}}"#)
        #expect(try WireFixtures.commentModel.page(body).result?.nextToken == "t")
    }

    @Test func mutationResultIsOneRecord() throws {
        let answer = try WireFixtures.commentModel.record(bytes(#"{"data":{"createComment4V2":"# + comment + "}}"))
        #expect(answer.result?.count == 1)
        #expect(answer.errors.isEmpty)
    }

    /// An error inside the related record hides its key.
    @Test func whatErrorsTookFromARecordCanBeFilledIn() throws {
        let model = WireFixtures.commentModel
        let record = #"{"id":"c1","content":null,"post":null,"_version":3,"_lastChangedAt":1}"#
        let body = bytes(
            #"{"data":{"updateX":"# + record + #"},"errors":[{"message":"a","path":["updateX","post","title"]},"#
                + #"{"message":"b","path":["updateX","content"]},{"message":"c","path":["updateX"]}]}"#)
        let row: [Value] = [.text("hi"), .null, .text("c1"), .text("p1"), .null]
        let cells = model.cells(of: row, missingFor: try model.record(body).errors)
        #expect(cells == [0: .text("hi"), 3: .text("p1")])
        #expect(try model.record(body).result?.count == 0)
        let filled = try #require(try model.record(body, filling: cells).result)
        #expect(Array(filled.rows[0]) == row)
        // What the answer has counts.
        let whole = bytes(#"{"data":{"updateX":"# + comment + "}}")
        #expect(try model.record(whole, filling: [3: .text("p2")]).result?.rows[0, 3] == .text("p1"))
    }

    @Test func aNullMemberMeansNoRecord() throws {
        #expect(try WireFixtures.commentModel.record(bytes(#"{"data":{"getX":null}}"#)).result == nil)
        // It must not look as if the service had no such record.
        #expect(throws: WireError.self) { try WireFixtures.commentModel.record(bytes(#"{"data":null}"#)) }
    }

    @Test(
        arguments: [
            ("1", 1), ("-1.5", -1.5), ("0.1", 0.1), ("123456789.123456", 123456789.123456), ("1e-3", 0.001),
            ("3.0000000000000004", 3.0000000000000004), ("-0", 0), ("-0.0", 0),
            ("0.30000000000000004", 0.30000000000000004),
            ("999999999999999", 999_999_999_999_999), ("2.2250738585072014e-308", 2.2250738585072014e-308),
        ] as [(String, Double)])
    func doublesAreReadToTheNearest(text: String, double: Double) throws {
        let items = try items(
            WireFixtures.model("Secret"), #"{"id":"s","score":\#(text),"_version":1,"_lastChangedAt":1}"#)
        let column = try #require(WireFixtures.model("Secret").columns.firstIndex { $0.name == "score" })
        #expect(items.rows[0, column] == .double(double))
    }
}

extension String {
    /// The text with another value in place of the first `:1,`.
    fileprivate func replacingOne(with value: String) -> String {
        guard let range = firstRange(of: ":1,") else { return self }
        return replacingCharacters(of: range, with: ":\(value),")
    }

    private func firstRange(of text: String) -> Range<String.Index>? {
        indices.lazy.map { $0..<(self.index($0, offsetBy: text.count, limitedBy: self.endIndex) ?? self.endIndex) }
            .first { self[$0] == text }
    }

    private func replacingCharacters(of range: Range<String.Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
