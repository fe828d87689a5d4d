import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// A service with a newer schema has sent values that this application does not know.
@Suite struct UnreadableRecordTests {
    private let reported = EventLog<ModelError>()

    /// A blog with the posts `a` to `j`, of which `a`, `b`, and `f` cannot be decoded.
    private func open(_ adapter: EngineAdapter) async throws -> DataStore {
        let reported = reported
        let store = try await adapter.open(DataStoreOptions(unreadableRecord: { reported.add($0) }))
        let blog = try await store.save(Blog(id: "blog", name: ""))
        try await store.save("abcdefghij".map { Post(id: String($0), title: "", blog: blog) })
        let status = try #require(Post.schema.columns.firstIndex(of: "status"))
        for id in ["a", "b", "f"] {
            var row = Array(try Post(id: id, title: "", blog: blog).row()[0])
            row[status] = .text("HELD")
            _ = try await store.store.commit(
                CommitRequest(operations: [.put(entity: "Post", rows: RowBuffer(row: row), mode: .upsert)]))
        }
        return store
    }

    private func ids(_ posts: [Post]) -> String { posts.map(\.id).joined() }

    private func isDecoding(_ error: any Error) -> Bool { (error as? ModelError)?.kind == .decodingFailed }

    @Test(arguments: EngineAdapter.all)
    func listsLeaveThemOutAndReportOneWithEachQuery(adapter: EngineAdapter) async throws {
        let store = try await open(adapter)
        for count in 1...2 {
            #expect(ids(try await store.query(Post.self)) == "cdeghij")
            #expect(reported.events.map(\.kind) == Array(repeating: .decodingFailed, count: count))
        }
        var streamed: [Post] = []
        for try await post in try store.stream(Post.self) { streamed.append(post) }
        #expect(ids(streamed) == "cdeghij")
        let posts = try #require(try await store.query(Blog.self, byId: "blog")?.posts)
        try await posts.fetch(limit: 5)
        #expect(posts.map(\.id).joined() == "cdegh")
        let rest = try await posts.getNextPage()
        #expect(rest.map(\.id).joined() == "ij")
    }

    @Test(arguments: EngineAdapter.all)
    func pagesAreFullWithoutThem(adapter: EngineAdapter) async throws {
        let store = try await open(adapter)
        var (numbered, following) = ([String](), [String]())
        for page in UInt(0)..<4 {
            numbered.append(ids(try await store.query(Post.self, paginate: .page(page, limit: 3))))
        }
        var last: Post?
        repeat {
            let page = try await store.query(Post.self, after: last, limit: 3)
            following.append(ids(page))
            last = page.last
        } while last != nil
        #expect(numbered == ["cde", "ghi", "j", ""] && following == numbered)
    }

    @Test(arguments: EngineAdapter.all)
    func theyStayInTheStore(adapter: EngineAdapter) async throws {
        let store = try await open(adapter)
        #expect(try await store.count(Post.self) == 10)
        await #expect { try await store.query(Post.self, byId: "a") } throws: { isDecoding($0) }
        await #expect {
            try await store.read { transaction in try await transaction.query(Post.self).count }
        } throws: {
            isDecoding($0)
        }
        var live = try store.observeQuery(Post.self).makeAsyncIterator()
        await #expect { try await live.next() } throws: { isDecoding($0) }
        let snapshot = try await live.next()
        #expect(snapshot.map { ids($0.items) } == "cdeghij")
        #expect(reported.events.isEmpty)
        #expect(try await store.delete(Post.self, where: QueryPredicateConstant.all) == 10)
    }
}
