import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

struct TransactionTests {
    struct Refused: Error {}

    /// Six posts, of which a transaction then changes one, adds one, and deletes one.
    private static func fill(_ store: DataStore) async throws {
        try await store.save((0..<6).map { (number: Int) in Post(id: "\(number)", title: "old", rating: number) })
    }

    private static func change(_ transaction: Transaction) async throws {
        try await transaction.save(Post(id: "1", title: "moved", rating: 9))
        try await transaction.save(Post(id: "new", title: "new", rating: 3))
        try await transaction.delete(Post(id: "4", title: ""))
    }

    @Test(arguments: EngineAdapter.all)
    func readingByKeySeesTheTransactionsOwnWrites(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await Self.fill(store)
        try await store.transaction { transaction in
            try await Self.change(transaction)
            #expect(try await transaction.query(Post.self, byId: "1")?.title == "moved")
            #expect(try await transaction.query(Post.self, byId: "new")?.rating == 3)
            #expect(try await transaction.query(Post.self, byId: "4") == nil)
            #expect(try await transaction.query(Post.self, byId: "none") == nil)
        }
    }

    @Test(arguments: EngineAdapter.all)
    func queriesSeeTheTransactionsOwnWrites(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await Self.fill(store)
        try await store.transaction { transaction in
            try await Self.change(transaction)
            let byRating = QuerySortInput.descending(Post.keys.rating)
            let all = try await transaction.query(Post.self, sort: byRating)
            #expect(all.map(\.id) == ["1", "5", "3", "new", "2", "0"])
            var paged: [String] = []
            for page in 0..<4 as Range<UInt> {
                paged += try await transaction.query(Post.self, sort: byRating, paginate: .page(page, limit: 2)).map(
                    \.id)
            }
            #expect(paged == all.map(\.id))
        }
    }

    @Test(arguments: EngineAdapter.all)
    func deletingByPredicateSeesTheTransactionsOwnWrites(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await Self.fill(store)
        try await store.transaction { transaction in
            try await Self.change(transaction)
            let middle = Post.keys.rating > 2 && Post.keys.rating < 9
            #expect(try await transaction.query(Post.self, where: middle).map(\.id) == ["3", "5", "new"])
            #expect(try await transaction.delete(Post.self, where: middle) == 3)
            #expect(try await transaction.query(Post.self).map(\.id) == ["0", "1", "2"])
            // Nothing outside sees it yet.
            #expect(try await store.count(Post.self) == 6)
        }
        #expect(try await store.query(Post.self).map(\.title) == ["old", "moved", "old"])
    }

    @Test(arguments: EngineAdapter.all)
    func severalModelsAreOneCommit(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save(Sample(id: "gone"))
        let posts = try store.observe(Post.self)
        let samples = try store.observe(Sample.self)
        let before = try await store.dump().sequence
        let blog = Blog(id: "b", name: "B")
        let count = try await store.transaction { transaction in
            try await transaction.save(blog)
            try await transaction.save([Post(id: "p", title: "", blog: blog), Post(id: "q", title: "", blog: blog)])
            try await transaction.delete(Sample(id: "gone"))
            try await transaction.save(Sample(id: "new"))
            return try await transaction.query(Post.self).count
        }
        #expect(count == 2)
        let dump = try await store.dump()
        #expect(dump.sequence > before)
        #expect(dump.rows.values.joined().allSatisfy { $0.version == dump.sequence })
        #expect(try await store.outboxEntries().map(\.key) == ["b", "p", "q", "new"])
        #expect(try await store.close(andCollect: posts).map(\.model.id) == ["p", "q"])
        let seen = try await store.close(andCollect: samples)
        #expect(seen.map { "\($0.kind) \($0.model.id)" } == ["deleted gone", "created new"])
    }

    @Test(arguments: EngineAdapter.all)
    func anErrorUndoesEverything(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save(Post(id: "p", title: "old"))
        let changes = try store.observe(Post.self)
        let before = try await store.dump()
        await #expect(throws: Refused.self) {
            try await store.transaction { transaction in
                try await transaction.save(Post(id: "p", title: "new"))
                try await transaction.save(Post(id: "q", title: "new"))
                try await transaction.delete(Post.self, where: Post.keys.id == "p")
                throw Refused()
            }
        }
        #expect(try await store.dump() == before)
        #expect(try await store.close(andCollect: changes).isEmpty)
    }

    @Test(arguments: EngineAdapter.all)
    func aBadValueUndoesEverything(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let before = try await store.dump()
        await #expect {
            try await store.transaction { transaction in
                try await transaction.save(Post(id: "p", title: "good"))
                try await transaction.save(Post(id: "q", title: "\0"))
            }
        } throws: { ($0 as? StorageError)?.kind == .unrepresentable }
        #expect(try await store.dump() == before)
    }

    @Test(arguments: EngineAdapter.all)
    func nothingWrittenMakesNoCommit(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save(Post(id: "p", title: "t"))
        let before = try await store.dump()
        try await store.transaction { _ in }
        let title = try await store.transaction { try await $0.query(Post.self, byId: "p")?.title }
        #expect(title == "t")
        try await store.transaction { transaction in
            try await transaction.save(Post(id: "brief", title: ""))
            try await transaction.delete(Post(id: "brief", title: ""))
        }
        let after = try await store.dump()
        #expect(after.rows == before.rows)
    }

    @Test(arguments: EngineAdapter.all)
    func aRecordDeletedAndSavedAgainIsAnUpdate(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save(Post(id: "p", title: "old", rating: 1))
        try await store.sendOutbox()
        let changes = try store.observe(Post.self)
        try await store.transaction { transaction in
            try await transaction.delete(Post(id: "p", title: ""))
            try await transaction.save(Post(id: "p", title: "new", rating: 1))
        }
        #expect(try await store.outboxEntries().map(\.changedFields) == [["title"]])
        #expect(try await store.close(andCollect: changes).map(\.kind) == [.updated])
    }

    @Test(arguments: EngineAdapter.all)
    func aKeyWrittenAnotherWayIsTheSameRecord(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let utc = try Temporal.DateTime(iso8601String: "2026-01-01T00:00:00Z")
        let offset = try Temporal.DateTime(iso8601String: "2026-01-01T02:00:00.000+02:00")
        try await store.save(Reading(place: 0, at: utc, value: 1))
        try await store.transaction { transaction in
            try await transaction.save(Reading(place: -0.0, at: offset, value: 2))
            #expect(try await transaction.query(Reading.self).map(\.value) == [2])
            try await transaction.save(Reading(place: 0, at: utc, value: 3))
            #expect(try await transaction.query(Reading.self).map(\.value) == [3])
        }
        #expect(try await store.query(Reading.self).map(\.value) == [3])
        #expect(try await store.transaction { try await $0.delete(Reading(place: -0.0, at: offset)) })
        #expect(try await store.count(Reading.self) == 0)
    }

    @Test(arguments: EngineAdapter.all)
    func usingTheStoreInsideDoesNotWaitForItself(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.transaction { transaction in
            try await transaction.save(Post(id: "outer", title: ""))
            try await store.save(Post(id: "inner", title: ""))
            try await store.transaction { try await $0.save(Post(id: "nested", title: "")) }
            #expect(try await store.query(Post.self).map(\.id) == ["inner", "nested"])
            _ = try await store.delete(Post.self, withId: "inner")
        }
        #expect(try await store.query(Post.self).map(\.id) == ["nested", "outer"])
    }

    @Test(arguments: EngineAdapter.all)
    func aTransactionKeptBeyondItsClosureChangesNothing(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let kept = Mutex<Transaction?>(nil)
        try await store.transaction { transaction in
            kept.withLock { $0 = transaction }
            try await transaction.save(Post(id: "p", title: "in time"))
        }
        let before = try await store.dump()
        let transaction = try #require(kept.withLock { $0 })
        for late in [
            { try await transaction.save(Post(id: "q", title: "late")) },
            { _ = try await transaction.query(Post.self) },
            { _ = try await transaction.delete(Post.self, where: QueryPredicateConstant.all) },
        ] as [@Sendable () async throws -> Void] {
            await #expect { try await late() } throws: { ($0 as? StorageError)?.kind == .closed }
        }
        _ = try? await transaction.save(Post(id: "p", title: "late"))
        #expect(try await store.dump() == before)
    }

    /// Random reads and writes, against a dictionary.
    @Test(arguments: EngineAdapter.all, [1, 2, 3] as [UInt64])
    func randomTransactionsAgreeWithADictionary(adapter: EngineAdapter, seed: UInt64) async throws {
        let store = try await adapter.open()
        var expected: [String: Int] = [:]
        for round in 0..<25 {
            let start = expected
            let fails = round % 4 == 3
            let result: [String: Int]? = try? await store.transaction { transaction in
                var random = SplitMix64(seed: seed &* 1_000 &+ UInt64(round))
                var model = start
                for _ in 0..<random.number(in: 1...12) {
                    let (id, rating) = ("\(random.below(8))", random.below(6))
                    switch random.below(6) {
                    case 0, 1:
                        try await transaction.save(Post(id: id, title: "", rating: rating))
                        model[id] = rating
                    case 2:
                        let existed = try await transaction.delete(Post(id: id, title: ""))
                        #expect(existed == (model.removeValue(forKey: id) != nil))
                    case 3:
                        let count = try await transaction.delete(Post.self, where: Post.keys.rating == rating)
                        let kept = model.filter { $0.value != rating }
                        #expect(count == model.count - kept.count)
                        model = kept
                    case 4: #expect(try await transaction.query(Post.self, byId: id)?.rating == model[id])
                    default:
                        let found = try await transaction.query(
                            Post.self, where: Post.keys.rating >= rating, sort: .ascending(Post.keys.rating),
                            paginate: .page(0, limit: 3))
                        let matching = model.filter { $0.value >= rating }
                            .sorted { ($0.value, $0.key) < ($1.value, $1.key) }
                        #expect(found.map(\.id) == matching.prefix(3).map(\.key))
                    }
                }
                if fails { throw Refused() }
                return model
            }
            #expect((result == nil) == fails)
            expected = result ?? expected
            let stored = try await store.query(Post.self).map { ($0.id, $0.rating ?? -1) }
            #expect(Dictionary(uniqueKeysWithValues: stored) == expected)
        }
    }
}
