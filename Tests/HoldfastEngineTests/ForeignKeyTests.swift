import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

struct ForeignKeyTests {
    @Test(arguments: EngineAdapter.all)
    func aMissingParentRefusesTheWholeBatch(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let (here, gone) = (House("here"), House("gone"))
        try await store.save(here)
        let before = try await store.dump()
        let rooms = [Room("a", house: here), Room("b", house: gone), Room("c", house: here)]
        #expect(await refusal { try await store.save(rooms) } == .brokenRelation)
        #expect(await refusal { try await store.save(rooms[1]) } == .brokenRelation)
        let inTransaction = await refusal {
            try await store.transaction { transaction in
                try await transaction.save(rooms[0])
                try await transaction.save(rooms[1])
            }
        }
        #expect(inTransaction == .brokenRelation)
        #expect(try await store.dump() == before)
    }

    @Test(arguments: EngineAdapter.all)
    func aParentOfTheSameBatchOrTransactionCounts(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let root = TreeNode("root")
        try await store.save([TreeNode("leaf", parent: root), root])
        #expect(try await store.query(TreeNode.self, byId: "leaf")?.parent.id == "root")
        let house = House("h")
        try await store.transaction { transaction in
            try await transaction.save(Room("r", house: house))
            try await transaction.save(house)
        }
        #expect(try await store.query(Room.self, byId: "r")?.house.id == "h")
    }

    @Test(arguments: EngineAdapter.all)
    func aRecordMayBelongToItself(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let own = TreeNode("own", parent: TreeNode("own"))
        try await store.save(own)
        try await store.save(own)
        #expect(try await store.query(TreeNode.self, byId: "own")?.parent.id == "own")
        #expect(try await store.delete(own))
        #expect(try await store.count(TreeNode.self) == 0)
    }

    @Test(arguments: EngineAdapter.all)
    func aCycleIsSavedInOneTransactionOrStepByStepAndDeletedAsOne(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let left = LeftHalf("l", right: RightHalf("r"))
        let right = RightHalf("r", left: LeftHalf("l"))
        #expect(await refusal { try await store.save(left) } == .brokenRelation)
        try await store.save(RightHalf("r"))
        try await store.save(left)
        try await store.save(right)
        #expect(try await store.query(RightHalf.self, byId: "r")?.left.id == "l")
        #expect(try await store.delete(left))
        #expect(try await store.count(LeftHalf.self) + store.count(RightHalf.self) == 0)
        try await store.transaction { transaction in
            try await transaction.save(left)
            try await transaction.save(right)
        }
        #expect(try await store.delete(RightHalf.self, withId: "r"))
        #expect(try await store.count(LeftHalf.self) + store.count(RightHalf.self) == 0)
    }

    @Test(arguments: EngineAdapter.all)
    func aKeyThatDoesNotChangeIsNotLookedUp(adapter: EngineAdapter) async throws {
        let reads = Reads()
        let store = try await WatchedAdapter(adapter.make(), reads).graphStore()
        let (one, two) = (House("1"), House("2"))
        try await store.save([one, two])
        try await store.save(Room("r", house: one))
        reads.reset()
        try await store.save(Room("r", name: "renamed", house: one))
        #expect(reads["House"] == 0)
        try await store.save(Room("r", name: "moved", house: two))
        #expect(reads["House"] == 1)
        reads.reset()
        try await store.save((0..<50).map { Room("\($0)", house: [one, two][$0 % 2]) })
        #expect(reads["House"] == 1)
    }

    @Test(arguments: EngineAdapter.all)
    func aCompositeKeyIsCheckedAsAWhole(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save([Order(shop: "a", number: 1), Order(shop: "b", number: 2)])
        let crossed = OrderLine(id: "l", title: "", order: Order(shop: "a", number: 2))
        #expect(await refusal { try await store.save(crossed) } == .brokenRelation)
        try await store.save(OrderLine(id: "l", title: "", order: Order(shop: "b", number: 2)))
        #expect(try await store.delete(Order(shop: "a", number: 1)))
        #expect(try await store.count(OrderLine.self) == 1)
        #expect(try await store.delete(Order(shop: "b", number: 2)))
        #expect(try await store.count(OrderLine.self) == 0)
    }

    /// A part of one key beside a part of another, which the service has by then, would lead to no record.
    @Test(arguments: EngineAdapter.all)
    func thePartsOfACompositeKeyChangeTogether(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save([Order(shop: "a", number: 1), Order(shop: "a", number: 2)])
        let fence = try #require(try await store.claim("here", until: .max, now: 0))
        let line = OrderLine(id: "l", title: "", order: Order(shop: "a", number: 1))
        let remote = RemoteRecord(
            key: RecordKey("l"), row: Array(try line.row()[0]), version: 1, lastChangedAt: 1)
        _ = try await store.apply(RemoteBatch(model: "OrderLine", records: [remote]), fence)
        try await store.save(OrderLine(id: "l", title: "", order: Order(shop: "a", number: 2)))
        let change = try #require(try await store.outboxEntries().last)
        #expect(change.model == "OrderLine" && change.changedFields.count == 2)
        #expect(change.before?.contains("\"a\"") == true)
    }

    @Test(arguments: EngineAdapter.all)
    func aParentThatTheTransactionDeletesDoesNotCount(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let house = House("h")
        try await store.save(house)
        try await store.save(Room("old", house: house))
        let before = try await store.dump()
        for id in ["new", "old"] {
            let failure = await refusal {
                try await store.transaction { transaction in
                    try await transaction.delete(house)
                    try await transaction.save(Room(id, house: house))
                }
            }
            #expect(failure == .brokenRelation)
            #expect(try await store.dump() == before)
        }
        try await store.transaction { transaction in
            try await transaction.delete(house)
            try await transaction.save(house)
            try await transaction.save(Room("new", house: house))
        }
        #expect(try await store.query(Room.self).map(\.id) == ["new"])
    }

    @Test(arguments: EngineAdapter.all, [1, 2] as [UInt64])
    func deletingParentsWhileChildrenAreSavedLeavesNoOrphan(adapter: EngineAdapter, seed: UInt64) async throws {
        let store = try await adapter.graph()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var random = SplitMix64(seed: seed &* 100 &+ UInt64(task))
                    for number in 0..<12 {
                        let house = House("\(random.below(3))")
                        switch random.below(5) {
                        case 0: _ = try? await store.delete(house)
                        case 1: _ = try? await store.save(house)
                        case 2:
                            _ = try? await store.transaction { transaction in
                                let room = Room("t\(task)-\(number)", house: house)
                                try await transaction.save(room)
                                try await transaction.save(Lease("t\(task)-\(number)", room: room))
                            }
                        case 3: _ = try? await store.delete(House.self, where: House.CodingKeys.id == house.id)
                        default: _ = try? await store.save(Room("\(task)-\(number)", house: house))
                        }
                    }
                }
            }
        }
        let houses = Set(try await store.query(House.self).map(\.id))
        let dump = try await store.dump()
        for room in dump.rows["Room"] ?? [] {
            guard case .text(let house) = room.cells[2] else { continue }
            #expect(houses.contains(house))
        }
        let rooms = Set((dump.rows["Room"] ?? []).map { $0.cells[0] })
        for lease in dump.rows["Lease"] ?? [] { #expect(rooms.contains(lease.cells[2])) }
    }
}
