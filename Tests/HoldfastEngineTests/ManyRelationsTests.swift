import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

/// Relations of more records than one statement of a back end can name.
struct ManyRelationsTests {
    static let count = 2_500

    @Test(arguments: EngineAdapter.all)
    func manyParentsWithCompositeKeysAreDeletedWithTheirChildren(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let orders = (0..<Self.count).map { Order(shop: "s\($0 % 7)", number: $0) }
        try await store.save(orders)
        try await store.save(orders.map { OrderLine(id: "\($0.number)", title: "", order: $0) })
        #expect(try await store.query(OrderLine.self, sort: .ascending(OrderLine.keys.title)).count == Self.count)
        #expect(try await store.delete(Order.self, where: Order.keys.shop != "s0") == Self.count - 358)
        #expect(try await store.count(OrderLine.self) == 358)
    }

    @Test(arguments: EngineAdapter.all)
    func manyParentsAreLoadedAndDeleted(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let houses = (0..<Self.count).map { House("\($0)", name: "House \($0)") }
        try await store.save(houses)
        try await store.save(houses.map { Room($0.id, house: $0) })
        func check(_ rooms: [Room]) {
            #expect(rooms.count == Self.count)
            #expect(rooms.allSatisfy { $0.house.name == "House \($0.id)" })
        }
        check(try await store.query(Room.self))
        check(try await store.transaction { try await $0.query(Room.self) })
        var live = try store.observeQuery(Room.self).makeAsyncIterator()
        check(try #require(try await live.next()?.items))
        #expect(try await store.delete(House.self, where: QueryPredicateConstant.all) == Self.count)
        #expect(try await store.count(Room.self) == 0)
        #expect(try await live.next()?.items.isEmpty == true)
    }

    @Test(arguments: EngineAdapter.all)
    func manyChildrenOfManyParentsAreSavedInOneTransaction(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let houses = (0..<Self.count).map { House("\($0)") }
        try await store.transaction { transaction in
            try await transaction.save(houses)
            try await transaction.save(houses.map { Room($0.id, house: $0) })
            try await transaction.delete(House.self, where: House.CodingKeys.id == "7")
        }
        #expect(try await store.count(Room.self) == Self.count - 1)
    }
}
