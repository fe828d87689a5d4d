import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct SavingTests {
    @Test(arguments: EngineAdapter.all)
    func aSaveCreatesThenUpdates(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let changes = try store.observe(Post.self)
        let saved = try await store.save(Post(id: "p", title: "One"))
        #expect(saved.title == "One")
        try await store.save(Post(id: "p", title: "Two"))
        #expect(try await store.query(Post.self, byId: "p")?.title == "Two")
        #expect(try await store.count(Post.self) == 1)
        let seen = try await store.close(andCollect: changes)
        #expect(seen.map(\.kind) == [.created, .updated])
        #expect(seen.map(\.model.title) == ["One", "Two"])
    }

    @Test(arguments: EngineAdapter.all)
    func aBatchCountsWhatItCreatedAndReplaced(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save([Post(id: "1", title: "old"), Post(id: "2", title: "old")])
        let result = try await store.save((2..<7).map { Post(id: "\($0)", title: "new") })
        #expect([result.createdCount, result.updatedCount] == [4, 1])
        let titles = try await store.query(Post.self).map(\.title)
        #expect(titles == ["old", "new", "new", "new", "new", "new"])
    }

    @Test(arguments: EngineAdapter.all)
    func anEmptyBatchDoesNothing(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let before = try await store.dump()
        #expect(try await store.save([Post]()).createdCount == 0)
        #expect(try await store.dump() == before)
    }

    @Test(arguments: EngineAdapter.all)
    func ofSeveralModelsWithOneKeyTheLastIsSaved(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let changes = try store.observe(Post.self)
        let result = try await store.save(
            ["a", "b", "a", "c", "a"].enumerated().map { index, id in
                Post(id: id, title: "\(id)\(index)")
            })
        #expect([result.createdCount, result.updatedCount] == [3, 0])
        #expect(try await store.query(Post.self).map(\.title) == ["a4", "b1", "c3"])
        #expect(try await store.outboxCount() == 3)
        let seen = try await store.close(andCollect: changes)
        #expect(Set(seen.map(\.model.title)) == ["a4", "b1", "c3"])
    }

    @Test(arguments: EngineAdapter.all)
    func aBatchIsOneCommit(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save((0..<50).map { Post(id: "\($0)", title: "x") })
        let dump = try await store.dump()
        let versions = dump.rows.values.flatMap { $0.map(\.version) }
        #expect(versions.count == 100)
        #expect(Set(versions) == [dump.sequence])
    }

    @Test(arguments: EngineAdapter.all)
    func everyFieldIsReadBackAsItWas(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        var sample = Sample(id: "1")
        sample.text = "\u{65}\u{301}%_\\ \u{1F600}"
        sample.count = .min
        sample.ratio = .leastNonzeroMagnitude
        sample.flag = true
        sample.day = try Temporal.Date(iso8601String: "0001-01-01-01:00")
        sample.time = try Temporal.Time(iso8601String: "23:59:59.9990+02:00")
        sample.instant = try Temporal.DateTime(iso8601String: "1969-12-31T23:59:59.1200-03:30")
        sample.seconds = -5
        sample.status = .draft
        sample.place = Place(city: "x", zip: nil)
        sample.numbers = [.max, nil]
        sample.statuses = []
        try await store.save(sample)
        let found = try #require(await store.query(Sample.self, byId: "1"))
        #expect(try found.row()[0] == sample.row()[0])
        #expect(found.instant?.text == "1969-12-31T23:59:59.1200-03:30")
        try await store.save(Sample(id: "1"))
        #expect(try await store.query(Sample.self, byId: "1")?.row()[0] == Sample(id: "1").row()[0])
    }

    /// A key of two fields is edited as a whole, also if the record was moved elsewhere meanwhile.
    @Test(arguments: EngineAdapter.all)
    func anEditedRelationIsNotMixedWithAnother(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let orders = ["a", "b"].flatMap { shop in (1...2).map { Order(shop: shop, number: $0) } }
        try await store.save(orders)
        let original = OrderLine(id: "l", title: "t", order: orders[0])
        try await store.save(original)
        try await store.save(OrderLine(id: "l", title: "u", order: orders[2]))
        let edited = OrderLine(id: "l", title: "t", order: orders[1])
        let saved = try #require(try await store.save(edited, from: original))
        let order = try await saved.order
        #expect(saved.title == "u" && order.shop == "a" && order.number == 2)
        let stored = try #require(try await store.query(OrderLine.self, byId: "l")).row()
        #expect(Array(stored[0]) == [.text("l"), .text("a"), .integer(2), .text("u")])
    }

    @Test(arguments: EngineAdapter.all)
    func anIdenticalSaveIsPublishedButNotRecordedAsAMutation(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let post = Post(id: "p", title: "One", tags: ["a"])
        try await store.save(post)
        let entries = try await store.outboxEntries()
        let changes = try store.observe(Post.self)
        let before = try await store.dump()
        let result = try await store.save([post])
        #expect([result.createdCount, result.updatedCount] == [0, 1])
        #expect(try await store.outboxEntries() == entries)
        let after = try await store.dump()
        #expect(after.sequence > before.sequence)
        #expect(after.rows["__outbox"] == before.rows["__outbox"])
        #expect(try await store.close(andCollect: changes).map(\.kind) == [.updated])
    }

    @Test(arguments: EngineAdapter.all)
    func aKeyWrittenAnotherWayIsTheSameRecord(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let utc = try Temporal.DateTime(iso8601String: "2026-01-01T00:00:00Z")
        let offset = try Temporal.DateTime(iso8601String: "2026-01-01T02:00:00.000+02:00")
        try await store.save(Reading(place: 0, at: utc, value: 1))
        try await store.save(Reading(place: -0.0, at: offset, value: 2))
        #expect(try await store.query(Reading.self).map(\.value) == [2])
        #expect(try await store.outboxEntries().map(\.operation) == [.create])
        #expect(try await store.delete(Reading(place: -0.0, at: utc)))
        #expect(try await store.outboxCount() == 0)
    }
}
