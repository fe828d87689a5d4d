import GeneratedModels
import HoldfastModel
import HoldfastStorage
import Testing

@Suite struct ModelIdentifierTests {
    @Test func aSingleValueIsItself() {
        #expect(Author(id: "a#1", name: "A").identifier == "a#1")
        #expect(DefaultModelIdentifier<Author>.makeDefault(id: "x").stringValue == "x")
        #expect(DefaultModelIdentifier<Author>.makeDefault(fromModel: Author(id: "y", name: "Y")).stringValue == "y")
    }

    @Test func severalValuesAreQuoted() {
        let book = Book(isbn: "x", edition: 2, title: "T")
        #expect(book.identifier == "\"x\"#\"2\"")
        #expect(Book.IdentifierProtocol.identifier(isbn: "x", edition: 2).stringValue == book.identifier)
        let identifier = book.identifier(schema: Book.schema)
        #expect(identifier.keys == ["isbn", "edition"])
        #expect(identifier.recordKey == RecordKey([.text("x"), .integer(2)]))
    }

    @Test func aKeyHasTheTextOfItsIdentifier() throws {
        let identifier = ModelIdentifier<Book, ModelIdentifierFormat.Custom>.make(
            fields: (name: "day", value: try Temporal.Date(iso8601String: "2026-11-21")),
            (name: "time", value: try Temporal.Time(iso8601String: "09:30")),
            (name: "instant", value: try Temporal.DateTime(iso8601String: "2026-11-21T09:30Z")),
            (name: "edition", value: 2))
        #expect(identifier.recordKey.identifierText == identifier.stringValue)
        #expect(identifier.stringValue.hasSuffix("#\"2\""))
    }

    @Test func keysOfLookAlikesDiffer() {
        let one = ModelIdentifier<Book, ModelIdentifierFormat.Custom>.make(fields: [("a", "x\"#\"y"), ("b", "z")])
        let two = ModelIdentifier<Book, ModelIdentifierFormat.Custom>.make(fields: [("a", "x"), ("b", "y\"#\"z")])
        #expect(one.stringValue == two.stringValue)
        #expect(one.recordKey != two.recordKey)
    }

    @Test func theOrderOfTheFieldsDoesNotMatterInASchema() throws {
        let identifier = ModelIdentifier<Book, ModelIdentifierFormat.Custom>.make(
            fields: (name: "edition", value: 2), (name: "isbn", value: "x"))
        #expect(try identifier.recordKey(in: Book.schema) == Book(isbn: "x", edition: 2, title: "").recordKey())
        #expect(throws: ModelError.self) { try identifier.recordKey(in: Author.schema) }
    }

    @Test func thePredicateFindsTheRecordAlone() {
        let predicate = Book.IdentifierProtocol.identifier(isbn: "x", edition: 2).predicate
        #expect(predicate.evaluate(target: Book(isbn: "x", edition: 2, title: "T")))
        #expect(!predicate.evaluate(target: Book(isbn: "x", edition: 3, title: "T")))
    }

    @Test func anErasedModelKeepsItsIdentifier() {
        let erased = Book(isbn: "x", edition: 2, title: "T").eraseToAnyModel()
        #expect(erased.id == "\"x\"#\"2\"")
        #expect(erased.modelName == "Book")
        #expect((erased as any Model).identifier(schema: Book.schema).stringValue == erased.id)
    }
}
