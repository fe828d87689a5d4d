import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

struct CascadeTests {
    /// The pending outbox entries in order, as `Model:key`.
    static func outbox(_ store: DataStore) async throws -> [String] {
        try await store.outboxEntries().map { "\($0.model):\($0.key)" }
    }

    /// Two houses with a deed, rooms, tenants and leases each.
    static func fill(_ store: DataStore) async throws {
        for name in ["h", "k"] {
            let house = House(name)
            try await store.save(house)
            try await store.save(Deed("\(name)-deed", house: house))
            let rooms = (0..<3).map { Room("\(name)-room\($0)", house: house) }
            let tenants = (0..<2).map { Tenant("\(name)-tenant\($0)", house: house) }
            try await store.save(rooms)
            try await store.save(tenants)
            try await store.save([
                Lease("\(name)-lease0", room: rooms[0], tenant: tenants[0]),
                Lease("\(name)-lease1", room: rooms[0], tenant: tenants[1]),
                Lease("\(name)-lease2", room: rooms[1], tenant: tenants[1]),
                Lease("\(name)-lease3", room: rooms[2]),
            ])
        }
        try await store.sendOutbox()
    }

    /// Saves records that mark the end of what is observed.
    static func end(_ store: DataStore) async throws -> Room {
        let room = Room("end", house: House("end"))
        try await store.save(room.house)
        try await store.save(room)
        try await store.save(Lease("end", room: room))
        return room
    }

    @Test(arguments: EngineAdapter.all)
    func aRecordIsDeletedWithEverythingThatBelongsToIt(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        try await Self.fill(store)
        let before = try await store.dump().sequence
        #expect(try await store.delete(House("h")))
        let after = try await store.dump()
        #expect(after.sequence > before)
        for (entity, count) in ["House": 1, "Deed": 1, "Room": 3, "Tenant": 2, "Lease": 4] {
            #expect(after.rows[entity]?.count == count, "\(entity)")
        }
    }

    @Test(arguments: EngineAdapter.all)
    func recordsThatBelongToAnotherStay(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        try await Self.fill(store)
        try await store.delete(House("h"))
        for entity in ["House", "Deed", "Room", "Tenant", "Lease"] {
            let rows = try await store.dump().rows[entity] ?? []
            #expect(rows.allSatisfy { "\($0.cells[0])".contains("k") }, "\(entity)")
        }
    }

    @Test(arguments: EngineAdapter.all)
    func eachDeletedRecordIsInTheOutboxOnce(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        try await Self.fill(store)
        try await store.delete(House("h"))
        let entries = try await Self.outbox(store)
        #expect(entries.count == 11)
        #expect(Set(entries).count == 11)
        #expect(try await store.outboxEntries().allSatisfy { $0.operation == .delete })
    }

    @Test(arguments: EngineAdapter.all)
    func childrenAreInTheOutboxBeforeTheirParents(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        try await Self.fill(store)
        try await store.delete(House("h"))
        let models = try await store.outboxEntries().map(\.model)
        let lastLease = try #require(models.lastIndex(of: "Lease"))
        #expect(lastLease < (try #require(models.firstIndex(of: "Room"))))
        #expect(lastLease < (try #require(models.firstIndex(of: "Tenant"))))
        #expect(models.firstIndex(of: "House") == models.count - 1)
    }

    @Test(arguments: EngineAdapter.all)
    func observersOfEachModelSeeItsDeletions(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        try await Self.fill(store)
        let houses = try store.observe(House.self)
        let deeds = try store.observe(Deed.self)
        let rooms = try store.observe(Room.self)
        let tenants = try store.observe(Tenant.self)
        let leases = try store.observe(Lease.self)
        try await store.delete(House("h"))
        let room = try await Self.end(store)
        try await store.save([Tenant("end", house: room.house)])
        #expect(try await store.collect(houses, until: "end").map(\.model.id) == ["h"])
        #expect(
            try await store.collect(rooms, until: "end").map(\.model.id).sorted() == ["h-room0", "h-room1", "h-room2"])
        #expect(try await store.collect(tenants, until: "end").map(\.model.id).sorted() == ["h-tenant0", "h-tenant1"])
        let seenLeases = try await store.collect(leases, until: "end")
        #expect(seenLeases.map(\.model.id).sorted() == (0..<4).map { "h-lease\($0)" })
        #expect(try await store.close(andCollect: deeds).map(\.model.id) == ["h-deed"])
    }

    @Test(arguments: EngineAdapter.all)
    func aDeletionShowsTheRecordAsItWas(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        try await Self.fill(store)
        let rooms = try store.observe(Room.self)
        try await store.delete(House("h"))
        _ = try await Self.end(store)
        let seen = try await store.collect(rooms, until: "end")
        #expect(seen.allSatisfy { $0.kind == .deleted && $0.model.house.id == "h" })
    }

    @Test(arguments: EngineAdapter.all)
    func theOtherEndsOfAJoinModelAreKept(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        try await Self.fill(store)
        #expect(try await store.delete(Room.self, withId: "h-room0"))
        #expect(try await store.query(Lease.self, where: Lease.CodingKeys.room == "h-room0").isEmpty)
        #expect(try await [store.count(Lease.self), store.count(Tenant.self), store.count(Room.self)] == [6, 4, 5])
        #expect(try await store.delete(Lease.self, withId: "h-lease2"))
        #expect(try await [store.count(Lease.self), store.count(Tenant.self), store.count(Room.self)] == [5, 4, 5])
        #expect(try await store.delete(Deed.self, withId: "h-deed"))
        #expect(try await store.count(House.self) == 2)
    }

    @Test(arguments: EngineAdapter.all)
    func aTreeIsDeletedFromItsLeaves(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        var nodes = [TreeNode("0")]
        for number in 1..<63 { nodes.append(TreeNode("\(number)", parent: nodes[(number - 1) / 2])) }
        try await store.save(nodes)
        try await store.sendOutbox()
        let changes = try store.observe(TreeNode.self)
        #expect(try await store.delete(TreeNode.self, withId: "2"))
        let order = try await store.outboxEntries().compactMap { Int($0.key) }
        #expect(order.count == 31 && Set(order).count == 31)
        let positions = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        for number in order where number != 2 { #expect(positions[number] ?? 99 < positions[(number - 1) / 2] ?? 0) }
        #expect(try await store.count(TreeNode.self) == 32)
        #expect(try await store.close(andCollect: changes).compactMap { Int($0.model.id) } == order)
    }

    /// A record that belongs to another by a short way and by a long one.
    @Test(arguments: EngineAdapter.all)
    func aDiamondOfUnequalSidesIsDeletedChildrenFirst(adapter: EngineAdapter) async throws {
        for mirrored in [false, true] {
            let store = try await adapter.make().dataStore(
                models: mirrored
                    ? [Top.self, Long.self, Short.self, Bottom.self] : [Top.self, Bottom.self, Short.self, Long.self])
            try await store.save(Top(id: "t"))
            try await store.save(Short(id: "s", top: LazyReference(Top(id: "t"))))
            try await store.save(Long(id: "l", short: LazyReference(Short(id: "s", top: LazyReference(nil)))))
            try await store.save(
                Bottom(
                    id: "b", top: LazyReference(Top(id: "t")),
                    long: LazyReference(Long(id: "l", short: LazyReference(nil)))))
            try await store.sendOutbox()
            #expect(try await store.delete(Top(id: "t")))
            #expect(try await Self.outbox(store) == ["Bottom:b", "Long:l", "Short:s", "Top:t"])
        }
    }

    @Test(arguments: EngineAdapter.all)
    func aThousandChildrenGoInOneCommit(adapter: EngineAdapter) async throws {
        let intercepted = InterceptedAdapter(adapter.make()) { _, _ async throws(StorageError) in }
        let store = try await intercepted.graphStore()
        let houses = ["h", "k"].map { House($0) }
        try await store.save(houses)
        try await store.save((0..<2_000).map { Room("\($0)", house: houses[$0 % 2]) })
        try await store.sendOutbox()
        let changes = try store.observe(Room.self)
        let before = intercepted.commitCount
        #expect(try await store.delete(houses[0]))
        #expect(intercepted.commitCount == before + 1)
        #expect(try await store.count(Room.self) == 1_000)
        let entries = try await Self.outbox(store)
        #expect(entries.count == 1_001 && entries.last == "House:h")
        _ = try await Self.end(store)
        let seen = try await store.collect(changes, until: "end")
        #expect(Set(seen.map(\.model.id)).count == 1_000 && seen.count == 1_000)
    }

    @Test(arguments: EngineAdapter.all)
    func aFailedCommitLeavesEverything(adapter: EngineAdapter) async throws {
        let fails = Mutex(false)
        let store = try await InterceptedAdapter(adapter.make()) { _, _ async throws(StorageError) in
            if fails.withLock({ $0 }) { throw StorageError(.full, "No space.") }
        }.graphStore()
        try await Self.fill(store)
        let changes = try store.observe(Lease.self)
        let before = try await store.dump()
        fails.withLock { $0 = true }
        await #expect { try await store.delete(House("h")) } throws: { ($0 as? StorageError)?.kind == .full }
        await #expect { try await store.delete(Room.self, where: QueryPredicateConstant.all) } throws: {
            ($0 as? StorageError)?.kind == .full
        }
        #expect(try await store.dump() == before)
        fails.withLock { $0 = false }
        #expect(try await store.delete(House.self, where: QueryPredicateConstant.all) == 2)
        for (entity, rows) in try await store.dump().rows where !entity.hasPrefix("__") {
            #expect(rows.isEmpty, "\(entity)")
        }
        _ = try await Self.end(store)
        #expect(try await store.collect(changes, until: "end").count == 8)
    }

    @Test(arguments: EngineAdapter.all)
    func recordsThatTheTransactionSavedBeforeAreDeletedInOrderToo(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let house = House("h")
        try await store.save(house)
        try await store.save(Room("r", house: house))
        try await store.sendOutbox()
        try await store.transaction { transaction in
            try await transaction.save(House("h", name: "renamed"))
            try await transaction.save(Room("r", name: "renamed", house: house))
            try await transaction.delete(house)
        }
        #expect(try await Self.outbox(store) == ["Room:r", "House:h"])
    }

    @Test(arguments: EngineAdapter.all)
    func childrenThatTheTransactionSavedOrMovedAreRightlyTaken(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let (one, two) = (House("1"), House("2"))
        try await store.save([one, two])
        try await store.save([Room("stays", house: one), Room("comes", house: two)])
        try await store.transaction { transaction in
            try await transaction.save(Room("stays", house: two))
            try await transaction.save(Room("comes", house: one))
            try await transaction.save(Room("new", house: one))
            #expect(try await transaction.delete(one))
            #expect(try await transaction.query(Room.self).map(\.id) == ["stays"])
        }
        #expect(try await store.query(Room.self).map(\.id) == ["stays"])
        #expect(try await store.query(House.self).map(\.id) == ["2"])
    }
}

struct Top: Model {
    let id: String

    enum CodingKeys: String, ModelKey { case id }
    class Path: ModelPath<Top> {}
    static var rootPath: (any PropertyContainerPath)? { Path() }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(.field(CodingKeys.id))
    }
}

struct Short: Model {
    let id: String
    var top: LazyReference<Top>

    enum CodingKeys: String, ModelKey { case id, top }
    class Path: ModelPath<Short> {}
    static var rootPath: (any PropertyContainerPath)? { Path() }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(.field(CodingKeys.id), .belongsTo(CodingKeys.top, is: .optional, ofType: Top.self))
    }
}

struct Long: Model {
    let id: String
    var short: LazyReference<Short>

    enum CodingKeys: String, ModelKey { case id, short }
    class Path: ModelPath<Long> {}
    static var rootPath: (any PropertyContainerPath)? { Path() }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(.field(CodingKeys.id), .belongsTo(CodingKeys.short, is: .optional, ofType: Short.self))
    }
}

struct Bottom: Model {
    let id: String
    var top: LazyReference<Top>
    var long: LazyReference<Long>

    enum CodingKeys: String, ModelKey { case id, top, long }
    class Path: ModelPath<Bottom> {}
    static var rootPath: (any PropertyContainerPath)? { Path() }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(
            .field(CodingKeys.id), .belongsTo(CodingKeys.top, is: .optional, ofType: Top.self),
            .belongsTo(CodingKeys.long, is: .optional, ofType: Long.self))
    }
}
