import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

@Suite struct SendOrderTests {
    static func item(
        _ position: Int64, _ operation: OutboxEntry.Operation, _ key: String, leadingTo parents: String...,
        inFlight: Bool = false
    ) -> SendOrder.Item {
        SendOrder.Item(
            entry: OutboxEntry(
                model: "M", key: key, position: position, operation: operation, payload: inFlight ? "{}" : nil),
            parents: Set(parents.map { SendOrder.Record(model: "M", key: $0) }))
    }

    static func order(_ items: [SendOrder.Item]) -> [String] { SendOrder(items).items.map(\.entry.key) }

    static func sendable(_ items: [SendOrder.Item]) -> [String] { SendOrder(items).sendable().map(\.key) }

    @Test func withoutRelationsThePlaceDecides() {
        let items = [Self.item(3, .delete, "c"), Self.item(1, .create, "a"), Self.item(2, .update, "b")]
        #expect(Self.order(items) == ["a", "b", "c"] && Self.sendable(items) == ["a", "b", "c"])
    }

    @Test func parentsAreCreatedFirst() {
        let items = [
            Self.item(1, .create, "post", leadingTo: "blog"), Self.item(2, .create, "other"),
            Self.item(3, .create, "blog", leadingTo: "owner"), Self.item(4, .create, "owner"),
        ]
        #expect(Self.order(items) == ["other", "owner", "blog", "post"])
        #expect(Self.sendable(items) == ["other", "owner"])
    }

    /// The deletion of a record that goes with another one.
    static func cascaded(_ position: Int64, _ key: String, with parent: String) -> SendOrder.Item {
        var item = item(position, .delete, key, leadingTo: parent)
        item.entry.cascade = SendOrder.Record(model: "M", key: parent)
        return item
    }

    @Test func whatGoesWithARecordIsDeletedAfterIt() {
        let items = [
            Self.cascaded(1, "lease", with: "room"), Self.cascaded(2, "room", with: "house"),
            Self.item(3, .delete, "house"), Self.item(4, .update, "moved", leadingTo: "house", "another"),
        ]
        #expect(Self.order(items) == ["moved", "house", "room", "lease"] && Self.sendable(items) == ["moved"])
        #expect(Self.sendable(Array(items.prefix(3))) == ["house"])
        #expect(Self.sendable(Array(items.prefix(2))) == ["room"])
    }

    /// The last record also belongs to the first.
    @Test func aDiamondOfDeletionsIsNoCircle() {
        var bottom = Self.cascaded(1, "bottom", with: "long")
        bottom.parents.insert(SendOrder.Record(model: "M", key: "top"))
        let items = [
            bottom, Self.cascaded(2, "long", with: "short"), Self.cascaded(3, "short", with: "top"),
            Self.item(4, .delete, "top"),
        ]
        #expect(Self.order(items) == ["top", "short", "long", "bottom"] && Self.sendable(items) == ["top"])
    }

    @Test func childrenAreDeletedFirst() {
        let items = [
            Self.item(1, .delete, "blog"), Self.item(2, .delete, "post", leadingTo: "blog"),
            Self.item(3, .update, "moved", leadingTo: "blog", "another"),
        ]
        #expect(Self.order(items) == ["post", "moved", "blog"] && Self.sendable(items) == ["post", "moved"])
    }

    /// The record of the creation leads elsewhere by now, or is deleted; changes with a condition are not folded.
    @Test(arguments: EngineAdapter.all)
    func aCreationWaitsForWhatItsRecordLedToThen(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let (first, second) = (House("first"), House("second"))
        try await store.save(first)
        try await store.save(Room("deleted", house: first))
        try await store.save(Room("moved", house: first))
        try await store.save(second)
        #expect(try await store.delete(Room.self, withId: "deleted", where: field("name") == ""))
        try await store.save(Room("moved", house: second), where: field("name") == "")
        let taken = try await store.take(8, fence)
        #expect(taken.map(\.recordKey) == [RecordKey("first"), RecordKey("second")])
    }

    @Test(arguments: EngineAdapter.all)
    func changesOfModelsThatAreNotSentAreNotWaitedFor(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let blog = Blog(id: "b", name: "")
        try await store.save(blog)
        try await store.save(Post(id: "p", title: "", blog: blog))
        #expect(try await store.take(8, fence, models: ["Post"]).map(\.recordKey) == [RecordKey("p")])
        #expect(try await store.outboxEntries().map(\.stage) == [.pending, .inFlight])
    }

    /// What a device and the service know of a record whose creation is refused.
    enum EarlierLife: CaseIterable {
        /// There was none.
        case none
        /// The service has deleted the record, which the device learns from the refusal.
        case ofService
        /// The device knows that the service has deleted the record, and the refusal does not say so.
        case ofDevice
    }

    /// Saves a record that the service then has at version 1.
    func confirm(_ model: some Model, in store: DataStore, _ fence: SyncFence) async throws {
        try await store.save(model)
        let id = try #require(try await store.take(8, fence).first).id
        let remote = RemoteRecord(
            key: try model.recordKey(), row: Array(try model.row()[0]), version: 1, lastChangedAt: 1)
        _ = try await store.settle([.accepted(id, remote)], fence)
    }

    /// The service would carry them out, and show the records to no one.
    @Test(arguments: EngineAdapter.all, EarlierLife.allCases)
    func whatMustBelongToARefusedRecordIsGivenUp(adapter: EngineAdapter, life: EarlierLife) async throws {
        let store = try await adapter.graph()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let (known, refused) = (House("known"), House("refused"))
        let tombstone = RemoteRecord(key: RecordKey("refused"), row: nil, version: 2, lastChangedAt: 2)
        try await confirm(known, in: store, fence)
        try await confirm(Room("moved", house: known), in: store, fence)
        if life == .ofDevice {
            try await confirm(refused, in: store, fence)
            try await store.delete(House.self, withId: "refused")
            let deletion = try #require(try await store.take(8, fence).first)
            _ = try await store.settle([.accepted(deletion.id, tombstone)], fence)
        }
        try await store.save(refused)
        try await store.save(Room("made", house: refused))
        try await store.save(Room("moved", house: refused))
        let creation = try #require(try await store.take(8, fence).first)
        #expect(creation.recordKey == RecordKey("refused"))
        let before = try await store.store.withSnapshot { $0.sequence }
        let remote = life == .ofService ? tombstone : nil
        let report = try await store.settle(
            [.refused(creation.id, errorType: "Unauthorized", message: nil, remote: remote)], fence)
        // In one commit: what was not given up before a death would be sent.
        if adapter.countsOwnCommits { #expect(try await store.store.withSnapshot { $0.sequence } == before + 1) }
        #expect(report.deadLetters.map(\.key).sorted() == ["made", "moved", "refused"])
        #expect(report.deadLetters.filter { $0.message == SyncedRecord.refusedParent }.count == 2)
        #expect(try await store.outboxCount() == 0)
        #expect(try await store.query(Room.self).map { [$0.id, $0.house.id] } == [["moved", "known"]])
        #expect(try await store.query(House.self).map(\.id) == ["known"])
    }

    /// The service has it, unlike a record whose creation it has refused.
    @Test(arguments: EngineAdapter.all)
    func whatBelongsToARecordThatTheStoreCannotHoldIsSent(adapter: EngineAdapter) async throws {
        let store = try await adapter.make().limitingTexts(of: "House").graphStore()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let house = House("h")
        try await store.save(house)
        try await store.save(Room("r", house: house))
        let creation = try #require(try await store.take(8, fence).first)
        let remote = RemoteRecord(
            key: RecordKey("h"), row: Array(try House("h", name: "too long").row()[0]), version: 1, lastChangedAt: 1)
        let report = try await store.settle([.retried(creation.id, on: remote, row: remote.row)], fence)
        #expect(report.deadLetters.map(\.key) == ["h"])
        #expect(try await store.take(8, fence).map(\.recordKey) == [RecordKey("r")])
    }

    /// The service has it, and does not show it to this user any longer.
    @Test(arguments: EngineAdapter.all)
    func whatAFullSyncHasNotSeenGoesWithTheChangeThatIsGivenUp(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let (known, refused) = (House("known"), House("refused"))
        try await confirm(known, in: store, fence)
        try await confirm(Room("moved", house: known), in: store, fence)
        try await store.save(refused)
        let moved = Room("moved", house: refused)
        try await store.save(moved)
        try await store.save(Lease("l", room: moved))
        let creation = try #require(try await store.take(1, fence).first)
        _ = try await store.sweep("Room", 1, fence)
        let report = try await store.settle(
            [.refused(creation.id, errorType: "Unauthorized", message: nil, remote: nil)], fence)
        #expect(report.deadLetters.map(\.key).sorted() == ["moved", "refused"])
        #expect(try await store.query(Room.self).isEmpty)
        #expect(try await store.outboxEntries().map(\.key) == ["l"])
    }

    @Test(arguments: EngineAdapter.all)
    func changesThatBelongToARefusedRecordAreGivenUp(adapter: EngineAdapter) async throws {
        let (reached, gate) = (Gate(), Gate())
        let store = try await InterceptedAdapter(
            adapter.make(), pausingAt: DeadLetter.entity.name, reached, until: gate
        ).graphStore()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let house = House("refused")
        try await store.save(house)
        let creation = try #require(try await store.take(8, fence).first)
        async let late = store.settle(
            [.refused(creation.id, errorType: "Unauthorized", message: nil, remote: nil)], fence)
        await reached.wait()
        try await store.save(Room("late", house: house))
        gate.open()
        #expect(try await late.deadLetters.map(\.key).sorted() == ["late", "refused"])
        #expect(try await store.outboxCount() == 0)
    }

    @Test func oneRecordSendsOneAtATime() {
        let items = [
            Self.item(1, .update, "a", inFlight: true), Self.item(2, .update, "a"), Self.item(3, .update, "b"),
        ]
        #expect(Self.sendable(items) == ["b"])
        #expect(Self.sendable(Array(items.dropFirst())) == ["a", "b"])
    }

    @Test func aCircleIsCutAtItsFirst() {
        let items = [
            Self.item(1, .create, "a", leadingTo: "b"), Self.item(2, .create, "b", leadingTo: "a"),
            Self.item(3, .create, "c", leadingTo: "b"), Self.item(4, .create, "self", leadingTo: "self"),
        ]
        #expect(Self.order(items) == ["self", "a", "b", "c"])
        #expect(Self.sendable(items) == ["self", "a"])
    }

    @Test func everyOrderKeepsToTheRelations() {
        var random = SplitMix64(seed: 5)
        for _ in 0..<300 {
            let count = random.number(in: 1...12)
            let items = (0..<count).map { index in
                // Parents have smaller names, so there are no circles.
                let parents = (0..<index).filter { _ in random.chance(30) }.map { "\($0)" }
                var item = Self.item(
                    Int64(random.below(1_000)) * 100 + Int64(index), random.pick([.create, .update, .delete]),
                    "\(index)")
                item.parents = Set(parents.map { SendOrder.Record(model: "M", key: $0) })
                return item
            }
            let order = SendOrder(items)
            #expect(Set(order.items) == Set(items) && order.items.count == items.count)
            let positions = Dictionary(
                uniqueKeysWithValues: order.items.enumerated().map { ($1.record, (index: $0, item: $1)) })
            for (index, item) in order.items.enumerated() {
                for parent in item.parents {
                    guard let other = positions[parent] else { continue }
                    if other.item.entry.operation == .delete {
                        // Deletions wait for whatever leads to their records.
                        #expect(index < other.index)
                    } else if other.item.entry.operation == .create && item.entry.operation != .delete {
                        #expect(other.index < index)
                    }
                }
            }
        }
    }

    // MARK: - From the store

    @Test(arguments: EngineAdapter.all)
    func aParentSavedLaterIsSentFirst(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        try await store.save(Post(id: "p", title: ""))
        try await store.save(Blog(id: "b", name: ""))
        try await store.save(Post(id: "p", title: "", blog: Blog(id: "b", name: "")))
        let first = try await store.take(8, fence)
        #expect(first.map(\.recordKey) == [RecordKey("b")])
        #expect(try await store.take(8, fence).isEmpty)
        let blog = RemoteRecord(
            key: RecordKey("b"), row: Array(try Blog(id: "b", name: "").row()[0]), version: 1, lastChangedAt: 1)
        _ = try await store.settle([.accepted(first[0].id, blog)], fence)
        let second = try await store.take(8, fence)
        #expect(second.map(\.recordKey) == [RecordKey("p")])
        #expect(second.first?.values.first { $0.field == "blogID" }?.value == .text("b"))
    }

    // At first, four times as many entries are read as are wanted.

    @Test(arguments: EngineAdapter.all)
    func whatCannotBeSentKeepsNothingWaiting(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        store.setIdentity("ann")
        for number in 0..<70 { try await store.save(Post(id: "a\(number)", title: "")) }
        store.setIdentity("bob")
        for number in 0..<3 { try await store.save(Post(id: "b\(number)", title: "")) }
        #expect(try await store.take(2, fence, identity: "bob").map(\.recordKey) == [RecordKey("b0"), RecordKey("b1")])
        #expect(try await store.take(2, fence, identity: "bob").map(\.recordKey) == [RecordKey("b2")])
        #expect(try await store.take(2, fence, identity: "bob").isEmpty)
        #expect(try await store.take(.max, fence, identity: "ann").count == 70)
    }

    /// The newest entry of the parent is an update that is not folded.
    @Test(arguments: EngineAdapter.all)
    func aParentFarDownTheQueueIsSentFirst(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        try await store.save(Post(id: "p", title: ""))
        for number in 0..<10 { try await store.save(Post(id: "other\(number)", title: "")) }
        let blog = Blog(id: "b", name: "")
        try await store.save(blog)
        try await store.save(Blog(id: "b", name: "changed"), where: field("name") == "")
        try await store.save(Post(id: "p", title: "", blog: blog))
        #expect(try await store.take(1, fence).map(\.recordKey) == [RecordKey("other0")])
    }

    /// The deletion has the place of an earlier edit.
    @Test(arguments: EngineAdapter.all)
    func aDeletionWaitsForRecordsThatMovedAwayFarDownTheQueue(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let (blog, another) = (Blog(id: "b", name: ""), Blog(id: "c", name: ""))
        try await store.save(blog)
        try await store.save(another)
        try await store.save(Post(id: "p", title: "", blog: blog))
        try await store.sendOutbox()
        try await store.save(Blog(id: "b", name: "edited"))
        for number in 0..<10 { try await store.save(Post(id: "other\(number)", title: "")) }
        try await store.save(Post(id: "p", title: "", blog: another))
        try await store.delete(Blog.self, withId: "b")
        #expect(try await store.outboxEntries().map(\.operation).first == .delete)
        #expect(try await store.take(1, fence).map(\.recordKey) == [RecordKey("other0")])
    }
}
