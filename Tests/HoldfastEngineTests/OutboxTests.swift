import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct OutboxTests {
    /// A step of a record's life, and what the outbox holds of it afterwards.
    typealias Step = (action: Action, operation: OutboxEntry.Operation?, fields: [String])

    enum Action: Sendable {
        case save(String, rating: Int?)
        case delete
        /// The service has received the change: the entry leaves the outbox.
        case send
    }

    static let all = Post.schema.columns

    @Test(
        arguments: EngineAdapter.all,
        [
            [(.save("a", rating: 1), .create, []), (.save("b", rating: 2), .create, []), (.delete, nil, [])],
            [(.save("a", rating: 1), .create, []), (.delete, nil, []), (.save("a", rating: 1), .create, [])],
            [
                (.save("a", rating: 1), .create, []), (.send, nil, []), (.save("b", rating: 1), .update, ["title"]),
                (.save("b", rating: nil), .update, ["title", "rating"]), (.delete, .delete, []),
                (.save("c", rating: 1), .update, all), (.save("d", rating: 1), .update, all), (.delete, .delete, []),
            ],
            [
                (.save("a", rating: 1), .create, []), (.send, nil, []), (.save("a", rating: 1), nil, []),
                (.delete, .delete, []), (.send, nil, []), (.save("a", rating: 1), .create, []),
            ],
            [
                (.save("a", rating: nil), .create, []), (.send, nil, []), (.save("a", rating: 0), .update, ["rating"]),
                (.save("a", rating: nil), .update, ["rating"]),
                (.save("b", rating: nil), .update, ["title", "rating"]),
            ],
        ] as [[Step]])
    func changesOfOneRecordFoldIntoOneEntry(adapter: EngineAdapter, steps: [Step]) async throws {
        let store = try await adapter.open()
        for (action, operation, fields) in steps {
            switch action {
            case .save(let title, let rating): try await store.save(Post(id: "p", title: title, rating: rating))
            case .delete: try await store.delete(Post.self, withId: "p")
            case .send: try await store.sendOutbox()
            }
            let entries = try await store.outboxEntries()
            #expect(entries.map(\.operation) == (operation.map { [$0] } ?? []))
            #expect(entries.first?.changedFields ?? [] == fields)
            #expect(try await store.outboxCount() == entries.count)
            #expect(entries.allSatisfy { $0.model == "Post" && $0.key == "p" && $0.stage == .pending })
        }
    }

    struct Edit: Sendable {
        let fields: [String]
        let apply: @Sendable (inout Post) throws -> Void

        init(_ fields: [String], _ apply: @escaping @Sendable (inout Post) throws -> Void) {
            self.fields = fields
            self.apply = apply
        }
    }

    static let edits = [
        Edit([]) { _ in },
        Edit([]) { $0.title = "\u{e9}" },
        Edit(["title"]) { $0.title = "e\u{301}" },
        Edit(["rating"]) { $0.rating = 2 },
        Edit(["rating"]) { $0.rating = nil },
        Edit(["tags"]) { $0.tags = ["b", "a"] },
        Edit(["tags"]) { $0.tags = [] },
        Edit(["blogID"]) { $0.setBlog(nil) },
        Edit(["createdAt"]) { $0.createdAt = try Temporal.DateTime(iso8601String: "2026-01-01T01:00:00+01:00") },
        Edit(["title", "status", "tags"]) { post in
            post.tags = nil
            post.title = ""
            post.status = nil
        },
    ]

    @Test(arguments: EngineAdapter.all)
    func anUpdateNamesExactlyTheFieldsThatChanged(adapter: EngineAdapter) async throws {
        for edit in Self.edits { try await check(edit, on: adapter) }
    }

    func check(_ edit: Edit, on adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save(Blog(id: "b", name: ""))
        var post = Post(
            id: "p", title: "\u{e9}", rating: 1, status: .draft, tags: ["a", "b"],
            createdAt: try Temporal.DateTime(iso8601String: "2026-01-01T00:00:00Z"), blog: Blog(id: "b", name: ""))
        try await store.save(post)
        try await store.sendOutbox()
        try edit.apply(&post)
        try await store.save(post)
        let entries = try await store.outboxEntries()
        #expect(entries.map(\.changedFields) == (edit.fields.isEmpty ? [] : [edit.fields]))
        #expect(entries.allSatisfy { $0.operation == .update })
    }

    @Test(arguments: EngineAdapter.all)
    func entriesAreInTheOrderOfFirstChanges(adapter: EngineAdapter) async throws {
        let store = try await adapter.open(DataStoreOptions(surroundings: .system(now: { 1_000 })))
        try await store.save(["c", "a", "b"].map { Post(id: $0, title: "") })
        try await store.save(Blog(id: "z", name: ""))
        try await store.save(Post(id: "a", title: "changed"))
        try await store.save(Order(shop: "s#", number: -1))
        let entries = try await store.outboxEntries()
        #expect(entries.map(\.key) == ["c", "a", "b", "z", "s\\##-1"])
        #expect(entries.map(\.model) == ["Post", "Post", "Post", "Blog", "Order"])
        #expect(entries.map(\.position) == [1_000, 1_001, 1_002, 1_003, 1_005])
        #expect(try await store.outboxEntries(limit: 2) == Array(entries.prefix(2)))
        #expect(try await store.outboxEntries(limit: 0).isEmpty)
    }

    @Test(arguments: EngineAdapter.all)
    func positionsIncreaseAlthoughTheClockGoesBack(adapter: EngineAdapter) async throws {
        let time = Mutex<Int64>(5_000)
        let surroundings = Surroundings.system(now: {
            time.withLock { time in
                time -= 100
                return time
            }
        })
        let store = try await adapter.open(DataStoreOptions(surroundings: surroundings))
        for number in 0..<10 { try await store.save(Post(id: "\(9 - number)", title: "")) }
        let entries = try await store.outboxEntries()
        #expect(entries.map(\.key) == (0..<10).map { "\(9 - $0)" })
        #expect(entries.map(\.position) == (0..<10).map { 4_900 + $0 })
    }

    @Test(arguments: EngineAdapter.all)
    func withoutRecordingThereIsNoOutbox(adapter: EngineAdapter) async throws {
        let store = try await adapter.open(DataStoreOptions(recordsMutations: false))
        let changes = try store.observe(Post.self)
        try await store.save(Post(id: "p", title: "a"))
        try await store.save([Post(id: "p", title: "b"), Post(id: "q", title: "b")])
        try await store.delete(Post.self, withId: "p")
        #expect(try await store.outboxEntries().isEmpty)
        #expect(try await store.outboxCount() == 0)
        #expect(try await store.dump().rows["__outbox"] == nil)
        #expect(try await store.dump().rows["Post"]?.count == 1)
        let seen = try await store.close(andCollect: changes)
        #expect(seen.map(\.kind) == [.created, .updated, .created, .deleted])
    }
}
