import AWSDataStorePlugin
import Amplify
import Testing

/// A model whose `id` is a number.
private struct Counter: Model {
    let id: Int
    var count: Int

    enum CodingKeys: String, ModelKey { case id, count }
    static let keys = CodingKeys.self
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id, is: .required, ofType: .int), .field(keys.count, is: .required, ofType: .int))
    }
}

extension Counter: ModelIdentifiable {
    typealias IdentifierFormat = ModelIdentifierFormat.Default
    typealias IdentifierProtocol = DefaultModelIdentifier<Self>
}

private final class Counters: AmplifyModelRegistration {
    let version = "1"

    func registerModels(registry: ModelRegistry.Type) { ModelRegistry.register(modelType: Counter.self) }
}

extension AmplifySuite {
    /// Keys in the forms in which code written for the original gives them.
    @Suite struct KeyTests {
        @Test(arguments: FacadeAdapter.all) func aKeyOfSeveralFieldsMayBeText(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let store = Amplify.DataStore
                let first = try await store.save(Edition(isbn: #"i#"1"#, number: 7, title: "T"))
                let second = try await store.save(Edition(isbn: "i", number: 8, title: "U"))
                try await store.save(Chapter(id: "a", heading: "A", edition: first))
                try await store.save(Chapter(id: "b", heading: "B", edition: second))
                try await store.save(Chapter(id: "c", heading: "C"))
                let keys = Chapter.keys
                let equal = keys.edition == first.identifier
                let other = keys.edition != first.identifier
                let chapters = try await store.query(Chapter.self)
                #expect(try await store.query(Chapter.self, where: equal).map(\.id) == ["a"])
                #expect(try await store.query(Chapter.self, where: other).map(\.id) == ["b", "c"])
                #expect(chapters.filter(equal.evaluate).map(\.id) == ["a"])
                #expect(chapters.filter(other.evaluate).map(\.id) == ["b", "c"])
                await #expect(throws: DataStoreError.self) {
                    try await store.query(Chapter.self, where: keys.edition == "i#8")
                }
            }
        }

        @Test(arguments: FacadeAdapter.all) func numbersAreComparedWithText(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let store = Amplify.DataStore
                for number in 1...4 {
                    try await store.save(Post(id: "\(number)", title: "\(number).5", rating: number, status: ""))
                }
                let keys = Post.keys
                let cases: [(QueryPredicateOperation, [String])] = [
                    (keys.id <= 1, ["1"]), (keys.id == 3, ["3"]), (keys.id != 3, ["1", "2", "4"]),
                    (keys.id.between(start: 2, end: 3), ["2", "3"]), (keys.title > 3.5, ["4"]),
                    // By their characters, as text is compared.
                    (keys.id < 10, ["1"]),
                    (keys.rating == "2", ["2"]), (keys.rating > "2.5", ["3", "4"]),
                ]
                let posts = try await store.query(Post.self)
                for (predicate, ids) in cases {
                    #expect(try await store.query(Post.self, where: predicate).map(\.id) == ids)
                    #expect(posts.filter(predicate.evaluate).map(\.id) == ids)
                }
                #expect(try await store.query(Post.self, where: !(keys.id <= 1) && keys.rating < 4).count == 2)
                await #expect(throws: DataStoreError.self) {
                    try await store.query(Post.self, where: keys.rating == "two")
                }
            }
        }

        @Test(arguments: FacadeAdapter.all) func theFieldIdMayBeAPartOfTheKey(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let store = Amplify.DataStore
                for (order, id) in [("1", "a"), ("2", "b"), ("3", "b")] {
                    try await store.save(CustomerOrder(id: id, orderId: order, email: order))
                }
                #expect(try await store.query(CustomerOrder.self, byId: "a")?.orderId == "1")
                #expect(try await store.query(CustomerOrder.self, byIdentifier: "a")?.orderId == "1")
                #expect(try await store.query(CustomerOrder.self, byIdentifier: .identifier(id: "a"))?.orderId == "1")
                #expect(try await store.query(CustomerOrder.self, byId: "b")?.orderId == "2")
                #expect(try await store.query(CustomerOrder.self, byId: "c") == nil)
                try await store.delete(CustomerOrder.self, withId: "c")
                await #expect(throws: DataStoreError.self) { try await store.delete(CustomerOrder.self, withId: "b") }
                await #expect(throws: DataStoreError.self) {
                    try await store.delete(
                        CustomerOrder.self, withIdentifier: "a", where: CustomerOrder.keys.email == "x")
                }
                #expect(try await store.query(CustomerOrder.self).count == 3)
                try await store.delete(CustomerOrder.self, withIdentifier: .identifier(id: "a"))
                #expect(try await store.query(CustomerOrder.self).map(\.orderId) == ["2", "3"])
            }
        }

        @Test(arguments: FacadeAdapter.all) func anIdThatIsANumber(adapter: FacadeAdapter) async throws {
            try Amplify.add(
                plugin: AWSDataStorePlugin(
                    modelRegistration: Counters(), configuration: .custom(storageAdapter: adapter.make())))
            try Amplify.configure()
            try await resetting {
                let store = Amplify.DataStore
                for id in 5...7 { try await store.save(Counter(id: id, count: id * 2)) }
                #expect(try await store.query(Counter.self, byId: "5")?.count == 10)
                #expect(try await store.query(Counter.self, byIdentifier: "5")?.count == 10)
                #expect(try await store.query(Counter.self, byIdentifier: .identifier(id: "5"))?.count == 10)
                try await store.delete(Counter.self, withId: "5")
                try await store.delete(Counter.self, withIdentifier: "6")
                try await store.delete(Counter.self, withIdentifier: .identifier(id: "7"))
                #expect(try await store.query(Counter.self).isEmpty)
            }
        }
    }
}
