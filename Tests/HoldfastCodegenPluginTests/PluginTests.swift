import HoldfastModel
import Testing

/// The models are made by the plug-in while this is built.
@Suite struct PluginTests {
    @Test func theConfigurationNextToTheSchemaIsUsed() {
        // A lazy model's parent would have to be waited for.
        let book = Book(title: "Knots", shelf: Shelf(name: "Sea"))
        #expect(book.shelf?.name == "Sea")
        #expect(Book.rootPath == nil)
    }

    @Test func allModelsAreRegistered() {
        #expect(AmplifyModels().version.count == 32)
        #expect(Shelf.schema.orderedFields.map(\.name) == ["id", "name", "books", "createdAt", "updatedAt"])
    }
}
