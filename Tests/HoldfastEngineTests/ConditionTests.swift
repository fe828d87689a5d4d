import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

struct ConditionTests {
    @Test(arguments: EngineAdapter.all)
    func aSaveWithAConditionNeedsARecordThatSatisfiesIt(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let empty = try await store.dump()
        let wanted = Post(id: "p", title: "new", rating: 9)
        let low = Post.keys.rating < 5
        #expect(await refusal { try await store.save(wanted, where: low) } == .conditionFailed)
        #expect(try await store.dump() == empty)
        try await store.save(Post(id: "p", title: "old", rating: 7))
        let before = try await store.dump()
        #expect(await refusal { try await store.save(wanted, where: low) } == .conditionFailed)
        #expect(try await store.dump() == before)
        try await store.save(Post(id: "p", title: "old", rating: 3))
        try await store.save(wanted, where: low)
        #expect(try await store.query(Post.self, byId: "p")?.title == "new")
        #expect(await refusal { try await store.save(wanted, where: low) } == .conditionFailed)
        #expect(await refusal { try await store.save(wanted, where: QueryPredicateConstant.all) } == nil)
    }

    @Test(arguments: EngineAdapter.all)
    func aNullFieldSatisfiesNoComparison(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let post = Post(id: "p", title: "")
        try await store.save(post)
        #expect(await refusal { try await store.save(post, where: Post.keys.rating < 5) } == .conditionFailed)
        #expect(await refusal { try await store.save(post, where: Post.keys.rating == nil) } == nil)
    }

    @Test(arguments: EngineAdapter.all)
    func aDeletionWithAConditionLeavesWhatDoesNotSatisfyIt(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        let post = Post(id: "p", title: "t", rating: 3)
        let high = Post.keys.rating > 5
        #expect(try await store.delete(post, where: high) == false)
        #expect(try await store.delete(Post.self, withId: "p", where: high) == false)
        try await store.save(post)
        let before = try await store.dump()
        #expect(await refusal { try await store.delete(post, where: high) } == .conditionFailed)
        #expect(await refusal { try await store.delete(Post.self, withId: "p", where: high) } == .conditionFailed)
        #expect(try await store.dump() == before)
        #expect(try await store.delete(Post.self, withId: "p", where: Post.keys.rating < 5))
        #expect(try await store.count(Post.self) == 0)
    }

    @Test(arguments: EngineAdapter.all)
    func aFailedConditionLeavesAllOfATransactionUndone(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save((0..<3).map { (number: Int) in Post(id: "\(number)", title: "old", rating: number) })
        let changes = try store.observe(Post.self)
        let before = try await store.dump()
        let failure = await refusal {
            try await store.transaction { transaction in
                for number in 0..<3 {
                    let condition = Post.keys.rating < 2
                    try await transaction.save(Post(id: "\(number)", title: "new", rating: number), where: condition)
                }
            }
        }
        #expect(failure == .conditionFailed)
        #expect(try await store.dump() == before)
        #expect(try await store.close(andCollect: changes).isEmpty)
    }

    @Test(arguments: EngineAdapter.all)
    func aConditionHoldsWhenTheCommitIsApplied(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save(Post(id: "p", title: "free", rating: 0))
        let winners = await withTaskGroup(of: Bool.self) { group in
            for number in 1...16 {
                group.addTask {
                    await refusal {
                        try await store.save(
                            Post(id: "p", title: "taken", rating: number), where: Post.keys.title == "free")
                    } == nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
    }

    @Test(arguments: EngineAdapter.all)
    func aConditionOnAnUnknownFieldIsRefused(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save(Post(id: "p", title: "t"))
        let before = try await store.dump()
        await #expect(throws: (any Error).self) {
            try await store.save(Post(id: "p", title: "u"), where: Sample.keys.ratio > 1.0)
        }
        await #expect(throws: (any Error).self) {
            try await store.delete(Post.self, withId: "p", where: Sample.keys.ratio > 1.0)
        }
        #expect(try await store.dump() == before)
    }
}
