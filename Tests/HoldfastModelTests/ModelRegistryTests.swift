import Foundation
import GeneratedModels
import HoldfastModel
import HoldfastTestSupport
import LegacyGeneratedModels
import Testing

/// All in one test, as the registry is one for the process.
@Suite(.serialized) struct ModelRegistryTests {
    @Test func modelsAreFoundByTheirNames() async throws {
        try await ExclusiveUse.modelRegistry { try findModels() }
    }

    private func findModels() throws {
        AmplifyModels().registerModels(registry: ModelRegistry.self)
        LegacyAmplifyModels().registerModels(registry: ModelRegistry.self)
        #expect(ModelRegistry.modelType(from: "Book") is Book.Type)
        #expect(ModelRegistry.modelSchema(from: "Album")?.primaryKeyNames == ["isbn", "edition"])
        #expect(ModelRegistry.modelSchema(from: Shelf.self)?.name == "Shelf")
        #expect(ModelRegistry.models.first is Library.Type)
        #expect(ModelRegistry.modelSchemas.count >= 24 && ModelRegistry.hasSyncableModels)
        #expect(ModelRegistry.modelType(from: "Unknown") == nil)
        #expect(throws: ModelError.self) { try ModelRegistry.decode(modelName: "Unknown", from: "{}") }

        try relationsAreRegisteredFromBothEnds()
        try changesHoldTheirModels()
        try recordsComeWithTheirMetadata()
    }

    private func relationsAreRegisteredFromBothEnds() throws {
        let shelves = try #require(Library.schema.field(withName: "shelves"))
        let library = try #require(Shelf.schema.field(withName: "library"))
        #expect(shelves.isOneToMany && !shelves.isManyToOne && shelves.associatedField?.name == "library")
        #expect(library.isAssociationOwner && library.associatedFieldNames == ["id"])
        #expect(library.associatedModel is Library.Type)
        let passport = try #require(Author.schema.field(withName: "passport"))
        #expect(passport.isOneToOne && passport.associatedFieldNames == ["id"])
        let reviews = try #require(Book.schema.field(withName: "reviews"))
        #expect(reviews.associatedFieldNames == ["bookReviewsIsbn", "bookReviewsEdition"])
        #expect(!reviews.isOneToMany)
    }

    private func changesHoldTheirModels() throws {
        let book = Book(isbn: "x", edition: 2, title: "T", author: Author(id: "a", name: "A"))
        let event = try MutationEvent(model: book, modelSchema: Book.schema, mutationType: .update, version: 4)
        #expect(event.modelId == "\"x\"#\"2\"" && event.modelName == "Book" && event.mutationType == "update")
        #expect((try event.decodeModel() as? Book)?.title == "T")
        #expect(try event.decodeModel(as: Book.self).edition == 2)
        #expect(throws: ModelError.self) { try event.decodeModel(as: Author.self) }
        let erased = try MutationEvent(untypedModel: book, mutationType: .delete)
        #expect(erased.json == event.json)
        let any = try JSONDecoder().decode(AnyModel.self, from: JSONEncoder().encode(book.eraseToAnyModel()))
        #expect(try any.instance.toJSON() == book.toJSON())
    }

    private func recordsComeWithTheirMetadata() throws {
        let json = #"{"__typename":"Receipt","code":"r","total":2.5,"_version":3,"_deleted":null,"_lastChangedAt":17}"#
        let typed = try JSONDecoder().decode(MutationSync<Receipt>.self, from: Data(json.utf8))
        #expect(typed.model.total == 2.5 && typed.syncMetadata.version == 3 && !typed.syncMetadata.deleted)
        let untyped = try JSONDecoder().decode(MutationSync<AnyModel>.self, from: Data(json.utf8))
        #expect(untyped.syncMetadata.id == "Receipt|r")
        #expect(untyped.model.instance is Receipt)
    }

    @Test func propertiesAreFoundByName() throws {
        let book = Book(isbn: "x", edition: 2, title: "T")
        #expect(book["edition"] as? Int == 2)
        #expect(book["nothing"] == nil)
        let price = try #require(book["price"])
        #expect(price == nil)
        #expect(book["author"] as? LazyReference<Author> != nil)
        let receipt = try Receipt.from(dictionary: ["code": "r", "total": 1.5])
        #expect(try receipt.toJSON() == #"{"code":"r","total":1.5}"#)
        #expect(throws: (any Error).self) { try Receipt.from(dictionary: ["code": Date()]) }
        #expect(try [receipt].unique()?.code == "r")
        #expect(throws: ModelError.self) { try [receipt, receipt].unique() }
    }

    @Test func jsonValuesAreReadAndWritten() throws {
        let value: JSONValue = ["a": [1, 2.5, true, nil, "x"], "b": ["c": 3]]
        let data = try JSONEncoder().encode(value)
        #expect(try JSONDecoder().decode(JSONValue.self, from: data) == value)
        #expect(value.value(at: "b.c")?.intValue == 3)
        #expect(value["a"]?[1]?.doubleValue == 2.5 && value["a"]?[9] == nil)
        #expect(value["a"]?[2]?.booleanValue == true && value["a"]?[3]?.isNull == true)
        #expect(value.value(at: "b/d", withDefault: "none", separatedBy: "/").stringValue == "none")
    }
}
