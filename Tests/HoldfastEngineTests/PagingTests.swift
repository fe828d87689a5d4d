import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

struct PagingTests {
    static func fill(_ store: DataStore, _ random: inout SplitMix64) async throws {
        try await store.save(
            (0..<random.number(in: 0...60)).map { number in
                Post(
                    id: "\(number)", title: random.pick(["a", "b", "", "\u{E9}"]),
                    rating: random.chance(25) ? nil : random.below(4))
            })
    }

    /// All pages, one after the other.
    static func pages(_ store: DataStore, _ query: LiveResultTests.Query, limit: Int) async throws -> [String] {
        var ids: [String] = []
        var last: Post?
        while true {
            let page = try await store.query(
                Post.self, where: query.predicate, sort: query.sort, after: last, limit: limit)
            #expect(page.count <= limit)
            if page.isEmpty { return ids }
            ids += page.map(\.id)
            last = page.last
        }
    }

    @Test(arguments: EngineAdapter.all, [1, 2, 3] as [UInt64])
    func pagesAndStreamsAreTheWholeQuery(adapter: EngineAdapter, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let store = try await adapter.open()
        try await Self.fill(store, &random)
        for query in LiveResultTests.queries() {
            let whole = try await store.query(Post.self, where: query.predicate, sort: query.sort).map(\.id)
            for limit in [1, 2, 7, 100] { #expect(try await Self.pages(store, query, limit: limit) == whole) }
            var streamed: [String] = []
            for try await post in try store.stream(Post.self, where: query.predicate, sort: query.sort) {
                streamed.append(post.id)
            }
            #expect(streamed == whole)
        }
    }

    @Test(arguments: EngineAdapter.all)
    func pagesOfACompositeKeyAreTheWholeQuery(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save(
            (0..<30).map { (number: Int) in
                Order(shop: "\(number % 4)", number: number, note: ["x", nil, "y"][number % 3])
            })
        for sort in [nil, .descending(Order.keys.note), .ascending(Order.keys.note)] as [QuerySortInput?] {
            var numbers: [Int] = []
            var last: Order?
            while let next = try await store.query(Order.self, sort: sort, after: last, limit: 4).last {
                numbers += try await store.query(Order.self, sort: sort, after: last, limit: 4).map(\.number)
                last = next
            }
            #expect(try await numbers == store.query(Order.self, sort: sort).map(\.number))
        }
    }

    /// Records that are not changed are on exactly one page each, in order, whatever happens around them.
    @Test(arguments: EngineAdapter.all)
    func whileOthersWriteNothingIsSkippedOrRepeated(adapter: EngineAdapter) async throws {
        let store = try await adapter.open(DataStoreOptions(recordsMutations: false))
        try await store.save((0..<80).map { (number: Int) in Post(id: "s\(number)", title: "", rating: number % 4) })
        let query = LiveResultTests.Query(predicate: nil, sort: .descending(Post.keys.rating))
        let stable = try await Self.pages(store, query, limit: 100)
        let writer = Task {
            var random = SplitMix64(seed: 5)
            while !Task.isCancelled {
                let id = "\(random.pick(["a", "t"]))\(random.below(30))"
                if random.chance(40) {
                    _ = try? await store.delete(Post.self, withId: id)
                } else {
                    _ = try? await store.save(Post(id: id, title: "", rating: random.below(4)))
                }
            }
        }
        for _ in 0..<10 {
            let seen = try await Self.pages(store, query, limit: 9).filter { $0.hasPrefix("s") }
            #expect(seen == stable)
        }
        writer.cancel()
        await writer.value
    }

    /// Two records are always written together, so one snapshot has both alike.
    @Test(arguments: EngineAdapter.all)
    func aStreamIsOneSnapshotWhileOthersWrite(adapter: EngineAdapter) async throws {
        let store = try await adapter.open(DataStoreOptions(recordsMutations: false))
        func pairs(_ title: String) -> [Post] {
            (0..<1_500).flatMap { [Post(id: "a\($0)", title: title), Post(id: "b\($0)", title: title)] }
        }
        try await store.save(pairs("start"))
        let writer = Task {
            var random = SplitMix64(seed: 6)
            for number in 0..<1_000_000 where !Task.isCancelled {
                let id = random.below(1_500)
                let title = "\(number)"
                _ = try? await store.save([Post(id: "a\(id)", title: title), Post(id: "b\(id)", title: title)])
            }
        }
        for _ in 0..<3 {
            var titles: [String: String] = [:]
            for try await post in try store.stream(Post.self) { titles[post.id] = post.title }
            #expect(titles.count == 3_000)
            for number in 0..<1_500 { #expect(titles["a\(number)"] == titles["b\(number)"]) }
        }
        writer.cancel()
        await writer.value
    }
}
