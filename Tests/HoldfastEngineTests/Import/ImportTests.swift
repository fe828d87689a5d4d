import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

@Suite struct ImportTests {
    static let postFields = Post.schema.columns

    static func post(_ id: String, _ title: String = "t", blog: String? = nil) -> [Value] {
        [.text(id), .text(title), .integer(3), .null, .null, .null, blog.map { .text($0) } ?? .null]
    }

    static func store() -> FakeForeignStore {
        FakeForeignStore(content: ["Post": [], "Blog": []], fields: ["Post": postFields, "Blog": ["id", "name"]])
    }

    // MARK: - Unsent changes

    typealias Operation = ForeignMutation.Operation

    @Test(
        arguments: EngineAdapter.all,
        [
            ([.create], true, .create), ([.update], true, .update), ([.create, .update], true, .create),
            ([.update, .update], true, .update), ([.create, .update, .update], true, .create),
            // The record was saved again, of which the file says nothing.
            ([.delete], true, .update), ([.update, .delete], true, .update), ([.create, .delete], true, .create),
            ([.delete, .create], true, .update), ([.create, .delete, .create], true, .create),
            ([.delete], false, .delete), ([.update, .delete], false, .delete), ([.delete, .delete], false, .delete),
            // A creation that was not begun to be sent would not be in the file with its deletion.
            ([.create, .delete], false, .delete), ([.create, .update, .delete], false, .delete),
            ([.create, .delete, .delete], false, .delete),
        ] as [([Operation], Bool, OutboxEntry.Operation)])
    func unsentChangesOfARecordBecomeOneEntry(
        adapter: EngineAdapter, life: (operations: [Operation], exists: Bool, result: OutboxEntry.Operation)
    ) async throws {
        var source = Self.store()
        if life.exists { source.add("Post", Self.post("p"), version: 4) }
        for (index, operation) in life.operations.enumerated() {
            source.change("Post", "p", operation, at: Int64(index), base: operation == .create ? nil : 4)
        }
        let store = try await adapter.open()
        let report = try await store.importRecords(from: source)
        let entries = try await store.outboxEntries()
        #expect(entries.map(\.operation) == [life.result])
        #expect(report.outboxEntryCount == entries.count)
        #expect(report.rejections == [])
        for entry in entries {
            #expect(entry.model == "Post" && entry.key == "p" && entry.stage == .pending)
            #expect(entry.changedFields == (entry.operation == .update ? Self.postFields : []))
            let isBased = life.operations.contains { $0 != .create }
            // What cancelled itself out leaves no base behind.
            let isNewAgain = entry.operation == .create && life.operations.prefix(2) == [.create, .delete]
            #expect(entry.baseVersion == (isBased && !isNewAgain ? 4 : nil))
        }
        try await store.close()
    }

    @Test(arguments: EngineAdapter.all)
    func entriesAreInTheOrderOfTheChangesAndBeforeLaterOnes(adapter: EngineAdapter) async throws {
        var source = Self.store()
        for id in ["c", "a", "b"] { source.add("Post", Self.post(id)) }
        // All at one time, one of them in the future.
        for id in ["b", "gone", "a"] { source.change("Post", id, id == "gone" ? .delete : .create, at: 1_000) }
        source.change("Post", "c", .update, at: .max - 10, base: 2, hasCondition: true)
        let store = try await adapter.open(DataStoreOptions(surroundings: .system(now: { 5_000 })))
        let report = try await store.importRecords(from: source, batchSize: 1)
        try await store.save(Post(id: "later", title: "t"))
        let entries = try await store.outboxEntries()
        #expect(entries.map(\.key) == ["b", "gone", "a", "c", "later"])
        #expect(Set(entries.map(\.position)).count == 5)
        #expect(report.droppedConditionCount == 1)
        try await store.close()
    }

    @Test func whatCannotBeSentIsReported() async throws {
        var source = Self.store()
        source.add("Post", Self.post("bad"), fault: "'Post.rating' is strange.")
        source.change("Post", "bad", .update)
        source.change("Post", "lost", .create)
        source.change("Post", "lost too", .update)
        source.change("Post", "odd", nil)
        source.change("Post", "?", .delete)
        source.change("Other", "o", .delete)
        source.delete("Post", "?", version: 1)
        source.delete("Other", "o", version: 1)
        let store = try await EngineAdapter.memory.open()
        let report = try await store.importRecords(from: source)
        let found = report.rejections.map { "\($0.subject) \($0.entity): \($0.reason) \($0.positions)" }
        #expect(
            Set(found) == [
                "record Post: 'Post.rating' is strange. [1]", "mutation Post: Its record could not be imported. [1]",
                "mutation Post: Its record does not exist. [2, 3]",
                "mutation Post: The kind of change is missing. [4]",
                "mutation Post: Its record's key cannot be determined. [5]",
                "mutation Other: The store was opened without this model. [6]",
                "metadata Post: Its record's key cannot be determined. [1]",
                "metadata Other: The store was opened without this model. [2]",
            ])
        #expect(report.rejectedCount == 9)
        #expect(try await store.outboxCount() == 0)
        try await store.close()
    }

    @Test func reportsStaySmall() async throws {
        var source = Self.store()
        for index in 0..<300 { source.add("Post", Self.post(String(index)), fault: "Fault \(index).") }
        for index in 0..<300 { source.add("Post", Self.post(String(index)), fault: "Fault 0.") }
        let store = try await EngineAdapter.memory.open()
        let report = try await store.importRecords(from: source)
        #expect(report.rejectedCount == 600)
        #expect(report.rejections.count == 201)
        #expect(report.rejections.first?.count == 301 && report.rejections.first?.positions.count == 100)
        #expect(report.rejections.last?.reason == "Other reasons." && report.rejections.last?.count == 100)
        try await store.close()
    }

    // MARK: - Relations

    @Test(arguments: EngineAdapter.all, [1, 2, 100])
    func treesAreImportedInAnyOrder(adapter: EngineAdapter, batchSize: Int) async throws {
        func node(_ id: String, _ parent: String?) -> [Value] {
            [.text(id), .text("n"), parent.map { .text($0) } ?? .null]
        }
        var source = FakeForeignStore(fields: ["TreeNode": ["id", "name", "parentID"]])
        let nodes = [("leaf", "twig"), ("twig", "branch"), ("lost", "absent"), ("below", "lost"), ("loop", "loop")]
        for (id, parent) in nodes {
            source.add("TreeNode", node(id, parent))
        }
        source.add("TreeNode", node("branch", nil))
        source.change("TreeNode", "lost", .update)
        source.change("TreeNode", "leaf", .create)
        let store = try await adapter.make().dataStore(models: [TreeNode.self])
        let report = try await store.importRecords(from: source, batchSize: batchSize)
        #expect(try await store.query(TreeNode.self).map(\.id) == ["branch", "leaf", "loop", "twig"])
        #expect(report.model(named: "TreeNode")?.importedCount == 4)
        #expect(report.model(named: "TreeNode")?.presentCount == 0)
        let rejected = report.rejections.first { $0.subject == .record }
        #expect(rejected?.reason == "A record to which 'parent' leads does not exist.")
        #expect(rejected?.positions.sorted() == [3, 4])
        #expect(report.rejections.first { $0.subject == .mutation }?.positions == [1])
        #expect(try await store.outboxEntries().map(\.key) == ["leaf"])
        try await store.close()
    }

    @Test(arguments: EngineAdapter.all)
    func modelsThatLeadToEachOtherAreImported(adapter: EngineAdapter) async throws {
        var source = FakeForeignStore(fields: ["LeftHalf": ["id", "rightID"], "RightHalf": ["id", "leftID"]])
        source.add("LeftHalf", [.text("l1"), .text("r1")])
        source.add("LeftHalf", [.text("l2"), .null])
        source.add("RightHalf", [.text("r1"), .text("l2")])
        source.add("RightHalf", [.text("r2"), .text("l1")])
        source.add("RightHalf", [.text("r3"), .text("l9")])
        let store = try await adapter.make().dataStore(models: [LeftHalf.self, RightHalf.self])
        let report = try await store.importRecords(from: source, batchSize: 1)
        #expect(try await store.query(LeftHalf.self).map(\.id) == ["l1", "l2"])
        #expect(try await store.query(RightHalf.self).map(\.id) == ["r1", "r2"])
        #expect(report.rejections.map(\.positions) == [[3]])
        try await store.close()
    }

    @Test func parentsComeFirstAndAreDemanded() async throws {
        var source = Self.store()
        source.add("Post", Self.post("p", blog: "b"))
        source.add("Post", Self.post("q", blog: "bad"))
        source.add("Blog", [.text("b"), .text("n")])
        source.add("Blog", [.text("bad"), .null])
        let store = try await EngineAdapter.memory.open()
        let report = try await store.importRecords(from: source)
        #expect(report.models.map(\.name) == ["Blog", "Post"])
        #expect(try await store.query(Post.self).map(\.id) == ["p"])
        #expect(
            report.rejections.map(\.reason) == [
                "'Blog.name' is required and has no value.", "A record to which 'blog' leads does not exist.",
            ])
        try await store.close()
    }

    // MARK: - What the target has

    @Test(arguments: EngineAdapter.all)
    func theTargetKeepsWhatItHas(adapter: EngineAdapter) async throws {
        let store = try await adapter.open()
        try await store.save(Post(id: "own", title: "mine"))
        try await store.save(Post(id: "dead", title: "mine"))
        try await store.forgetOutbox()
        try await store.save(metadata: [RecordMetadata(model: "Post", key: "dead", version: 1, lastChangedAt: 0)])
        try await store.delete(Post.self, withId: "dead")
        try await store.save(metadata: [
            RecordMetadata(model: "Post", key: "known", version: 9, lastChangedAt: 1, isDeleted: true)
        ])
        let before = try await store.outboxEntries()
        var source = Self.store()
        for id in ["own", "dead", "known", "fresh"] {
            source.add("Post", Self.post(id, "theirs"), version: 2)
            source.change("Post", id, .update, base: 2)
        }
        source.change("Post", "own", .delete)
        source.delete("Post", "own", version: 5)
        source.synced = [ForeignState(entity: "Post", lastSync: 50)]
        let report = try await store.importRecords(from: source)
        #expect(try await store.query(Post.self).map { "\($0.id) \($0.title)" } == ["fresh theirs", "own mine"])
        #expect(try await store.outboxEntries().filter { $0.key != "fresh" } == before)
        #expect(report.model(named: "Post")?.presentCount == 3)
        #expect(report.model(named: "Post")?.importedCount == 1)
        let metadata = try await store.recordMetadata(["own", "dead", "known", "fresh"], of: "Post")
        #expect(metadata.map { $0?.version } == [nil, 1, 9, 2])
        #expect(try await store.modelState(of: "Post") == nil)
        try await store.close()
    }

    @Test(arguments: EngineAdapter.all)
    func aFinishedImportIsNotRepeated(adapter: EngineAdapter) async throws {
        var source = Self.store()
        source.add("Post", Self.post("p"))
        let store = try await adapter.open()
        #expect(try await store.importRecords(from: source).importedCount == 1)
        try await store.delete(Post.self, withId: "p")
        let again = try await store.importRecords(from: source)
        #expect(again.wasFinished && again.importedCount == 0)
        #expect(try await store.query(Post.self).isEmpty)
        try await store.sendOutbox()
        source.name = "another"
        #expect(try await store.importRecords(from: source).importedCount == 1)
        source.add("Post", Self.post("q"))
        let repeated = try await store.importRecords(from: source, repeatsFinished: true)
        #expect(repeated.importedCount == 1 && repeated.model(named: "Post")?.presentCount == 1)
        try await store.close()
    }

    @Test func statesComeOnlyForModelsOfWhichAllCame() async throws {
        var source = FakeForeignStore(fields: [
            "Post": Self.postFields, "Blog": ["id"], "Sample": Sample.schema.columns,
        ])
        source.add("Post", Self.post("p"))
        source.add("Post", Self.post("bad"), fault: "strange")
        source.content["Blog"] = []
        source.content["Sample"] = []
        source.synced = ["Post", "Blog", "Sample", "Order", "Other"].map {
            ForeignState(entity: $0, lastSync: 5, syncPredicate: "{}")
        }
        let store = try await EngineAdapter.memory.open()
        let report = try await store.importRecords(from: source)
        var states: [String: ModelState] = [:]
        for model in ["Post", "Blog", "Sample", "Order"] { states[model] = try await store.modelState(of: model) }
        #expect(states == ["Sample": ModelState(model: "Sample", lastSync: 5, syncPredicate: "{}")])
        #expect(report.model(named: "Blog")?.absentFields == ["name"])
        #expect(report.absentModels == ["Order", "OrderLine", "Reading"])
        #expect(report.unknownEntities == [])
        try await store.close()
    }

    @Test func withoutAnOutboxOnlyRecordsCome() async throws {
        var source = Self.store()
        source.add("Post", Self.post("p"), version: 3)
        source.change("Post", "p", .update)
        source.delete("Post", "q", version: 3)
        let store = try await EngineAdapter.memory.open(DataStoreOptions(recordsMutations: false))
        let report = try await store.importRecords(from: source)
        #expect(report.importedCount == 1 && report.outboxEntryCount == 0 && report.rejectedCount == 0)
        #expect(try await store.query(Post.self).count == 1)
        try await store.close()
    }

    @Test func unsentChangesOfALocalModelAreNotImported() async throws {
        var source = Self.store()
        source.add("Post", Self.post("p"))
        source.change("Post", "p", .update, hasCondition: true)
        source.change("Post", "gone", .delete, hasCondition: true)
        source.change("Blog", "b", .delete)
        var options = DataStoreOptions()
        options.localModels = ["Post"]
        let store = try await EngineAdapter.memory.open(options)
        let report = try await store.importRecords(from: source)
        #expect(report.importedCount == 1 && report.outboxEntryCount == 1 && report.droppedConditionCount == 0)
        #expect(try await store.outboxEntries().map(\.model) == ["Blog"])
        try await store.close()
    }

    @Test func importedRecordsAreObservedAndProgressIsReported() async throws {
        var source = Self.store()
        for id in ["a", "b", "c"] { source.add("Post", Self.post(id)) }
        let store = try await EngineAdapter.memory.open()
        let changes = try store.observe(Post.self)
        let seen = Mutex<[ImportProgress]>([])
        _ = try await store.importRecords(from: source, batchSize: 2) { step in seen.withLock { $0.append(step) } }
        let observed = try await store.close(andCollect: changes)
        #expect(observed.map { "\($0.kind) \($0.model.id)" } == ["created a", "created b", "created c"])
        #expect(
            seen.withLock { $0 } == [
                ImportProgress(model: "Blog", recordCount: 0, totalCount: 0),
                ImportProgress(model: "Post", recordCount: 2, totalCount: 3),
                ImportProgress(model: "Post", recordCount: 3, totalCount: 3),
            ])
    }

    // MARK: - Interruption

    @Test(arguments: EngineAdapter.all)
    func anInterruptedImportGoesOn(adapter: EngineAdapter) async throws {
        var source = Self.store()
        source.add("Blog", [.text("b"), .text("n")], version: 1)
        for id in ["1", "2", "3", "4", "5"] {
            source.add("Post", Self.post(id, blog: "b"), version: 2)
            source.change("Post", id, .update, at: 10, base: 2)
        }
        for id in ["6", "7", "8"] {
            source.change("Post", id, .delete, at: 20, base: 3)
            source.delete("Post", id, version: 3, isDeleted: false)
        }
        source.synced = [ForeignState(entity: "Post", lastSync: 5)]
        let whole = try await adapter.open()
        _ = try await whole.importRecords(from: source, batchSize: 2)
        let expected = try await whole.dump().rows.mapValues { $0.map(\.cells) }
        #expect(expected["Post"]?.count == 5 && expected["__outbox"]?.count == 8)
        #expect(expected["__record_metadata"]?.count == 9 && expected["__model_state"]?.count == 1)
        try await whole.close()

        var failures = 0
        for failing in 1... {
            let intercepted = InterceptedAdapter(adapter.make()) { attempt, _ throws(StorageError) in
                if attempt == failing { throw StorageError(.full, "Full.") }
            }
            let store = try await intercepted.dataStore()
            var hasFailed = false
            do {
                _ = try await store.importRecords(from: source, batchSize: 2)
            } catch let error as StorageError where error.kind == .full {
                hasFailed = true
            }
            if hasFailed { _ = try await store.importRecords(from: source, batchSize: 2) }
            #expect(try await store.dump().rows.mapValues { $0.map(\.cells) } == expected)
            try await store.close()
            if !hasFailed { break }
            failures += 1
        }
        // One commit of blogs, three of posts, two of deletions, two of tombstones, one of states.
        #expect(failures == 9)
    }

    @Test func aCancelledImportEnds() async throws {
        var source = Self.store()
        for id in 0..<10 { source.add("Post", Self.post(String(id))) }
        let store = try await EngineAdapter.memory.open()
        let made = source
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.importRecords(from: made)
        }
        await #expect(throws: StorageError(.cancelled, "")) { try await task.value }
        #expect(try await store.query(Post.self).isEmpty)
        #expect(try await store.importRecords(from: source).importedCount == 10)
        try await store.close()
    }
}
