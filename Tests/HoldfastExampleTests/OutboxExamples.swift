import ExampleModels
import HoldfastEngine
import HoldfastInMemory
import HoldfastModel
import HoldfastSQLite
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastSyncTestSupport
import Testing

/// The examples in the comments about what is unsent, given up, migrated, and copied.
@Suite struct OutboxExamples {
    @Test func unsentChanges() async throws {
        let store = try await openBlog()
        try await store.save(Post(id: "p1", title: "Hold fast"))
        let entries = try await store.outboxEntries()
        let first = entries.first.map { "\($0.operation) \($0.model)" }  // "create Post"
        #expect(first == "create Post")
        let unsent = try await store.outboxCount()  // 1: later edits of the post fold into its entry
        #expect(unsent == 1)
        let status = try await store.outboxStatus()
        let summary = "\(status.entryCount) to send, \(status.deadLetterCount) refused"
        #expect(summary == "1 to send, 0 refused")
    }

    @Test func receipts() async throws {
        let store = try await openBlog()
        let receipt = try await store.saveWithReceipt(Post(title: "Hold fast"))
        let state = try await receipt.state()  // .stored: it awaits the service
        let id = receipt.id  // keep it to find the receipt again
        #expect(state == .stored)
        let found = store.receipt(id)  // also after the app was started again
        #expect(try await found?.state() == .stored)
    }

    @Test func aReceiptThatSettles() async throws {
        let (store, synchronizer) = try await openSynchronizedBlog()
        let receipt = try await store.saveWithReceipt(Post(title: "Hold fast"))
        switch try await receipt.settled() {
        case .confirmed: break  // the service has it
        case .rejected(let letter): showRefusal(letter.message ?? "The service refused the change.")
        case .cleared: break  // the store was emptied meanwhile
        case .stored, .sent: break  // not final; `settled()` never returns these
        }
        #expect(try await receipt.state() == .confirmed(version: 1))
        await synchronizer.close()
    }

    private func showRefusal(_ text: String) { Issue.record("\(text)") }

    @Test func deadLetters() async throws {
        let (store, synchronizer) = try await openSynchronizedBlog(
            rules: "{ allow: owner }, { allow: public, operations: [read] }")
        let refused = try await store.saveWithReceipt(Post(title: "Hold fast"))
        _ = try await refused.settled()
        await synchronizer.close()
        for letter in try await store.deadLetters() {
            let reason = "\(letter.operation) \(letter.model): \(letter.message ?? "")"
            show(reason)  // and let the person decide: send it again, or give it up
        }
        let letter = try #require(try await store.deadLetters().first)
        try await store.retry(letter)  // the change is in the outbox again, and the letter is gone
        #expect(try await store.deadLetters() == [])
        #expect(try await store.outboxCount() == 1)
        let existed = try await store.discard(letter)  // false: it was sent again above
        #expect(!existed)
    }

    private func show(_ text: String) { #expect(text.hasPrefix("create Post: ")) }

    @Test func explaining() async throws {
        let store = try await openBlog(("Hold fast", 5))
        let explanation = try await store.explain(Post.self, "p1")
        let text = explanation.description
        // The store has the 'Post'.
        // The service has said nothing of it.
        // A local create awaits the service.
        #expect(
            text == """
                The store has the 'Post'.
                The service has said nothing of it.
                A local create awaits the service.
                """)
    }

    // MARK: Migration

    @Test func migrating() async throws {
        try await withPath { path in
            let old = try await DataStore.open(SQLiteAdapter(path: path), models: [OldNote.self])
            try await old.save(OldNote(id: "n1", heading: "Hold fast", stars: "5"))
            try await old.close()
            let options = DataStoreOptions(
                schemaPolicy: .migrate([
                    .renameModel(from: "OldNote", to: "Note"),
                    .renameField(model: "Note", from: "heading", to: "title"),
                    .transform(model: "Note") { record in
                        var record = record
                        if case .text(let stars) = record.stored("stars"), let rating = Int64(stars) {
                            record["rating"] = .integer(rating)
                        }
                        return record
                    },
                    .removeField(model: "Note", field: "stars"),
                ]))
            let store = try await DataStore.open(SQLiteAdapter(path: path), models: [Note.self], options: options)
            let note = try await store.query(Note.self, byId: "n1")
            #expect(note?.title == "Hold fast" && note?.rating == 5)
            try await store.close()
        }
    }

    // MARK: Copying

    @Test func copying() async throws {
        try await withPath { path in
            let old = try await DataStore.open(SQLiteAdapter(path: path), models: [Post.self, Comment.self])
            try await old.save(Post(title: "Hold fast"))
            try await old.close()
            let newPath = path + ".copy"
            let source = try await Store.openAsStored { SQLiteAdapter(path: path) }
            let (target, report) = try await StoreCopy(from: source) { SQLiteAdapter(path: newPath) }.run()
            let count = report.recordCount  // on both sides, compared
            try await target.close()
            try await source.close()
            #expect(count >= 2)
        }
    }

    @Test func inspecting() async throws {
        try await withPath { path in
            let old = try await DataStore.open(SQLiteAdapter(path: path), models: [Post.self, Comment.self])
            try await old.save(Post(title: "Hold fast"))
            try await old.close()
            let store = try await Store.openAsStored { SQLiteAdapter(path: path) }
            let inspection = try await StoreInspection(of: store)
            let models = inspection.entities.filter { !$0.isSystem }.map { "\($0.name): \($0.recordCount)" }
            try await store.close()
            #expect(models == ["Comment: 0", "Post: 1"])
        }
    }
}

/// What `Note` of the test support was in an earlier version.
struct OldNote: Model {
    let id: String
    var heading: String
    var stars: String?

    enum CodingKeys: String, ModelKey { case id, heading, stars }
    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(.field(keys.id), .field(keys.heading), .field(keys.stars, is: .optional))
    }
}

/// A blog that is synchronized with a service in this process.
func openSynchronizedBlog(
    rules: String = "{ allow: owner }, { allow: public }"
) async throws -> (store: DataStore, synchronizer: Synchronizer) {
    let store = try await openBlog()
    let service = SyncService(transport: try await openBlogService(rules: rules), authorization: Device.key)
    let synchronizer = try Synchronizer(store, with: service)
    try await synchronizer.start()
    return (store, synchronizer)
}

/// A service for the models of the examples, in this process.
func openBlogService(
    _ strategy: ConflictStrategy = .automerge, rules: String = "{ allow: owner }, { allow: public }"
) async throws -> LocalService {
    let schema = """
        type Post @model @auth(rules: [\(rules)]) {
          title: String!
          rating: Int @index(name: "byRating")
          comments: [Comment] @hasMany
        }
        type Comment @model @auth(rules: [\(rules)]) {
          text: String!
          post: Post @belongsTo
        }
        """
    return try await LocalService.open(strategy, .system, schema: schema)
}
