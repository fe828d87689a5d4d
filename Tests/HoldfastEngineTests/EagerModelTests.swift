import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// The key of a house: a lazy model without a path.
private struct Key: Model {
    let id: String
    var house: LazyReference<House>

    enum CodingKeys: String, ModelKey { case id, house }
    static var isEager: Bool { false }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(
            .field(CodingKeys.id),
            .belongsTo(CodingKeys.house, ofType: House.self, targetNames: ["houseID"]))
    }
}

struct EagerModelTests {
    /// Leases of rooms and tenants of two houses; every third has no tenant.
    static func fill(_ store: DataStore, leases: Int) async throws {
        let houses = (0..<2).map { House("h\($0)", name: "House \($0)") }
        try await store.save(houses)
        let rooms = (0..<10).map { Room("r\($0)", name: "Room \($0)", house: houses[$0 % 2]) }
        let tenants = (0..<5).map { Tenant("t\($0)", name: "Tenant \($0)", house: houses[$0 % 2]) }
        try await store.save(rooms)
        try await store.save(tenants)
        try await store.save(
            (0..<leases).map { number in
                Lease(
                    "\(10_000 + number)", rent: number, room: rooms[number % 10],
                    tenant: number % 3 == 0 ? nil : tenants[number % 5])
            })
    }

    func check(_ lease: Lease) {
        #expect(lease.room.name == "Room \(lease.rent % 10)")
        #expect(lease.room.house.name == "House \(lease.rent % 10 % 2)")
        #expect(lease.tenant?.name == (lease.rent % 3 == 0 ? nil : "Tenant \(lease.rent % 5)"))
        #expect(lease.tenant?.house.name == (lease.rent % 3 == 0 ? nil : "House \(lease.rent % 5 % 2)"))
    }

    @Test(arguments: EngineAdapter.all)
    func parentsAndTheirsComeWithOneReadForEachRelation(adapter: EngineAdapter) async throws {
        let reads = Reads()
        let store = try await WatchedAdapter(adapter.make(), reads).graphStore()
        try await Self.fill(store, leases: 300)
        func counts() -> [Int] {
            defer { reads.reset() }
            return [reads["Lease"], reads["Room"], reads["Tenant"], reads["House"]]
        }
        _ = counts()
        #expect(try await store.query(Lease.self).count == 300)
        #expect(counts() == [1, 1, 1, 2])
        _ = try await store.query(Lease.self, byId: "10007")
        #expect(counts() == [1, 1, 1, 2])
        // This one has no tenant.
        _ = try await store.query(Lease.self, byId: "10009")
        #expect(counts() == [1, 1, 0, 1])
    }

    @Test(arguments: EngineAdapter.all)
    func everyReadLoadsTheRightParents(adapter: EngineAdapter) async throws {
        let store = try await WatchedAdapter(adapter.make(), Reads()).graphStore()
        try await Self.fill(store, leases: 300)
        try await store.query(Lease.self).forEach(check)
        check(try #require(try await store.query(Lease.self, byId: "10007")))
        check(try #require(try await store.query(Lease.self, byId: "10009")))
        try await store.transaction { transaction in
            try await transaction.query(Lease.self).forEach(check)
            check(try #require(try await transaction.query(Lease.self, byId: "10001")))
        }
    }

    @Test(arguments: EngineAdapter.all)
    func aPageComesWithItsParents(adapter: EngineAdapter) async throws {
        let store = try await WatchedAdapter(adapter.make(), Reads()).graphStore()
        try await Self.fill(store, leases: 300)
        let leases = try await store.query(Lease.self)
        let page = try await store.query(Lease.self, where: Lease.CodingKeys.rent > 5, after: leases[20], limit: 7)
        #expect(page.map(\.rent) == Array(21...27))
        page.forEach(check)
    }

    @Test(arguments: EngineAdapter.all)
    func aReadThatFindsNothingNeedsNoParents(adapter: EngineAdapter) async throws {
        let store = try await WatchedAdapter(adapter.make(), Reads()).graphStore()
        try await Self.fill(store, leases: 10)
        #expect(try await store.query(Lease.self, where: Lease.CodingKeys.rent < 0).isEmpty)
        #expect(try await store.query(Lease.self, byId: "none") == nil)
    }

    @Test(arguments: EngineAdapter.all)
    func manyRecordsAreReadPageByPage(adapter: EngineAdapter) async throws {
        let reads = Reads()
        let store = try await WatchedAdapter(adapter.make(), reads).graphStore()
        try await Self.fill(store, leases: 3_000)
        reads.reset()
        let leases = try await store.query(Lease.self)
        #expect(leases.map(\.rent) == Array(0..<3_000))
        leases.forEach(check)
        #expect((1...4).contains(reads["Room"]) && (1...4).contains(reads["Tenant"]))
        #expect((2...8).contains(reads["House"]))
        reads.reset()
        var streamed: [Int] = []
        for try await lease in try store.stream(Lease.self) {
            check(lease)
            streamed.append(lease.rent)
        }
        #expect(streamed == Array(0..<3_000))
        #expect((1...4).contains(reads["Room"]))
    }

    @Test(arguments: EngineAdapter.all)
    func childrenOfALazyModelHoldTheirParents(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        try await Self.fill(store, leases: 30)
        let request = ChildrenRequest(fields: ["room"], parent: RecordKey("r3"))
        let page = try await store.loadChildren(Lease.self, request)
        #expect(page.models.map(\.rent) == [3, 13, 23])
        page.models.forEach(check)
    }

    @Test(arguments: EngineAdapter.all)
    func aTransactionReadsParentsThatItWrote(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        try await store.transaction { transaction in
            let house = House("h", name: "new")
            try await transaction.save(house)
            try await transaction.save(Room("r", house: House("h", name: "another copy")))
            #expect(try await transaction.query(Room.self).map(\.house.name) == ["new"])
            #expect(try await transaction.query(Room.self, byId: "r")?.house.name == "new")
        }
    }

    @Test(arguments: EngineAdapter.all)
    func observedRecordsHoldTheirParentsAlsoWhenAllAreDeleted(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        try await Self.fill(store, leases: 0)
        var changes = try store.observe(Lease.self).makeAsyncIterator()
        let house = House("h1", name: "House 1")
        let room = Room("r1", name: "Room 1", house: house)
        let tenant = Tenant("t1", name: "Tenant 1", house: house)
        try await store.save(Lease("a", rent: 1, room: room, tenant: tenant))
        let created = try #require(try await changes.next())
        #expect(created.kind == .created)
        check(created.model)
        try await store.delete(house)
        let deleted = try #require(try await changes.next())
        #expect(deleted.kind == .deleted)
        check(deleted.model)
        #expect(deleted.model.id == "a")
    }

    @Test(arguments: EngineAdapter.all)
    func changesOfARecordWhoseParentIsGoneByThenLeadToItsDeletion(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let house = House("h", name: "House")
        try await store.save(house)
        try await store.save(Room("kept", house: House("h")))
        var changes = try store.observe(Room.self).makeAsyncIterator()
        var live = try store.observeQuery(Room.self).makeAsyncIterator()
        #expect(try await live.next()?.items.map(\.id) == ["kept"])
        try await store.save(Room("r", house: house))
        try await store.save(Room("kept", name: "renamed", house: house))
        try await store.delete(house)
        var deleted: Set<String> = []
        while deleted.count < 2, let change = try await changes.next() {
            #expect(change.kind == .deleted && change.model.house.name == "House")
            deleted.insert(change.model.id)
        }
        #expect(deleted == ["kept", "r"])
        #expect(try await live.next()?.items.isEmpty == true)
        try await store.save(house)
        try await store.save(Room("again", house: house))
        #expect(try await live.next()?.items.map(\.house.name) == ["House"])
    }

    @Test(arguments: EngineAdapter.all)
    func liveItemsHoldTheirParents(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        try await Self.fill(store, leases: 20)
        var live = try store.observeQuery(Lease.self, sort: .descending(Lease.CodingKeys.rent)).makeAsyncIterator()
        let first = try #require(try await live.next()?.items)
        #expect(first.map(\.rent) == (0..<20).reversed())
        first.forEach(check)
        let house = House("h0", name: "House 0")
        try await store.save(Lease("new", rent: 30, room: Room("r0", name: "Room 0", house: house)))
        let second = try #require(try await live.next()?.items)
        #expect(second.first?.rent == 30 && second.count == 21)
        second.forEach(check)
        try await store.delete(House.self, withId: "h0")
        let third = try #require(try await live.next()?.items)
        #expect(
            third.map(\.id) == (try await store.query(Lease.self, sort: .descending(Lease.CodingKeys.rent)).map(\.id)))
        third.forEach(check)
    }

    @Test(arguments: EngineAdapter.all)
    func observingEndsWithoutAnErrorWhenTheStoreCloses(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let changes = try store.observe(Room.self)
        var live = try store.observeQuery(Room.self).makeAsyncIterator()
        _ = try await live.next()
        try await store.save(House("h"))
        try await store.save(Room("r", house: House("h")))
        try await store.close()
        for try await _ in changes {}
        while try await live.next() != nil {}
    }

    @Test(arguments: EngineAdapter.all)
    func changesNotYetTakenKeepTheirParentsWhenTheStoreCloses(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let house = House("h", name: "House")
        try await store.save(house)
        var taken = try store.observe(Room.self).makeAsyncIterator()
        let untaken = try store.observe(Room.self)
        let matching = try store.observe(Room.self, where: Room.CodingKeys.id != "b")
        for id in ["a", "b", "c"] { try await store.save(Room(id, house: house)) }
        #expect(try await taken.next()?.model.id == "a")
        try await store.close()
        var rest: [Room] = []
        while let change = try await taken.next() { rest.append(change.model) }
        #expect(rest.map(\.id) == ["b", "c"] && rest.allSatisfy { $0.house.name == "House" })
        rest = []
        for try await change in untaken { rest.append(change.model) }
        #expect(rest.map(\.id) == ["a", "b", "c"] && rest.allSatisfy { $0.house.name == "House" })
        rest = []
        for try await change in matching { rest.append(change.model) }
        #expect(rest.map(\.id) == ["a", "c"])
    }

    @Test func veryManyChangesNotYetTakenKeepTheirParentsToo() async throws {
        let store = try await EngineAdapter.memory.graph()
        let house = House("h", name: "House")
        try await store.save(house)
        let changes = try store.observe(Room.self)
        for start in stride(from: 0, to: 12_000, by: 4_000) {
            try await store.save((start..<start + 4_000).map { Room("\($0)", house: house) })
        }
        let seen = try await store.close(andCollect: changes)
        #expect(seen.count == 12_000 && seen.allSatisfy { $0.model.house.name == "House" })
    }

    /// Each room is deleted before its house, so that the commit has a set of changes for each.
    @Test(arguments: [200, 1_000])
    func manyDeletionsByOneTransactionAreAllObserved(count: Int) async throws {
        let store = try await EngineAdapter.memory.graph()
        let houses = (0..<count).map { House("\($0)") }
        try await store.save(houses)
        try await store.save(houses.map { Room($0.id, house: $0) })
        let changes = try store.observe(Room.self)
        try await store.transaction { transaction in
            for house in houses { try await transaction.delete(house) }
        }
        let seen = try await store.close(andCollect: changes)
        #expect(seen.count == count)
        #expect(seen.allSatisfy { $0.kind == .deleted && $0.model.house.id == $0.model.id })
    }

    @Test func manyDeletionsAreObservedTogetherWithThoseOfOtherModels() async throws {
        let store = try await EngineAdapter.memory.graph()
        let house = House("h", name: "House")
        try await store.save(house)
        try await store.save((0..<7_000).map { Room("\($0)", house: house) })
        try await store.save((0..<7_000).map { Tenant("\($0)", house: house) })
        let changes = try store.observe()
        try await store.delete(house)
        try await store.close()
        var count = 0
        for try await change in changes where change.kind == .deleted { count += 1 }
        #expect(count == 14_001)
    }

    @Test(arguments: EngineAdapter.all)
    func aModelDeclaredLazyIsReadWithoutItsParents(adapter: EngineAdapter) async throws {
        let reads = Reads()
        let store = try await WatchedAdapter(adapter.make(), reads).dataStore(models: [House.self, Deed.self, Key.self])
        try await store.save(House("h", name: "House"))
        try await store.save(Key(id: "k", house: LazyReference(House("h"))))
        reads.reset()
        let key = try #require(try await store.query(Key.self).first)
        #expect(reads["Key"] == 1 && reads["House"] == 0)
        #expect(try await key.house.get()?.name == "House")
    }

    @Test(arguments: EngineAdapter.all)
    func aChangeWhoseParentsCannotBeReadForTheMomentIsNotLost(adapter: EngineAdapter) async throws {
        let isFailing = Mutex(false)
        let intercepted = InterceptedAdapter(
            adapter.make(),
            beforeSnapshot: { () throws(StorageError) in
                if isFailing.load() { throw StorageError(.busy, "The store cannot be read now.") }
            })
        let store = try await intercepted.graphStore()
        var changes = try store.observe(Room.self).makeAsyncIterator()
        let house = House("h", name: "House")
        try await store.save(house)
        try await store.save(Room("r", house: house))
        isFailing.store(true)
        await #expect { _ = try await changes.next() } throws: { ($0 as? StorageError)?.kind == .busy }
        isFailing.store(false)
        #expect(try await changes.next()?.model.house.name == "House")
    }

    /// As a service or another process could leave it.
    @Test(arguments: EngineAdapter.all)
    func whatRequiresAParentThatIsGoneIsHidden(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let house = House("h")
        try await store.save(house)
        try await store.save(Room("r", house: house))
        try await store.save(Tenant("t", house: house))
        _ = try await store.store.commit(
            CommitRequest(operations: [.delete(entity: "House", keys: [RecordKey("h")])]))
        #expect(try await store.query(Room.self).isEmpty)
        #expect(try await store.query(Tenant.self).isEmpty)
        try await store.save(house)
        #expect(try await store.query(Room.self).map(\.id) == ["r"])
    }

    @Test func foldedChangesKeepTheParentsThatWereDeletedWithThem() {
        let entity = EntitySchema("E", fields: [FieldSchema("id", .int)])
        let parents = EntitySchema("P", fields: [FieldSchema("id", .int)])
        func set(_ kind: ChangeKind, _ ids: ClosedRange<Int64>, of entity: EntitySchema) -> ChangeSet {
            var rows = RowBuffer(columnCount: 1)
            for id in ids { rows.append([.integer(id)]) }
            return ChangeSet(sequence: 1, entity: entity, kinds: ids.map { _ in kind }, rows: rows)
        }
        var buffer = ChangeBuffer()
        for (id, parent) in [(1, 7), (2, 8)] as [(Int64, Int64)] {
            var deleted = set(.deleted, id...id, of: entity)
            deleted.deletedTogether = DeletedRecords(by: [deleted, set(.deleted, parent...parent, of: parents)])
            buffer.append(deleted)
        }
        buffer.append(set(.created, 3...10_003, of: entity))
        buffer.fold()
        let folded = buffer.take()
        #expect(folded.map(\.isDeletion) == [true, false])
        #expect(folded.last?.deletedTogether == nil)
        let keys = [RecordKey([.integer(7)]), RecordKey([.integer(8)])]
        #expect(folded.first?.deletedTogether?.rows(of: "P", by: [0], keys)?.cells == [.integer(7), .integer(8)])
    }
}
