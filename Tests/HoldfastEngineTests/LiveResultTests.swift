import HoldfastConformance
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// The result of a live query equals a new query whenever nothing is in progress.
struct LiveResultTests {
    /// A query that always matches the posts of ``marker(_:)``.
    struct Query: Sendable {
        let predicate: (any QueryPredicate)?
        let sort: QuerySortInput?
    }

    static func queries() -> [Query] {
        let rating = Post.keys.rating
        return [
            Query(predicate: nil, sort: nil),
            Query(predicate: rating > 1, sort: .descending(rating)),
            Query(predicate: rating != 3, sort: .by(.ascending(Post.keys.title), .descending(rating))),
            Query(predicate: rating == nil || rating >= 2, sort: .ascending(rating)),
            Query(predicate: Post.keys.id > "3", sort: .descending(Post.keys.id)),
        ]
    }

    /// A post that no random change touches; with another number it differs.
    static func marker(_ number: Int) -> Post { Post(id: "~", title: "mark \(number)", rating: 9) }

    static func post(_ random: inout SplitMix64) -> Post {
        let rating = random.chance(20) ? nil : random.below(4)
        return Post(id: "\(random.below(10))", title: random.pick(["a", "b", "c"]), rating: rating)
    }

    /// One random change.
    static func change(_ store: DataStore, _ random: inout SplitMix64) async throws {
        switch random.below(7) {
        case 0, 1: try await store.save(post(&random))
        case 2:
            var posts: [Post] = []
            for _ in 0..<random.number(in: 2...6) { posts.append(post(&random)) }
            try await store.save(posts)
        case 3: try await store.delete(post(&random))
        case 4: try await store.delete(Post.self, where: Post.keys.rating == random.below(4))
        default:
            let (gone, kept) = (post(&random), [post(&random), post(&random)])
            try await store.transaction { transaction in
                try await transaction.save(kept[0])
                try await transaction.delete(gone)
                try await transaction.save(kept[1])
            }
        }
    }

    /// The newest snapshot once the marker of a number is in it.
    static func settled(_ live: inout LiveQuery<Post>.Iterator, _ number: Int) async throws -> [[Value]]? {
        while let items = try await live.next()?.items {
            if items.contains(where: { $0.title == marker(number).title }) { return try items.map { try cells($0) } }
        }
        return nil
    }

    static func cells(_ post: Post) throws -> [Value] { Array(try post.row()[0]) }

    @Test(arguments: EngineAdapter.all, [1, 2, 3, 4] as [UInt64])
    func theMaintainedResultEqualsANewQuery(adapter: EngineAdapter, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        for query in Self.queries() {
            let store = try await adapter.open()
            try await store.save((0..<random.below(8)).map { _ in Self.post(&random) })
            var live = try store.observeQuery(Post.self, where: query.predicate, sort: query.sort).makeAsyncIterator()
            _ = try await live.next()
            for round in 0..<15 {
                for _ in 0..<random.number(in: 1...6) { try await Self.change(store, &random) }
                try await store.save(Self.marker(round))
                let maintained = try await Self.settled(&live, round)
                let fresh = try await store.query(Post.self, where: query.predicate, sort: query.sort)
                #expect(try maintained == fresh.map { try Self.cells($0) })
            }
        }
    }

    /// With a limit the maintained result is the first page of a new query, also after deletions before and after it.
    @Test(arguments: EngineAdapter.all, [1, 2, 3, 4, 5] as [UInt64])
    func theMaintainedPageEqualsANewQuery(adapter: EngineAdapter, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        for limit in [0, 1, 3] as [UInt] {
            let store = try await adapter.open()
            try await store.save((0..<random.below(10)).map { _ in Self.post(&random) })
            let sort = QuerySortInput.descending(Post.keys.rating)
            let live = try store.observeQuery(Post.self, sort: sort, limit: Int(limit) + 1)
            var snapshots = live.makeAsyncIterator()
            _ = try await snapshots.next()
            for round in 0..<25 {
                for _ in 0..<random.number(in: 1...4) { try await Self.change(store, &random) }
                // First by its rating.
                try await store.save(Self.marker(round))
                let maintained = try await Self.settled(&snapshots, round)
                let fresh = try await store.query(Post.self, sort: sort, paginate: .page(0, limit: limit + 1))
                #expect(try maintained == fresh.map { try Self.cells($0) })
            }
        }
    }

    /// A commit of many changes gives what its changes give one by one.
    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func manyChangesAtOnceEqualTheSameOneByOne(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let schema = try StorageSchema(entities: [ChangeBufferTests.entity])
        let plan = QueryPlan("E", where: .compare("value", .less, .integer(50)), sort: [SortKey("value", .descending)])
        let query = try schema.bind(plan, limits: Capabilities.Limits())
        var atOnce = LiveResult<Post>(RowBuffer(columnCount: 2), items: [], sequence: 0, query: query)
        var oneByOne = atOnce
        for sequence in 1...40 as ClosedRange<UInt64> {
            let count = random.number(in: 1...4 * LiveResult<Post>.fewChanges)
            let changes = (0..<count).map { _ in
                let kind = random.pick([ChangeKind.created, .updated, .deleted])
                return (kind, "r\(random.below(80))", random.below(60))
            }
            func apply(_ changes: [(ChangeKind, String, Int)], to result: inout LiveResult<Post>) throws {
                _ = try result.apply(ChangeBufferTests.set(sequence, changes)) { row in
                    // Some models cannot be shown.
                    changes[row].2 % 7 == 0 ? nil : Post(id: changes[row].1, title: "\(changes[row].2)")
                }
            }
            try apply(changes, to: &atOnce)
            for change in changes { try apply([change], to: &oneByOne) }
            #expect(atOnce.isSame(as: oneByOne))
            #expect(atOnce.items.map(\.title) == oneByOne.items.map(\.title))
        }
        #expect(!atOnce.items.isEmpty)
    }

    @Test func aLimitedResultHoldsTwiceTheLimitAtMost() throws {
        let schema = try StorageSchema(entities: [ChangeBufferTests.entity])
        let plan = QueryPlan("E", sort: [SortKey("value", .descending)], limit: 3)
        var result = LiveResult<Post>(
            RowBuffer(columnCount: 2), items: [], sequence: 0,
            query: try schema.bind(plan, limits: Capabilities.Limits()), limit: 3)
        var applied = 0
        for number in 0..<1_000 {
            let changes = ChangeBufferTests.set(UInt64(number + 1), [(.created, "r\(number)", number * 7 % 1_000)])
            _ = try result.apply(changes) { _ in
                applied += 1
                return Post(title: "")
            }
            #expect(result.heldCount <= 6)
        }
        #expect(applied < 400)
        #expect(!result.isShort)
    }

    @Test(arguments: EngineAdapter.all, [1, 2] as [UInt64])
    func itDoesSoAlsoAfterConcurrentWriters(adapter: EngineAdapter, seed: UInt64) async throws {
        for query in Self.queries() {
            let store = try await adapter.open()
            var live = try store.observeQuery(Post.self, where: query.predicate, sort: query.sort).makeAsyncIterator()
            for round in 0..<4 {
                async let written: Void = withThrowingTaskGroup(of: Void.self) { group in
                    for task in 0..<4 as Range<UInt64> {
                        group.addTask {
                            var random = SplitMix64(seed: seed &* 100 &+ task &* 10 &+ UInt64(round))
                            for _ in 0..<6 {
                                do {
                                    try await Self.change(store, &random)
                                } catch let error as StorageError where error.kind == .conflict {}
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                _ = try await live.next()
                try await written
                try await store.save(Self.marker(round))
                let maintained = try await Self.settled(&live, round)
                let fresh = try await store.query(Post.self, where: query.predicate, sort: query.sort)
                #expect(try maintained == fresh.map { try Self.cells($0) })
            }
        }
    }

    /// Each transaction replaces the one record by another, so a snapshot between its parts would have none or two.
    @Test(arguments: EngineAdapter.all)
    func noSnapshotShowsHalfATransaction(adapter: EngineAdapter) async throws {
        let store = try await adapter.open(DataStoreOptions(recordsMutations: false))
        try await store.save(Post(id: "1000", title: ""))
        let live = try store.observeQuery(Post.self)
        async let written: Void = {
            for number in 1_000..<1_150 {
                try await store.transaction { transaction in
                    try await transaction.save(Post(id: "\(number + 1)", title: ""))
                    try await transaction.delete(Post(id: "\(number)", title: ""))
                }
            }
            try await store.close()
        }()
        var counts: Set<Int> = []
        do {
            for try await snapshot in live { counts.insert(snapshot.items.count) }
        } catch let error as StorageError where error.kind == .closed {}
        try await written
        #expect(counts == [1])
    }

    /// What was in the first snapshot is gone also if its creation and deletion were folded together.
    @Test(arguments: EngineAdapter.all)
    func foldedChangesRemoveWhatTheFirstSnapshotHad(adapter: EngineAdapter) async throws {
        let store = try await adapter.open(DataStoreOptions(recordsMutations: false))
        var live = try store.observeQuery(Post.self, where: Post.keys.rating == 9).makeAsyncIterator()
        try await store.save(Post(id: "brief", title: "", rating: 9))
        #expect(try await live.next()?.items.map(\.id) == ["brief"])
        try await store.delete(Post.self, withId: "brief")
        for _ in 0..<11 { try await store.save((0..<1_000).map { Post(id: "\($0)", title: "") }) }
        try await store.save(Self.marker(0))
        #expect(try await live.next()?.items.map(\.id) == ["~"])
    }

    @Test(arguments: EngineAdapter.all)
    func commitsWhileTheConsumerIsBusyAreOneSnapshot(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        var live = try store.observeQuery(Post.self).makeAsyncIterator()
        _ = try await live.next()
        for number in 0..<200 { try await store.save(Post(id: "\(number % 10)", title: "\(number)")) }
        try await store.save(Self.marker(0))
        #expect(try await live.next()?.items.map(\.title) == (190..<200).map(String.init) + ["mark 0"])
        try await store.save(Self.marker(1))
        #expect(try await live.next()?.items.last?.title == "mark 1")
    }
}
