import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import Testing

@testable import HoldfastEngine

/// Deletions that take others with them, and what becomes of these.
@Suite struct CascadeSendingTests {
    let house = House("h")

    /// A house with a room that is let, which the service has.
    func open(_ adapter: any StorageAdapter) async throws -> (store: DataStore, fence: SyncFence) {
        let store = try await adapter.graphStore()
        try await store.save(house)
        let room = Room("r", house: house)
        try await store.save(room)
        try await store.save(Lease("l", room: room))
        try await store.sendOutbox()
        return (store, try #require(try await store.claim("here", until: 10, now: 0)))
    }

    /// Takes and answers mutations: the service carries them out, but keeps some records.
    ///
    /// - Returns: What was taken, and what was taken back.
    func exchange(
        _ store: DataStore, _ fence: SyncFence, keeping keys: Set<String> = []
    ) async throws -> [String] {
        let taken = try await store.takeReporting(8, fence)
        let outcomes = taken.mutations.map { mutation -> MutationOutcome in
            if mutation.operation == .delete && keys.contains(mutation.id.key) {
                return .refused(mutation.id, errorType: "Unauthorized", message: nil, remote: nil)
            }
            let version = (mutation.version ?? 0) + 1
            return .accepted(
                mutation.id,
                RemoteRecord(
                    key: mutation.recordKey, row: mutation.operation == .delete ? nil : mutation.row, version: version,
                    lastChangedAt: version))
        }
        if !outcomes.isEmpty { _ = try await store.settle(outcomes, fence) }
        #expect(taken.hasTakenBack == !taken.report.changes.isEmpty)
        let backs = taken.report.changes.map { "\($0.kind) \($0.key)" }
        return taken.mutations.map { "\($0.operation) \($0.id.key)" } + backs
    }

    /// What is left: the keys of the records.
    func keys(_ store: DataStore) async throws -> [String] {
        let houses = try await store.query(House.self).map(\.id)
        let rooms = try await store.query(Room.self).map(\.id)
        return try await houses + rooms + store.query(Lease.self).map(\.id)
    }

    @Test(arguments: EngineAdapter.all)
    func whatGoesWithARecordFollowsItsDeletion(adapter: EngineAdapter) async throws {
        let (store, fence) = try await open(adapter.make())
        try await store.delete(house)
        #expect(try await store.outboxEntries().map { $0.cascade?.text ?? "-" } == ["Room:r", "House:h", "-"])
        for key in ["h", "r", "l"] { #expect(try await exchange(store, fence) == ["delete \(key)"]) }
        #expect(try await store.outboxCount() == 0)
        #expect(try await keys(store).isEmpty)
    }

    /// Without a letter of their own: the letter of the deletion deletes them once more.
    @Test(arguments: EngineAdapter.all, [false, true])
    func whatGoesWithARefusedDeletionIsTakenBack(adapter: EngineAdapter, isConditional: Bool) async throws {
        let (store, fence) = try await open(adapter.make())
        if isConditional {
            try await store.delete(House.self, withId: "h", where: field("name") == "")
        } else {
            try await store.delete(house)
        }
        #expect(try await exchange(store, fence, keeping: ["h"]) == ["delete h"])
        #expect(try await exchange(store, fence) == ["created r"])
        #expect(try await exchange(store, fence) == ["created l"])
        #expect(try await exchange(store, fence) == [])
        #expect(try await store.outboxCount() == 0)
        #expect(try await keys(store) == ["h", "r", "l"])
        let letters = try await store.deadLetters()
        #expect(letters.map(\.key) == ["h"])
        try await store.retry(try #require(letters.first))
        for key in ["h", "r", "l"] { #expect(try await exchange(store, fence) == ["delete \(key)"]) }
        #expect(try await keys(store).isEmpty)
    }

    @Test(arguments: EngineAdapter.all)
    func whatGoesWithADeletionInTheMiddleStaysWithItsRecord(adapter: EngineAdapter) async throws {
        let (store, fence) = try await open(adapter.make())
        try await store.delete(house)
        #expect(try await exchange(store, fence) == ["delete h"])
        #expect(try await exchange(store, fence, keeping: ["r"]) == ["delete r"])
        #expect(try await exchange(store, fence) == ["created l"])
        #expect(try await store.deadLetters().map(\.key) == ["r"])
        #expect(try await store.outboxCount() == 0)
    }

    @Test(arguments: EngineAdapter.all, [false, true])
    func anEditBeforeTheDeletionIsSentByItself(adapter: EngineAdapter, isRefused: Bool) async throws {
        let (store, fence) = try await open(adapter.make())
        try await store.save(Room("r", name: "edited", house: house))
        try await store.delete(house)
        #expect(try await exchange(store, fence) == ["update r"])
        #expect(try await exchange(store, fence, keeping: isRefused ? ["h"] : []) == ["delete h"])
        #expect(try await exchange(store, fence) == [isRefused ? "created r" : "delete r"])
        #expect(try await store.query(Room.self).map(\.name) == (isRefused ? ["edited"] : []))
    }

    /// Another device has edited the room meanwhile.
    @Test(arguments: EngineAdapter.all)
    func whatIsTakenBackIsAsTheServiceHasIt(adapter: EngineAdapter) async throws {
        let (store, fence) = try await open(adapter.make())
        try await store.delete(house)
        let row = Array(try Room("r", name: "theirs", house: house).row()[0])
        let remote = RemoteRecord(key: RecordKey("r"), row: row, version: 2, lastChangedAt: 2)
        #expect(try await store.apply(RemoteBatch(model: "Room", records: [remote]), fence).shelvedCount == 1)
        #expect(try await exchange(store, fence, keeping: ["h"]) == ["delete h"])
        #expect(try await exchange(store, fence) == ["created r"])
        #expect(try await store.query(Room.self).map(\.name) == ["theirs"])
        #expect(try await store.deadLetters().map(\.key) == ["h"])
    }

    /// The application wanted both: the house, and that it is empty.
    @Test(arguments: EngineAdapter.all, [false, true])
    func whatWentWithARecordThatIsSavedAgainStaysDeleted(adapter: EngineAdapter, isOneCommit: Bool) async throws {
        let (store, fence) = try await open(adapter.make())
        if isOneCommit {
            try await store.transaction { transaction in
                try await transaction.delete(house)
                try await transaction.save(House("h", name: "again"))
            }
        } else {
            try await store.delete(house)
            try await store.save(House("h", name: "again"))
        }
        #expect(try await Set(exchange(store, fence)) == ["delete r", "update h"])
        #expect(try await exchange(store, fence) == ["delete l"])
        #expect(try await keys(store) == ["h"])
        #expect(try await store.outboxCount() == 0)
    }

    /// The service never learns of the other house.
    @Test(arguments: EngineAdapter.all, [false, true])
    func whatGoesWithAnUnsentRecordGoesByItself(adapter: EngineAdapter, isConditional: Bool) async throws {
        let (store, fence) = try await open(adapter.make())
        let other = House("other")
        try await store.save(other)
        if isConditional { try await store.save(House("other", name: "n"), where: field("name") == "") }
        try await store.save(Room("r", house: other))
        try await store.delete(other)
        #expect(try await store.outboxEntries().map { "\($0.key) \($0.cascade?.text ?? "-")" } == ["r -", "l Room:r"])
        for key in ["r", "l"] { #expect(try await exchange(store, fence) == ["delete \(key)"]) }
        #expect(try await keys(store) == ["h"])
    }

    /// Changes with a condition have entries of their own.
    @Test(arguments: EngineAdapter.all, [false, true])
    func nothingIsLeftOfRecordsOfWhichNothingWasSent(adapter: EngineAdapter, isHouseSent: Bool) async throws {
        let store = try await adapter.graph()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        try await store.save(house)
        if isHouseSent { #expect(try await store.take(8, fence).map(\.id.key) == ["h"]) }
        let created = try await store.saveWithReceipt(Room("r", house: house))
        try await store.save(Room("r", name: "a", house: house), where: field("name") == "")
        try await store.save(Room("r", name: "b", house: house), where: field("name") == "a")
        let room = Room("r", name: "c", house: house)
        try await store.save(room)
        try await store.save(Lease("l", room: room))
        #expect(try await store.outboxCount() == 6)
        try await store.delete(house)
        let left = try await store.outboxEntries().map { "\($0.operation) \($0.key)" }
        #expect(left == (isHouseSent ? ["create h", "delete h"] : []))
        #expect(try await store.take(8, fence).isEmpty)
        #expect(try await created.state() == .confirmed(version: nil))
        #expect(try await keys(store).isEmpty)
    }

    /// Sent, the creation of the room would lead to a house that the service never has.
    @Test(arguments: EngineAdapter.all)
    func aConditionKeepsNothingOfARecordOfWhichNothingWasSent(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let (other, house) = (House("other"), House("h"))
        try await store.save(other)
        try await store.save(Room("moved", house: other))
        try await store.sendOutbox()
        try await store.save(house)
        try await store.save(House("h", name: "n"), where: field("name") == "")
        try await store.save(Room("moved", house: house))
        try await store.save(Room("r", house: house))
        try await store.delete(Room.self, withId: "r", where: field("name") == "")
        try await store.delete(House.self, withId: "h", where: field("name") == "n")
        let left = try await store.outboxEntries()
        #expect(left.map { "\($0.operation) \($0.key)" } == ["delete moved"] && left[0].cascade == nil)
    }

    /// The service may have the record.
    @Test(arguments: EngineAdapter.all)
    func whatMayBeLeftOfARecordIsSent(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        try await store.save(House("sent"))
        #expect(try await store.take(8, fence).count == 1)
        try await store.save(House("sent", name: "n"), where: field("name") == "")
        try await store.delete(House.self, withId: "sent")
        let left = try await store.outboxEntries().map { "\($0.operation) \($0.key)" }
        #expect(left.sorted() == ["create sent", "delete sent", "update sent"])
    }

    @Test(arguments: EngineAdapter.all)
    func aRecordThatIsNamedItselfGoesByItself(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let parent = TreeNode("parent")
        try await store.save([parent, TreeNode("child", parent: parent)])
        try await store.sendOutbox()
        try await store.delete(TreeNode.self, where: QueryPredicateConstant.all)
        #expect(try await store.outboxEntries().map(\.cascade) == [nil, nil])
    }

    /// While the deletion is in flight, the others are not read again and again.
    @Test func aTakeDoesNotReadAllThatGoesWithADeletion() async throws {
        func readCount(of count: Int) async throws -> Int {
            let reads = Reads()
            let store = try await WatchedAdapter(EngineAdapter.memory.make(), reads).graphStore()
            let fence = try #require(try await store.claim("here", until: 10, now: 0))
            try await store.save(house)
            try await store.save((0..<count).map { Room("\($0)", house: house) })
            try await store.sendOutbox()
            try await store.delete(house)
            #expect(try await store.take(8, fence).map(\.recordKey) == [RecordKey("h")])
            reads.reset()
            #expect(try await store.take(8, fence).isEmpty)
            return [OutboxEntry.entity.name, "Room", "House"].reduce(0) { $0 + reads[$1] }
        }
        #expect(try await readCount(of: 100) == readCount(of: 3_000))
    }

    /// What a deletion waits for was changed before it, so that what follows need not be read with each take.
    @Test func aTakeDoesNotReadAllThatBelongsToWhatIsDeleted() async throws {
        func keyCount(of count: Int) async throws -> Int {
            let reads = Reads()
            let store = try await WatchedAdapter(EngineAdapter.memory.make(), reads).graphStore()
            let fence = try #require(try await store.claim("here", until: 10, now: 0))
            let houses = (0..<count).map { House("\($0)") }
            try await store.save(houses)
            try await store.save(houses.map { Room($0.id, house: $0) })
            try await store.sendOutbox()
            for house in houses {
                try await store.delete(Room.self, withId: house.id)
                try await store.delete(house)
            }
            reads.reset()
            let taken = try await store.take(2, fence)
            #expect(taken.map { "\($0.id.model) \($0.id.key)" } == ["Room 0", "Room 1"])
            return reads.keyCount(of: "Room")
        }
        #expect(try await keyCount(of: 20) == keyCount(of: 60))
    }
}
