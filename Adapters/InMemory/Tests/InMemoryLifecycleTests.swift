import HoldfastInMemory
import HoldfastStorage
import Testing

@Suite struct InMemoryLifecycleTests {
    let posts = Posts()

    @Test func everythingFailsAfterClose() async throws {
        let store = try await posts.open()
        _ = try await store.put(posts.row("a"), posts.row("b"))
        let snapshot = try await store.snapshot()
        var scan = try await snapshot.query(QueryPlan("Post"))
        var sorted = try await snapshot.query(QueryPlan("Post", sort: [SortKey("score")]))
        var rows = RowBuffer()
        try await scan.next(maximumRowCount: 1, into: &rows)
        try await store.close()
        try await store.close()
        let closed = StorageError(.closed, "")
        await #expect(throws: closed) { try await store.snapshot() }
        await #expect(throws: closed) { try await store.put(posts.row("c")) }
        await #expect(throws: closed) { try await store.rows("a") }
        await #expect(throws: closed) { try await store.verify() }
        await #expect(throws: closed) { try await snapshot.count("Post") }
        await #expect(throws: closed) { try await snapshot.query(QueryPlan("Post")) }
        await #expect(throws: closed) { try await scan.next(into: &rows) }
        await #expect(throws: closed) { try await sorted.next(into: &rows) }
    }

    @Test func aClosedSnapshotEndsASortedQueryThatHasBegun() async throws {
        let store = try await posts.open()
        _ = try await store.put(posts.row("a"), posts.row("b"))
        let snapshot = try await store.snapshot()
        var sorted = try await snapshot.query(QueryPlan("Post", sort: [SortKey("score")]))
        var rows = RowBuffer()
        try await sorted.next(maximumRowCount: 1, into: &rows)
        await snapshot.close()
        await #expect(throws: StorageError(.closed, "")) { try await sorted.next(into: &rows) }
    }

    @Test func aClosedSnapshotEndsItsScansOnly() async throws {
        let store = try await posts.open()
        _ = try await store.put(posts.row("a"))
        let snapshot = try await store.snapshot()
        var scan = try await snapshot.query(QueryPlan("Post"))
        await snapshot.close()
        await snapshot.close()
        var rows = RowBuffer()
        await #expect(throws: StorageError(.closed, "")) { try await scan.next(into: &rows) }
        #expect(try await store.snapshot().count("Post") == 1)
    }

    @Test func aScanThatEndedStaysEnded() async throws {
        let store = try await posts.open()
        _ = try await store.put(posts.row("a"))
        var scan = try await store.snapshot().query(QueryPlan("Post"))
        var rows = RowBuffer()
        try await scan.next(into: &rows)
        #expect(rows.rowCount == 1)
        for _ in 0..<2 {
            try await scan.next(into: &rows)
            #expect(rows.isEmpty)
        }
    }

    @Test func anAdapterIsOpenedOnce() async throws {
        let schema = try StorageSchema(entities: [EntitySchema("Post", fields: Posts.fields)])
        let misuse = StorageError(.misuse, "")
        let adapter = InMemoryAdapter()
        await #expect(throws: misuse) { try await adapter.snapshot() }
        await #expect(throws: misuse) { try await adapter.commit(CommitRequest()) }
        try await adapter.open(OpenRequest(schema: schema))
        await #expect(throws: misuse) { try await adapter.open(OpenRequest(schema: schema)) }
        try await adapter.close()
        await #expect(throws: StorageError(.closed, "")) { try await adapter.open(OpenRequest(schema: schema)) }
    }

    @Test func twoAdaptersShareNothing() async throws {
        let (first, second) = (try await posts.open(), try await posts.open())
        _ = try await first.put(posts.row("a"))
        #expect(try await second.snapshot().count("Post") == 0)
    }

    @Test func theDeclarationIsComplete() async throws {
        let capabilities = InMemoryAdapter().capabilities
        for type in StorageType.scalars {
            #expect(capabilities.nativeTypes[type] != nil)
            #expect(capabilities.nativeTypes[.list(type)] != nil)
        }
        #expect(capabilities.durability == .none)
        let store = try await posts.open()
        await #expect(throws: StorageError(.unsupported, "")) {
            try await store.commit(CommitRequest(durability: .processCrash))
        }
        await #expect(throws: StorageError(.unsupported, "")) { try await store.backUp(to: "anywhere") }
    }

    @Test func worksOnTheMainActor() async throws {
        try await Task { @MainActor in
            let store = try await posts.open(indexes: [])
            let rows = (0..<5_000).map { posts.row("k\($0)", score: Double($0)) }
            _ = try await store.commit(
                CommitRequest(operations: [.put(entity: "Post", rows: posts.buffer(rows), mode: .insert)]))
            let last = try await store.results(QueryPlan("Post", sort: [SortKey("score", .descending)], limit: 1))
            #expect(last == [rows[4_999]])
        }.value
    }
}
