import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct QueryingTests {
    func filled(_ adapter: EngineAdapter) async throws -> DataStore {
        let store = try await adapter.open()
        try await store.save(
            (0..<12).map { number in
                Post(
                    id: String(UnicodeScalar(UInt8(97 + number))), title: "t\(number % 4)",
                    rating: number % 3 == 0 ? nil : number % 3, status: number < 6 ? .draft : nil,
                    tags: number % 2 == 0 ? ["even", "n\(number)"] : nil)
            })
        return store
    }

    static let keys = Post.keys

    @Test(
        arguments: EngineAdapter.all,
        [
            (keys.rating == 1, "behk"), (keys.rating != 1, "acdfgijl"), (keys.rating == nil, "adgj"),
            (keys.rating.attributeExists(true), "bcefhikl"), (!(keys.rating > 1), "abdeghjk"),
            (keys.rating.between(start: 0, end: 1), "behk"), (keys.title.beginsWith("t3"), "dhl"),
            (keys.title ~= "2", "cgk"), (keys.title.notContains("2"), "abdefhijl"),
            (keys.tags.contains("even"), "acegik"), (keys.tags.notContains("n0"), "bcdefghijkl"),
            (keys.status == PostStatus.draft, "abcdef"), (keys.status != PostStatus.draft, "ghijkl"),
            (keys.status == PostStatus.draft && (keys.rating == 1 || keys.rating == 2), "bcef"),
            (not(keys.status == PostStatus.draft || keys.rating == nil), "hikl"),
            (QueryPredicateConstant.all, "abcdefghijkl"),
        ] as [(any QueryPredicate, String)])
    func aPredicateSelectsExactlyItsRecords(adapter: EngineAdapter, expected: (any QueryPredicate, String)) async throws
    {
        let store = try await filled(adapter)
        let (predicate, ids) = expected
        #expect(try await store.query(Post.self, where: predicate).map(\.id).joined() == ids)
        #expect(try await store.count(Post.self, where: predicate) == ids.count)
        #expect(try await store.delete(Post.self, where: predicate) == ids.count)
        #expect(try await store.count(Post.self) == 12 - ids.count)
    }

    @Test(
        arguments: EngineAdapter.all,
        [
            (.ascending(keys.rating), "adgjbehkcfil"), (.descending(keys.rating), "cfilbehkadgj"),
            (.by(.descending(keys.title), .ascending(keys.rating)), "dhlgkcjbfaei"),
            (.descending(keys.id), "lkjihgfedcba"),
        ] as [(QuerySortInput, String)])
    func aSortIsTotal(adapter: EngineAdapter, expected: (QuerySortInput, String)) async throws {
        let store = try await filled(adapter)
        #expect(try await store.query(Post.self, sort: expected.0).map(\.id).joined() == expected.1)
    }

    @Test(arguments: EngineAdapter.all)
    func pagesPutTogetherAreTheWholeResult(adapter: EngineAdapter) async throws {
        let store = try await filled(adapter)
        let sort = QuerySortInput.descending(Post.keys.rating)
        for limit in [UInt(1), 5, 12, 13] {
            var ids = ""
            for page in 0..<(12 / limit + 2) {
                let posts = try await store.query(Post.self, sort: sort, paginate: .page(page, limit: limit))
                #expect(posts.count <= Int(limit))
                ids += posts.map(\.id).joined()
            }
            #expect(ids == "cfilbehkadgj")
        }
        #expect(try await store.query(Post.self, paginate: .page(3, limit: 0)).isEmpty)
        #expect(try await store.query(Post.self, paginate: .firstResult).map(\.id) == ["a"])
        #expect(try await store.query(Post.self, paginate: .page(9)).isEmpty)
    }

    @Test(arguments: EngineAdapter.all)
    func moreRecordsThanABatchAreAllFound(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save((0..<2_500).map { number in Post(id: "\(10_000 + number)", title: "t", rating: number) })
        let ratings = try await store.query(Post.self, where: Post.keys.rating >= 100).map(\.rating)
        #expect(ratings == Array(100..<2_500))
        #expect(try await store.delete(Post.self, where: Post.keys.rating < 2_400) == 2_400)
        #expect(try await store.count(Post.self) == 100)
    }

    @Test(arguments: EngineAdapter.all)
    func aQueryAsksTheFieldsOfACompositeKey(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save((0..<9).map { number in Order(shop: "\(number / 3)", number: number % 3) })
        let found = try await store.query(Order.self, where: Order.keys.shop == "1" && Order.keys.number >= 1)
        #expect(found.map(\.number) == [1, 2])
        #expect(try await store.load(Order.self, key: RecordKey([.text("2"), .integer(0)]))?.shop == "2")
        #expect(try await store.load(Order.self, key: RecordKey([.text("2"), .integer(9)])) == nil)
    }
}
