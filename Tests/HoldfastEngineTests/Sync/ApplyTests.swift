import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

@Suite struct ApplyTests {
    func remote(_ model: some Model, _ version: Int64) throws -> RemoteRecord {
        RemoteRecord(
            key: try model.recordKey(), row: Array(try model.row()[0]), version: version, lastChangedAt: version)
    }

    @Test(arguments: EngineAdapter.all)
    func aPageIsOneCommitWithItsState(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let changes = try store.observe(Post.self)
        let posts = try (0..<5).map { try remote(Post(id: "\($0)", title: "t\($0)"), 3) }
        let state = ModelState(model: "Post", lastSync: 7, generation: 2, token: "next", tokenMode: "base")
        let before = try await store.dump().sequence
        let report = try await store.apply(
            RemoteBatch(model: "Post", records: posts, generation: 2, state: state), fence)
        #expect(report.count(.created) == 5 && report.droppedCount == 0)
        if adapter.countsOwnCommits { #expect(try await store.dump().sequence == before + 1) }
        #expect(try await store.modelState(of: "Post") == state)
        #expect(try await store.outboxCount() == 0)
        let again = try await store.apply(RemoteBatch(model: "Post", records: posts, generation: 2), fence)
        #expect(again.changes.isEmpty && again.droppedCount == 5)
        let later = try await store.apply(
            RemoteBatch(
                model: "Post",
                records: [
                    try remote(Post(id: "0", title: "new"), 4),
                    RemoteRecord(key: RecordKey("1"), row: nil, version: 4, lastChangedAt: 4),
                    try remote(Post(id: "2", title: "first"), 4), try remote(Post(id: "2", title: "second"), 5),
                ], generation: 2), fence)
        #expect(later.count(.updated) == 2 && later.count(.deleted) == 1)
        #expect(try await store.query(Post.self).map(\.title) == ["new", "second", "t3", "t4"])
        let seen = try await store.close(andCollect: changes)
        #expect(seen.map(\.kind) == Array(repeating: .created, count: 5) + [.updated, .updated, .deleted])
        #expect(seen.map(\.serviceVersion) == [3, 3, 3, 3, 3, 4, 5, 4])
        #expect(seen.allSatisfy { $0.origin == .remote })
    }

    /// The service may have what an event lacks.
    @Test(arguments: EngineAdapter.all)
    func aQueryCompletesWhatAnEventTookAway(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        func apply(_ rating: Int?, _ version: Int64, isEvent: Bool) async throws -> ApplyReport {
            var record = try remote(Post(id: "a", title: "t", rating: rating), version)
            record.isEvent = isEvent
            return try await store.apply(RemoteBatch(model: "Post", records: [record]), fence)
        }
        let first = try await apply(5, 1, isEvent: true)
        let second = try await apply(nil, 2, isEvent: true)
        let query = try await apply(5, 2, isEvent: false)
        #expect(!first.mayLackValues && second.mayLackValues && !query.mayLackValues)
        #expect(query.count(.updated) == 1)
        #expect(try await store.query(Post.self).map(\.rating) == [5])
        let cleared = try await apply(nil, 3, isEvent: false)
        #expect(!cleared.mayLackValues)
        try await store.close()
    }

    /// A page after one whose records were all new is written without a look at what is there.
    @Test(arguments: EngineAdapter.all)
    func aPageThatIsNotNewAfterAllIsMerged(adapter: EngineAdapter) async throws {
        // What is saved here is not sent, so only the records themselves show it.
        var options = DataStoreOptions()
        options.localModels = ["Post"]
        let store = try await adapter.open(options)
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        func apply(_ records: [RemoteRecord]) async throws -> ApplyReport {
            try await store.apply(RemoteBatch(model: "Post", records: records, generation: 1), fence)
        }
        func posts(_ ids: String..., version: Int64) throws -> [RemoteRecord] {
            try ids.map { try remote(Post(id: $0, title: "version \(version)"), version) }
        }
        #expect(try await apply(posts("b", "a", version: 1)).changes.map(\.key) == ["b", "a"])
        try await store.save(Post(id: "c", title: "local"))
        let mixed = try await apply(posts("d", "c", version: 2))
        #expect(mixed.changes.map(\.key) == ["d", "c"] && mixed.changes.map(\.kind) == [.created, .updated])
        let deleted = RemoteRecord(key: RecordKey("a"), row: nil, version: 9, lastChangedAt: 9)
        #expect(try await apply([deleted]).count(.deleted) == 1)
        #expect(try await apply(posts("e", version: 2)).count(.created) == 1)
        // Of this one there is only what the service said.
        let old = try await apply(posts("f", "a", version: 3))
        #expect(old.changes.map(\.key) == ["f"] && old.droppedCount == 1)
        #expect(try await apply(posts("g", "g", version: 4)).changes.map(\.key) == ["g"])
        #expect(try await store.query(Post.self).map(\.id) == ["b", "c", "d", "e", "f", "g"])
    }

    /// The next attempt would fail, too, and all later pages wait for this one.
    @Test(arguments: EngineAdapter.all)
    func aRecordThatTheStoreCannotHoldStopsNoOther(adapter: EngineAdapter) async throws {
        let store = try await adapter.make().limitingTexts().dataStore()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let posts = try [
            remote(Post(id: "a", title: "first"), 1), remote(Post(id: "b", title: "too long"), 1),
            remote(Post(id: "c", title: "third"), 1),
        ]
        let state = ModelState(model: "Post", lastSync: 7, generation: 2)
        let report = try await store.apply(
            RemoteBatch(model: "Post", records: posts, generation: 2, state: state), fence)
        #expect(report.changes.map(\.key) == ["a", "c"] && report.shelvedCount == 1)
        #expect(try await store.modelState(of: "Post") == state)
        let shorter = try remote(Post(id: "b", title: "second"), 2)
        _ = try await store.apply(RemoteBatch(model: "Post", records: [shorter], generation: 2), fence)
        #expect(try await store.query(Post.self).map(\.title) == ["first", "second", "third"])
    }

    @Test(arguments: EngineAdapter.all)
    func aNewPageKeepsUnsentChanges(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let first = RemoteBatch(model: "Post", records: [try remote(Post(id: "a", title: "remote"), 1)], generation: 1)
        #expect(try await store.apply(first, fence).count(.created) == 1)
        try await store.save(Post(id: "b", title: "local"))
        let second = RemoteBatch(model: "Post", records: [try remote(Post(id: "b", title: "remote"), 1)], generation: 1)
        #expect(try await store.apply(second, fence).shelvedCount == 1)
        #expect(try await store.query(Post.self, byId: "b")?.title == "local")
    }

    @Test func keysAreOrderedAsTheStoreOrdersThem() {
        let texts = ["", "a", "ab", "abcdefgh", "abcdefg", "abcdefghi", "abcdefgha", "é", "\u{FFFF}", "\u{1F600}", "b"]
        let keys = (texts + texts).map { RecordKey($0) } + [RecordKey([.text("ab"), .integer(2)])]
        #expect(keys.ascendingOrder.map { keys[$0] } == keys.sorted())
        #expect(Array(keys.ascendingOrder.prefix(2)) == [0, texts.count])
        let numbers = [3, -1, 2].map { RecordKey([.integer($0)]) }
        #expect(numbers.ascendingOrder == [1, 2, 0])
    }

    @Test(arguments: EngineAdapter.all)
    func receivedRecordsWaitWhileTheApplicationSaves(adapter: EngineAdapter) async throws {
        let time = ManualSurroundings(shortestPause: .zero)
        let store = try await adapter.open(DataStoreOptions(surroundings: time.surroundings))
        let fence = try #require(try await store.claim("here", until: .max, now: 0))
        func batch(_ id: String) throws -> RemoteBatch {
            RemoteBatch(model: "Post", records: [try remote(Post(id: id, title: "remote"), 3)], generation: 2)
        }
        for number in 0..<3 {
            try await store.save(Post(id: "local \(number)", title: ""))
            let batch = try batch("remote \(number)")
            async let report = store.apply(batch, fence)
            await time.waitForSleeper(within: .milliseconds(4))
            try await store.save(Post(id: "meanwhile \(number)", title: ""))
            #expect(try await store.query(Post.self, byId: "remote \(number)") == nil)
            time.advance(.milliseconds(4))
            #expect(try await report.count(.created) == 1)
        }
        // Neither without changes nor after them: the clock stops, so that a pause would never end.
        time.advance(.milliseconds(20))
        #expect(try await store.apply(batch("later"), fence).count(.created) == 1)
        let quiet = try await adapter.open(
            DataStoreOptions(surroundings: ManualSurroundings(shortestPause: .zero).surroundings))
        let other = try #require(try await quiet.claim("here", until: .max, now: 0))
        #expect(try await quiet.apply(batch("first"), other).count(.created) == 1)
    }

    @Test(arguments: EngineAdapter.all)
    func onlyOwnChangesMustSurviveALossOfPower(adapter: EngineAdapter) async throws {
        let reads = Reads()
        let base = adapter.make()
        let store = try await WatchedAdapter(base, reads).dataStore()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        reads.reset()
        _ = try await store.apply(
            RemoteBatch(model: "Post", records: [try remote(Post(id: "a", title: ""), 3)], generation: 2), fence)
        _ = try await store.sweep("Post", 3, fence)
        #expect(reads.commits == Array(repeating: min(.processCrash, base.capabilities.durability), count: 2))
        #expect(try await store.query(Post.self).isEmpty)
        reads.reset()
        try await store.save(Post(id: "b", title: ""))
        #expect(reads.commits == [base.capabilities.durability])
        try await store.close()
    }

    @Test(arguments: EngineAdapter.all)
    func ownChangesAreLocal(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let changes = try store.observe(Post.self)
        try await store.save(Post(id: "a", title: ""))
        let seen = try await store.close(andCollect: changes)
        #expect(seen.map(\.origin) == [.local] && seen.map(\.serviceVersion) == [nil])
    }

    @Test(arguments: EngineAdapter.all)
    func whatCannotBeStoredIsShelvedAndTheRestIsNot(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        var bad = try remote(Post(id: "bad", title: "x"), 1)
        bad.row?[1] = .null
        let short = RemoteRecord(key: RecordKey("short"), row: [.text("short")], version: 1, lastChangedAt: 1)
        let raw = ShelfItem(
            model: "Post", key: "raw", version: 1, lastChangedAt: 1, item: "{\"id\":1}", reason: .notStorable)
        let report = try await store.apply(
            RemoteBatch(
                model: "Post", records: [bad, try remote(Post(id: "good", title: "x"), 1), short], notStorable: [raw]),
            fence)
        #expect(report.shelvedCount == 3 && report.count(.created) == 1)
        #expect(try await store.query(Post.self).map(\.id) == ["good"])
        let shelf = try await store.dump().rows["__shelf"]?.compactMap { ShelfItem($0.cells[...]) }
        #expect(shelf?.map(\.key) == ["bad", "raw", "short"])
        // A version that can be stored takes its place.
        _ = try await store.apply(
            RemoteBatch(model: "Post", records: [try remote(Post(id: "bad", title: "better"), 2)]), fence)
        #expect(try await store.dump().rows["__shelf"]?.count == 2)
    }

    /// Metadata, the shelf, and the outbox have the model's name in their keys, too.
    @Test(arguments: EngineAdapter.all)
    func aKeyThatIsTooLongForTheStoreStopsNoOtherRecord(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let limit = store.store.capabilities.limits.keyByteCount
        let longest = limit - "Post".utf8.count - 16
        func key(_ count: Int) -> String { String(repeating: "k", count: count) }
        var records = try [longest, longest + 1, limit, limit + 1].map { try remote(Post(id: key($0), title: ""), 1) }
        records.append(RemoteRecord(key: RecordKey(key(limit + 2)), row: nil, version: 1, lastChangedAt: 1))
        var unusable = try remote(Post(id: "a", title: ""), 1)
        unusable.key = RecordKey("a\0b")
        unusable.row?[0] = .text("a\0b")
        records.append(unusable)
        records.append(try remote(Post(id: "short", title: ""), 1))
        let raw = [key(longest + 1), key(limit + 1)].map {
            ShelfItem(model: "Post", key: $0, version: 1, lastChangedAt: 1, item: "{}", reason: .notStorable)
        }
        let report = try await store.apply(
            RemoteBatch(model: "Post", records: records, notStorable: raw, generation: 1), fence)
        #expect(report.unkeptCount == 7 && report.shelvedCount == 0)
        #expect(try await store.query(Post.self).map(\.id) == [key(longest), "short"])
        // It can be changed, sent, and given up.
        try await store.save(Post(id: key(longest), title: "mine"))
        let taken = try await store.take(8, fence)
        _ = try await store.settle([.refused(taken[0].id, errorType: "no", message: nil, remote: nil)], fence)
        #expect(try await store.deadLetters().count == 1)
    }

    @Test(arguments: EngineAdapter.all)
    func aSweepTakesWhatAFullSyncHasNotSeen(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let posts = try ["gone", "stays", "edited"].map { try remote(Post(id: $0, title: ""), 1) }
        _ = try await store.apply(RemoteBatch(model: "Post", records: posts, generation: 1), fence)
        let dead = RemoteRecord(key: RecordKey("dead"), row: nil, version: 1, lastChangedAt: 1)
        _ = try await store.apply(RemoteBatch(model: "Post", records: [dead], generation: 1), fence)
        try await store.save([Post(id: "edited", title: "mine"), Post(id: "own", title: "")])
        _ = try await store.apply(RemoteBatch(model: "Post", records: [posts[1]], generation: 2), fence)
        let report = try await store.sweep("Post", 2, fence)
        #expect(report.changes.map(\.key) == ["gone"] && report.changes.map(\.kind) == [.deleted])
        #expect(try await store.query(Post.self).map(\.id) == ["edited", "own", "stays"])
        let metadata = try await store.recordMetadata(["gone", "dead", "stays", "edited"], of: "Post")
        #expect(metadata.map { $0?.generation } == [nil, nil, 2, 1])
        #expect(try await store.sweep("Post", 2, fence).changes.isEmpty)
    }

    /// Another user has signed in who must neither see nor change the record.
    @Test(arguments: EngineAdapter.all)
    func whatASweepSparedGoesOnceItsChangesAreRefused(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        _ = try await store.apply(
            RemoteBatch(model: "Post", records: [try remote(Post(id: "a", title: "theirs"), 1)], generation: 1), fence)
        try await store.save(Post(id: "a", title: "mine"))
        _ = try await store.sweep("Post", 2, fence)
        #expect(try await store.query(Post.self).map(\.title) == ["mine"])
        let changes = try store.observe(Post.self)
        let taken = try await store.take(8, fence)
        _ = try await store.settle(
            [.refused(taken[0].id, errorType: "Unauthorized", message: "no", remote: nil)], fence,
            generations: ["Post": 2])
        #expect(try await store.query(Post.self).isEmpty)
        #expect(try await store.deadLetters().map(\.key) == ["a"])
        #expect(try await store.close(andCollect: changes).map(\.kind) == [.deleted])
    }

    /// The pages of the full sync came before the answers.
    @Test(arguments: EngineAdapter.all)
    func aSweepSparesWhatTheServiceConfirmedSinceTheFullSyncBegan(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        try await store.save([Post(id: "sent", title: "mine"), Post(id: "taken back", title: "mine")])
        let theirs = try remote(Post(id: "taken back", title: "theirs"), 1)
        _ = try await store.apply(RemoteBatch(model: "Post", records: [theirs], generation: 2), fence)
        try await store.delete(Post.self, withId: "taken back")
        let taken = try await store.take(8, fence)
        #expect(taken.map(\.recordKey) == [RecordKey("sent")])
        let answer = try remote(Post(id: "sent", title: "mine"), 1)
        _ = try await store.settle([.accepted(taken[0].id, answer)], fence, generations: ["Post": 2])
        #expect(try await store.sweep("Post", 2, fence).changes.isEmpty)
        #expect(try await store.query(Post.self).map(\.title).sorted() == ["mine", "theirs"])
        // The next one must see them.
        #expect(try await store.sweep("Post", 3, fence).changes.count == 2)
    }

    /// What the service said waits for a change that is taken back, and meanwhile the record left what is asked for.
    @Test(arguments: EngineAdapter.all)
    func aSweepTakesWhatWaitsAndWasNotSeen(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        try await store.save([Post(id: "gone", title: "mine"), Post(id: "seen", title: "mine")])
        let theirs = try ["gone", "seen"].map { try remote(Post(id: $0, title: "theirs"), 1) }
        _ = try await store.apply(RemoteBatch(model: "Post", records: theirs, generation: 1), fence)
        _ = try await store.apply(RemoteBatch(model: "Post", records: [theirs[1]], generation: 2), fence)
        #expect(try await store.sweep("Post", 2, fence).changes.isEmpty)
        try await store.delete(Post.self, withId: "gone")
        try await store.delete(Post.self, withId: "seen")
        #expect(try await store.take(8, fence).isEmpty)
        #expect(try await store.query(Post.self).map(\.id) == ["seen"])
        #expect(try await store.sweep("Post", 2, fence).changes.isEmpty)
        #expect(try await store.sweep("Post", 3, fence).changes.map(\.key) == ["seen"])
    }

    /// As after a new version of the models, which cannot hold what the service has.
    @Test(arguments: EngineAdapter.all)
    func aSweepSparesWhatTheServiceHasAndTheStoreCannotHold(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let posts = try ["bad", "raw", "gone"].map { try remote(Post(id: $0, title: "old"), 1) }
        _ = try await store.apply(RemoteBatch(model: "Post", records: posts, generation: 1), fence)
        var bad = posts[0]
        bad.version = 2
        bad.row?[1] = .null
        let raw = ShelfItem(
            model: "Post", key: "raw", version: 2, lastChangedAt: 2, item: "{}", reason: .notStorable)
        let unreadable = ShelfItem(
            model: "Post", key: "unreadable 0", version: 0, lastChangedAt: 0, item: "{}", reason: .notStorable)
        let report = try await store.apply(
            RemoteBatch(model: "Post", records: [bad], notStorable: [raw, unreadable], generation: 2), fence)
        #expect(report.shelvedCount == 3 && report.changes.isEmpty)
        #expect(try await store.sweep("Post", 2, fence).changes.map(\.key) == ["gone"])
        #expect(try await store.query(Post.self).map(\.id) == ["bad", "raw"])
        let metadata = try await store.recordMetadata(["bad", "raw", "unreadable 0"], of: "Post")
        #expect(metadata.map { $0?.version } == [1, 1, nil])
    }

    /// Another user has signed in who must not have it, or the service has forgotten it.
    @Test(arguments: EngineAdapter.all)
    func aSweepTakesWhatTheStoreCannotHoldAndTheServiceHasNoLonger(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        func shelf() async throws -> [String] {
            try await store.dump().rows["__shelf"]?.compactMap { ShelfItem($0.cells[...]) }.map(\.key) ?? []
        }
        func hold(_ keys: [String], of model: String, _ generation: Int64) async throws {
            let items = keys.map {
                ShelfItem(model: model, key: $0, version: 1, lastChangedAt: 1, item: "{}", reason: .notStorable)
            }
            _ = try await store.apply(RemoteBatch(model: model, notStorable: items, generation: generation), fence)
        }
        try await hold(["gone", "stays", "unreadable 0"], of: "Post", 1)
        // The key of an order has two parts.
        try await hold(["unreadable 0"], of: "Order", 1)
        for model in ["Post", "Order"] { _ = try await store.sweep(model, 1, fence) }
        #expect(try await shelf().count == 4)
        try await hold(["stays"], of: "Post", 2)
        for model in ["Post", "Order"] { #expect(try await store.sweep(model, 2, fence).changes.isEmpty) }
        #expect(try await shelf() == ["stays"])
    }

    // MARK: - Records before those that they belong to

    @Test(arguments: EngineAdapter.all)
    func aChildIsHiddenUntilItsParentComes(adapter: EngineAdapter) async throws {
        let store = try await adapter.graph()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let house = House("h", name: "House")
        var live = try store.observeQuery(Room.self).makeAsyncIterator()
        #expect(try await live.next()?.items.isEmpty == true)
        var changes = try store.observe(Room.self).makeAsyncIterator()
        let rooms = try ["a", "b"].map { try remote(Room($0, house: house), 1) }
        _ = try await store.apply(RemoteBatch(model: "Room", records: rooms), fence)
        #expect(try await store.query(Room.self).isEmpty)
        #expect(try await store.query(Room.self, byId: "a") == nil)
        #expect(try await store.count(Room.self) == 2)
        var streamed = 0
        for try await _ in try store.stream(Room.self) { streamed += 1 }
        #expect(streamed == 0)
        _ = try await store.apply(RemoteBatch(model: "House", records: [try remote(house, 1)]), fence)
        #expect(try await store.query(Room.self).map(\.house.name) == ["House", "House"])
        #expect(try await live.next()?.items.map(\.id) == ["a", "b"])
        for id in ["a", "b"] {
            let change = try await changes.next()
            #expect(change?.model.id == id && change?.kind == .created && change?.origin == .remote)
        }
    }

    @Test(arguments: EngineAdapter.all)
    func aChildThatChangesWhileItsParentComesIsShownAsItIs(adapter: EngineAdapter) async throws {
        let (reached, gate) = (Gate(), Gate())
        let store = try await InterceptedAdapter(adapter.make(), pausingAt: "House", reached, until: gate).graphStore()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let changes = try store.observe(Room.self)
        let house = House("h", name: "House")
        func apply(_ name: String, _ version: Int64) async throws {
            let room = try remote(Room("a", name: name, house: house), version)
            _ = try await store.apply(RemoteBatch(model: "Room", records: [room]), fence)
        }
        try await apply("old", 1)
        let parent = RemoteBatch(model: "House", records: [try remote(house, 1)])
        async let late = store.apply(parent, fence)
        await reached.wait()
        try await apply("new", 2)
        gate.open()
        _ = try await late
        #expect(try await store.close(andCollect: changes).last?.model.name == "new")
    }

    @Test(arguments: EngineAdapter.all)
    func aDeletionByTheServiceTakesNothingAlong(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let blog = Blog(id: "b", name: "")
        _ = try await store.apply(RemoteBatch(model: "Blog", records: [try remote(blog, 1)]), fence)
        _ = try await store.apply(
            RemoteBatch(model: "Post", records: [try remote(Post(id: "p", title: "", blog: blog), 1)]), fence)
        let tombstone = RemoteRecord(key: RecordKey("b"), row: nil, version: 2, lastChangedAt: 2)
        _ = try await store.apply(RemoteBatch(model: "Blog", records: [tombstone]), fence)
        #expect(try await store.query(Blog.self).isEmpty)
        #expect(try await store.query(Post.self).map(\.id) == ["p"])
        #expect(try await store.outboxCount() == 0)
    }
}
