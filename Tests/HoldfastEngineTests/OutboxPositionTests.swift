#if SQLite
@testable import HoldfastEngine
import HoldfastModel
import HoldfastSQLite
import HoldfastStorage
import HoldfastTestSupport
import Testing

/// Two data stores over one file know nothing of each other, as two processes do not.
struct OutboxPositionTests {
    let file: MigratedStore

    init() throws { file = MigratedStore() }

    /// Opens the file with a clock that has stopped.
    func open(_ clock: Int64) async throws -> DataStore {
        try await SQLiteAdapter(path: file.path).graphStore(DataStoreOptions(surroundings: .system(now: { clock })))
    }

    @Test func changesThatDependOnARecordFollowItRegardlessOfClocks() async throws {
        let (late, early) = (try await open(1_000), try await open(10))
        let house = House("h")
        try await late.save(house)
        try await early.save(Room("r", house: house))
        try await early.transaction { transaction in
            let room = try await transaction.query(Room.self).first
            if let room { try await transaction.save(Lease("l", room: room)) }
        }
        try await late.save(Tenant("t", house: house))
        let positions = Dictionary(
            uniqueKeysWithValues: try await late.outboxEntries().map { ($0.model, $0.position) })
        let chain = try ["House", "Room", "Lease"].map { try #require(positions[$0]) }
        #expect(zip(chain, chain.dropFirst()).allSatisfy { $0 < $1 })
        #expect(try #require(positions["House"]) < #require(positions["Tenant"]))
        try await late.close()
        try await early.close()
    }

    /// The newest commit is an own one, and one before it is not.
    @Test func anOwnCommitHidesNoneOfTheOtherProcess() async throws {
        let (late, early) = (try await open(1_000), try await open(10))
        try await early.save(TreeNode("x"))
        try await late.save(House("h"))
        try await early.save(TreeNode("y"))
        try await early.transaction { transaction in
            let house = try await transaction.query(House.self, byId: "h")
            if let house { try await transaction.save(Room("r", house: house)) }
        }
        #expect(try await early.outboxEntries().map(\.model) == ["TreeNode", "TreeNode", "House", "Room"])
        try await late.close()
        try await early.close()
    }

    /// What the service says is known already, so that the commit only checks that the lease still holds.
    @Test func aCommitThatChangesNothingHidesNoneOfTheOtherProcess() async throws {
        let (late, early) = (try await open(1_000), try await open(10))
        let fence = try #require(try await early.claim("here", until: 10, now: 0))
        let row = Array(try TreeNode("y").row()[0])
        let known = RemoteRecord(key: RecordKey("y"), row: row, version: 1, lastChangedAt: 1)
        let batch = RemoteBatch(model: TreeNode.modelName, records: [known])
        try await early.save(TreeNode("x"))
        #expect(try await early.apply(batch, fence).count(.created) == 1)
        let house = House("h")
        try await late.save(house)
        #expect(try await early.apply(batch, fence).droppedCount == 1)
        try await early.save(Room("r", house: house))
        #expect(try await early.outboxEntries().map(\.model) == ["TreeNode", "House", "Room"])
        try await late.close()
        try await early.close()
    }

    @Test func aDeletionFollowsWhatItDeletes() async throws {
        let (late, early) = (try await open(1_000), try await open(10))
        let house = House("h")
        try await early.save(house)
        try await early.sendOutbox()
        try await late.save(House("other"))
        try await late.save(House("h", name: "changed"))
        try await late.sendOutbox()
        try await late.save(Room("r", house: house))
        try await early.delete(house)
        let entries = try await early.outboxEntries()
        #expect(entries.map(\.operation) == [.delete])
        try await early.save(House("other", name: "again"))
        #expect(try await early.outboxEntries().map(\.key) == ["h", "other"])
        try await late.close()
        try await early.close()
    }

    /// The deletion does not read what the other process has changed.
    @Test func aDeletionFollowsWhatMovedAwayBefore() async throws {
        let (late, early) = (try await open(1_000), try await open(10))
        let (house, other) = (House("h"), House("other"))
        try await early.save([house, other])
        try await early.save(Room("r", house: house))
        try await early.sendOutbox()
        try await late.save(Room("r", house: other))
        try await early.delete(house)
        #expect(try await early.outboxEntries().map(\.key) == ["r", "h"])
        try await late.close()
        try await early.close()
    }

    @Test func aReopenedStoreAppendsToTheQueue() async throws {
        let late = try await open(1_000)
        try await late.save((0..<50).map { House("\($0)") })
        try await late.close()
        let early = try await open(10)
        try await early.save(House("next"))
        #expect(try await early.outboxEntries().last?.key == "next")
        try await early.close()
    }

    /// A letter is kept under the place of its change.
    @Test func aLaterChangeDoesNotTakeThePlaceOfADeadLetter() async throws {
        for (clock, name) in [(1_000, "first"), (10, "second"), (1_000, "third")] as [(Int64, String)] {
            let store = try await open(clock)
            try await store.save(House("h", name: name))
            try await refuseHouses(of: store)
            try await store.close()
        }
        let store = try await open(10)
        #expect(try await store.deadLetters().map(\.position) == [1_000, 1_001, 1_002])
        try await store.close()
    }

    /// Both continue from the same position after their clock went back.
    @Test func aLetterKeepsItsPlaceBesideAnotherProcess() async throws {
        let (late, early) = (try await open(2_000_000), try await open(10))
        try await late.save(TreeNode("x"))
        try await early.save(TreeNode("y"))
        try await late.save(TreeNode("z"))
        try await late.save(House("h", name: "first"))
        try await refuseHouses(of: late)
        try await early.save(House("h", name: "second"))
        try await refuseHouses(of: early)
        #expect(try await early.deadLetters().count == 2)
        try await late.close()
        try await early.close()
    }

    private func refuseHouses(of store: DataStore) async throws {
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let sent = try await store.take(8, fence).filter { $0.id.model == House.modelName }
        _ = try await store.settle(
            sent.map { .refused($0.id, errorType: "Unauthorized", message: "no", remote: nil) }, fence)
        try await store.release(fence)
    }

    @Test func writersOfBothTakeTurnsWithoutLosingTheOrder() async throws {
        let stores = [try await open(1_000), try await open(10)]
        try await stores[0].save(TreeNode("0"))
        // Each node belongs to the one before, which the other store saved.
        for number in 1..<40 {
            try await stores[number % 2].save(TreeNode("\(number)", parent: TreeNode("\(number - 1)")))
        }
        let entries = try await stores[0].outboxEntries()
        #expect(entries.map(\.key) == (0..<40).map(String.init))
        for store in stores { try await store.close() }
    }
}
#endif
