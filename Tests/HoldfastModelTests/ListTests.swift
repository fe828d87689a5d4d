import Foundation
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct ListTests {
    func unloaded(_ loader: RecordingLoader?) throws -> HoldfastModel.List<Post> {
        let rows = try Blog(id: "b", name: "B").row()
        return try #require(try Blog(row: RowReader(rows, row: 0, loader: loader)).posts)
    }

    @Test func aListIsEmptyUntilItIsFetched() async throws {
        let loader = RecordingLoader([Post(title: "x"), Post(title: "y")])
        let posts = try unloaded(loader)
        #expect(!posts.isLoaded && posts.isEmpty && posts.elements.isEmpty)
        #expect(loader.asked.isEmpty)
        try await posts.fetch()
        #expect(posts.isLoaded)
        #expect(posts.map(\.title) == ["x", "y"])
        #expect(posts.count == 2 && posts[1].title == "y" && posts.last?.title == "y")
        #expect(loader.asked == ["Post by blog of [HoldfastStorage.Value.text(\"b\")]"])
    }

    @Test func aListIsFetchedOnce() async throws {
        let loader = RecordingLoader([Post(title: "x")])
        let posts = try unloaded(loader)
        for _ in 0..<3 { try await posts.fetch() }
        #expect(loader.asked.count == 1)
    }

    @Test func aFailureLeavesTheListUnloaded() async throws {
        let loader = RecordingLoader([Post(title: "x")], fails: true)
        let posts = try unloaded(loader)
        await #expect(throws: RecordingLoader.Unavailable.self) { try await posts.fetch() }
        #expect(!posts.isLoaded)
        loader.recover()
        try await posts.fetch()
        #expect(posts.count == 1)
    }

    @Test func aListWithoutAStoreCannotBeFetched() async throws {
        try await ExclusiveUse.modelRegistry {
            let posts = try unloaded(nil)
            await #expect { try await posts.fetch() } throws: { ($0 as? ModelError)?.kind == .missingRelation }
        }
    }

    @Test func aListWrittenInCodeIsLoaded() async throws {
        let posts: HoldfastModel.List<Post> = [Post(title: "x")]
        #expect(posts.isLoaded)
        try await posts.fetch()
        #expect(posts.map(\.title) == ["x"])
        #expect(HoldfastModel.List<Post>(elements: []).isLoaded)
    }

    @Test func aListIsCodedAsAnArray() throws {
        let data = try JSONEncoder().encode(HoldfastModel.List(elements: [Post(id: "1", title: "x")]))
        let copy = try JSONDecoder().decode(HoldfastModel.List<Post>.self, from: data)
        #expect(copy.isLoaded)
        #expect(copy.map(\.id) == ["1"])
        #expect(
            String(decoding: try JSONEncoder().encode(try unloaded(nil)), as: UTF8.self)
                .contains(#""dataStoreAssociatedIdentifiers":["b"]"#))
    }
}
