import HoldfastModel
import HoldfastStorage
import HoldfastWire
import Testing

@Suite struct InputTests {
    private func row(_ model: WireModel, _ values: [String: Value]) -> [Value] {
        model.columns.map { values[$0.name] ?? .null }
    }

    private func text(_ input: JSONObject?) -> String? { input.map { JSONValue.object($0).text } }

    @Test func creationSendsWhatHasAValue() {
        let book = WireFixtures.bookModel
        let cells = row(
            book,
            [
                "isbn": .text("x"), "edition": .integer(2), "title": .text("t"), "authorBooksId": .text("a1"),
                "createdAt": .timestamp(Timestamp(secondsSinceEpoch: 0, nanoseconds: 0, tail: WrittenForm(offset: 0))),
            ])
        #expect(
            text(book.input(for: .create, row: cells)) == #"{"authorBooksId":"a1","edition":2,"isbn":"x","title":"t"}"#)
    }

    @Test func updateSendsChangedFieldsAndNull() {
        let book = WireFixtures.bookModel
        let cells = row(book, ["isbn": .text("x"), "edition": .integer(2), "title": .text("t")])
        #expect(
            text(book.input(for: .update, row: cells, changedFields: ["title", "tags", "authorBooksId"], version: 3))
                == #"{"authorBooksId":null,"edition":2,"isbn":"x","tags":null,"title":"t","_version":3}"#)
        #expect(
            text(book.input(for: .update, row: cells, changedFields: ["updatedAt"], version: 3)) == nil)
    }

    @Test func deletionSendsTheKey() {
        let book = WireFixtures.bookModel
        let cells = row(book, ["isbn": .text("x"), "edition": .integer(2), "title": .text("t")])
        #expect(
            text(book.input(for: .delete, row: cells, version: 3)) == #"{"edition":2,"isbn":"x","_version":3}"#)
    }

    @Test func sortFieldsOfAnIndexGoTogether() {
        let project = WireFixtures.model("project")
        let cells = row(project, ["id": .text("p"), "team": .text("t"), "year": .integer(1), "rank": .integer(2)])
        #expect(
            text(project.input(for: .update, row: cells, changedFields: ["rank"]))
                == #"{"id":"p","rank":2,"year":1}"#)
        #expect(text(project.input(for: .update, row: cells, changedFields: ["team"])) == #"{"id":"p","team":"t"}"#)
    }

    @Test func valuesAreWrittenAsTheDialectHasThem() throws {
        let secret = WireFixtures.model("Secret")
        let cells = row(
            secret,
            [
                "id": .text("s"), "place": .text(#"{"floors":[{"number":1}],"street":"a\"b"}"#), "score": .double(0.5),
                "places": .list([.text(#"{"street":"x"}"#), .null]),
                "day": .date(try CalendarDate(parsing: "2024-02-29")),
                "at": .time(try ClockTime(parsing: "12:00:34.5")), "postId": .text("p"),
                "when": .timestamp(try Timestamp(parsing: "2024-02-29T12:00:00.120+01:00")),
            ])
        #expect(
            text(secret.input(for: .create, row: cells)) == #"{"at":"12:00:34.5","day":"2024-02-29","id":"s","#
                + #""place":{"floors":[{"number":1}],"street":"a\"b"},"places":[{"street":"x"},null],"#
                + #""secretPostId":"p","score":0.5,"when":"2024-02-29T12:00:00.120+01:00"}"#)
    }

    @Test(arguments: [
        (#"{"id":"s","when":"2024-02-29T12:00:00+01:00","_version":1}"#, true), (#"{"id":"s","score":2}"#, true),
        (#"{"id":"s","place":{"floors":[{"number":1.0}],"street":"x"},"day":null}"#, true),
        (#"{"id":"s","secretPostId":"p","editors":["a"]}"#, true), (#"{"id":"s","editors":["a","b"]}"#, false),
        (#"{"id":"s","day":"2024-02-29"}"#, false), (#"{"id":"s","score":null}"#, false), (#"{"id":"t"}"#, false),
        (#"{"id":"s","other":1}"#, false), (#"{"id":"s","count":"x"}"#, false),
    ])
    func recordHoldsWhatWasSent(input: String, holds: Bool) throws {
        let secret = WireFixtures.model("Secret")
        let cells = row(
            secret,
            [
                "id": .text("s"), "when": .timestamp(try Timestamp(parsing: "2024-02-29T11:00:00.000Z")),
                "score": .double(2), "place": .text(#"{"floors":[{"number":1}],"street":"x"}"#), "postId": .text("p"),
                "editors": .list([.text("a")]),
            ])
        let object = try #require(try JSONValue(parsing: bytes(input)).object)
        #expect(secret.holds(object, in: cells) == holds)
    }
}
