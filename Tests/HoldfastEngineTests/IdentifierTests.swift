import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

/// A model with a field `id` beside its key, which is text.
private struct Account: Model {
    let email: String
    var id: String

    enum CodingKeys: String, ModelKey { case email, id }
    static let keys = CodingKeys.self
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [keys.email]))
        model.fields(.field(keys.email), .field(keys.id))
    }
}

/// A model whose `id` is a number.
private struct Counter: Model {
    let id: Int
    var count: Int

    enum CodingKeys: String, ModelKey { case id, count }
    static let keys = CodingKeys.self
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(.field(keys.id, ofType: .int), .field(keys.count, ofType: .int))
    }
}

@Suite struct IdentifierTests {
    @Test(arguments: EngineAdapter.all)
    func anIdentifierIsTheFieldIdAlsoBesideAnotherTextKey(adapter: EngineAdapter) async throws {
        let store = try await adapter.make().dataStore(models: [Account.self])
        try await store.save([
            Account(email: "a", id: "1"), Account(email: "b", id: "2"), Account(email: "c", id: "2"),
            Account(email: "d", id: "a"),
        ])
        #expect(try await store.query(Account.self, byId: "1")?.email == "a")
        #expect(try await store.query(Account.self, byId: "2")?.email == "b")
        #expect(try await store.query(Account.self, byId: "a")?.email == "d")
        #expect(try await store.query(Account.self, byId: "b") == nil)
        #expect(try await store.explain(Account.self, "1").unsent.map(\.key) == ["a"])
        #expect(try await store.explain(Account.self, "a").unsent.map(\.key) == ["d"])
        #expect(try await store.explain(Account.self, "c").unsent.map(\.key) == ["c"])
        #expect(try await store.query(Account.self, byId: RecordKey("b"))?.id == "2")
        #expect(try await store.delete(Account.self, withId: "b") == false)
        await #expect {
            try await store.delete(Account.self, withId: "2")
        } throws: {
            ($0 as? ModelError)?.kind == .notUnique
        }
        #expect(try await store.delete(Account.self, withId: "1"))
        try await store.transaction { transaction in
            let found = try await transaction.query(Account.self, byId: "a")
            #expect(found?.email == "d")
            let isDeleted = try await transaction.delete(Account.self, withId: "a")
            #expect(isDeleted)
        }
        #expect(try await store.query(Account.self).map(\.email) == ["b", "c"])
    }

    @Test(arguments: EngineAdapter.all)
    func aNumberIsFoundByItsText(adapter: EngineAdapter) async throws {
        let store = try await adapter.make().dataStore(models: [Counter.self])
        try await store.save([Counter(id: 5, count: 1), Counter(id: 6, count: 2)])
        #expect(try await store.query(Counter.self, byId: "5")?.count == 1)
        #expect(try await store.query(Counter.self, byId: "7") == nil)
        await #expect {
            try await store.query(Counter.self, byId: "five")
        } throws: {
            ($0 as? StorageError)?.kind == .unrepresentable
        }
        #expect(try await store.delete(Counter.self, withId: "5"))
        try await store.transaction { transaction in
            let isDeleted = try await transaction.delete(Counter.self, withId: "6")
            #expect(isDeleted)
        }
        #expect(try await store.count(Counter.self) == 0)
    }
}
