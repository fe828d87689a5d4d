import HoldfastModel
import HoldfastStorage
import HoldfastWire
import Testing

@Suite struct InputTests {
    private func row(_ model: WireModel, _ values: [String: Value]) -> [Value] {
        model.columns.map { values[$0.name] ?? .null }
    }

    private func text(_ input: JSONObject?) -> String? { input.map { WireValue.object($0).text } }

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

    /// What is not sent must not be looked for in a record either, to see whether a mutation was carried out.
    @Test func ownersWithoutAValueAreNotSent() throws {
        let secret = WireFixtures.model("Secret")
        let cells = row(secret, ["id": .text("s"), "editors": .list([.text("a")])])
        #expect(
            text(secret.input(for: .update, row: cells, changedFields: ["reader", "editors", "score"]))
                == #"{"editors":["a"],"id":"s","score":null}"#)
        func sends(_ value: Value, _ name: String) -> Bool? {
            secret.columns.firstIndex { $0.name == name }.map { secret.sends(value, in: $0) }
        }
        #expect(sends(.null, "reader") == false && sends(.text("a"), "reader") == true)
        #expect(sends(.null, "score") == true)
    }
}
