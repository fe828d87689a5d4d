import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct SeveralStoresTests {
    @Test func storesOfAllAdaptersDoNotInfluenceEachOther() async throws {
        let stores = try await withThrowingTaskGroup { group in
            for number in 0..<9 {
                group.addTask {
                    let adapter = EngineAdapter.all[number % EngineAdapter.all.count]
                    return (number, try await adapter.open(DataStoreOptions(recordsMutations: number % 2 == 0)))
                }
            }
            return try await group.reduce(into: [Int: DataStore]()) { $0[$1.0] = $1.1 }
        }
        let changes = try stores.mapValues { try $0.observe(Post.self) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, store) in stores {
                group.addTask {
                    for round in 0...number {
                        try await store.save(Post(id: "same", title: "\(number)-\(round)", rating: number))
                        try await store.save(Post(id: "own\(round)", title: "", rating: number))
                    }
                }
            }
            try await group.waitForAll()
        }
        for (number, store) in stores {
            let posts = try await store.query(Post.self)
            #expect(posts.count == number + 2)
            #expect(posts.allSatisfy { $0.rating == number })
            #expect(try await store.query(Post.self, byId: "same")?.title == "\(number)-\(number)")
            #expect(try await store.outboxCount() == (number % 2 == 0 ? number + 2 : 0))
        }
        try await stores[0]?.close()
        for (number, store) in stores where number > 0 {
            let seen = try await store.close(andCollect: try #require(changes[number]))
            #expect(seen.count == 2 * number + 2)
            #expect(seen.allSatisfy { $0.model.rating == number })
        }
    }

    @Test(arguments: EngineAdapter.all)
    func storesMayHaveDifferentModelsOfOneName(adapter: EngineAdapter) async throws {
        let posts = try await adapter.open()
        let others = try await DataStore.open(adapter.make(), models: [OtherPost.self])
        try await posts.save(Post(id: "p", title: "t"))
        try await others.save(OtherPost())
        #expect(try await posts.count(Post.self) == 1)
        #expect(try await others.count(OtherPost.self) == 1)
        #expect(try await posts.query(Post.self).map(\.title) == ["t"])
        await #expect { try await others.query(Post.self) } throws: { ($0 as? ModelError)?.kind == .unregistered }
        await #expect { try await posts.save(OtherPost()) } throws: { ($0 as? ModelError)?.kind == .unregistered }
    }
}
