import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// The model as it was released first.
private enum First {
    struct Item: Model {
        let id: String
        var name: String
        var stars: String?

        enum CodingKeys: String, ModelKey { case id, name, stars }
        static let keys = CodingKeys.self
        static let schema = defineSchema { model in
            model.fields(
                .id(), .field(keys.name, is: .required, ofType: .string),
                .field(keys.stars, is: .optional, ofType: .string))
        }
    }
}

/// The model with stars of another type, and a required field more.
private enum Second {
    struct Item: Model {
        let id: String
        var name: String
        var stars: Int
        var level: Int

        enum CodingKeys: String, ModelKey { case id, name, stars, level }
        static let keys = CodingKeys.self
        static let schema = defineSchema { model in
            model.fields(
                .id(), .field(keys.name, is: .required, ofType: .string), .field(keys.stars, ofType: .int),
                .field(keys.level, ofType: .int))
        }
    }

    static let policy = SchemaPolicy.migrate([
        .setDefault(model: "Item", field: "level", value: .integer(7)),
        .transform(model: "Item") { record in
            var record = record
            if case .text(let stars) = record.stored("stars") {
                record["stars"] = Int64(stars).map { .integer($0) } ?? .null
            }
            if record["stars"].isNull { record["stars"] = .integer(0) }
            return record
        },
    ])

    /// A record as the service has it now.
    static func remote(_ version: Int64, _ name: String, stars: Int64, level: Int64 = 7) -> RemoteRecord {
        RemoteRecord(
            key: RecordKey("a"), row: [.text("a"), .text(name), .integer(stars), .integer(level)], version: version,
            lastChangedAt: version)
    }
}

/// Changes of models while synchronization is in progress.
@Suite struct MigratedSyncTests {
    private let directory = TemporaryDirectory()

    /// What the device holds of the record when the application is updated.
    private func fill(
        _ adapter: EngineAdapter, _ body: (DataStore, SyncFence) async throws -> Void
    ) async throws {
        let store = try await adapter.make(at: directory.path + "/store").dataStore(models: [First.Item.self])
        try await body(store, try #require(try await store.claim("first", until: 10, now: 0)))
        try await store.close()
    }

    /// The device with the new models.
    private func open(_ adapter: EngineAdapter) async throws -> (store: DataStore, fence: SyncFence) {
        let store = try await adapter.make(at: directory.path + "/store").dataStore(
            models: [Second.Item.self], options: DataStoreOptions(schemaPolicy: Second.policy))
        return (store, try #require(try await store.claim("second", until: 30, now: 20)))
    }

    private func remote(_ version: Int64, _ name: String, stars: String?) -> RemoteRecord {
        RemoteRecord(
            key: RecordKey("a"), row: [.text("a"), .text(name), stars.map { .text($0) } ?? .null], version: version,
            lastChangedAt: version)
    }

    @Test(arguments: EngineAdapter.lasting)
    func aCreationInFlightIsSentAgainInItsNewForm(adapter: EngineAdapter) async throws {
        try await fill(adapter) { store, fence in
            try await store.save(First.Item(id: "a", name: "n", stars: "3"))
            #expect(try await store.take(8, fence).count == 1)
        }
        let (store, fence) = try await open(adapter)
        let again = try await store.unsettled()
        #expect(again.map(\.isUncertain) == [true])
        #expect(again.first?.values.map(\.value) == [.text("a"), .text("n"), .integer(3), .integer(7)])
        // Refused, it is kept with what was sent.
        _ = try await store.settle(
            again.map { .refused($0.id, errorType: "Unauthorized", message: nil, remote: nil) }, fence)
        #expect(try await store.deadLetters().map(\.payload) == [#"{"id":"a","name":"n","stars":3,"level":7}"#])
        try await store.close()
    }

    @Test(arguments: EngineAdapter.lasting)
    func anUpdateInFlightIsSentAgainInItsNewForm(adapter: EngineAdapter) async throws {
        try await fill(adapter) { store, fence in
            _ = try await store.apply(RemoteBatch(model: "Item", records: [remote(1, "n", stars: "3")]), fence)
            try await store.save(First.Item(id: "a", name: "n", stars: "4"))
            #expect(try await store.take(8, fence).count == 1)
        }
        let (store, _) = try await open(adapter)
        #expect(try await store.unsettled().first?.values.map(\.value) == [.integer(4)])
        try await store.close()
    }

    /// What the service said in the old form cannot be applied any longer.
    @Test(arguments: EngineAdapter.lasting)
    func recordsThatWaitForAnUnsentChangeAreRequestedAgain(adapter: EngineAdapter) async throws {
        try await fill(adapter) { store, fence in
            try await store.save(First.Item(id: "a", name: "own", stars: "1"))
            _ = try await store.apply(
                RemoteBatch(
                    model: "Item", records: [remote(1, "other", stars: "5")],
                    state: ModelState(model: "Item", lastSync: 5, fullSyncAt: 5, generation: 1, token: "next")), fence)
        }
        let (store, fence) = try await open(adapter)
        let state = try #require(try await store.modelState(of: "Item"))
        #expect(state.lastSync == 5 && state.fullSyncAt == nil && state.token == nil && state.generation == 1)
        try await store.delete(Second.Item.self, withId: "a")
        #expect(try await store.take(8, fence).isEmpty)
        let full = RemoteBatch(model: "Item", records: [Second.remote(1, "other", stars: 5)], generation: 2)
        _ = try await store.apply(full, fence)
        #expect(try await store.query(Second.Item.self).map(\.stars) == [5])
        try await store.close()
    }

    @Test(arguments: EngineAdapter.lasting)
    func aRefusedDeletionRestoresTheRecordInItsNewForm(adapter: EngineAdapter) async throws {
        try await fill(adapter) { store, fence in
            _ = try await store.apply(RemoteBatch(model: "Item", records: [remote(1, "n", stars: "3")]), fence)
            try await store.delete(First.Item.self, withId: "a")
        }
        let (store, fence) = try await open(adapter)
        let taken = try await store.take(8, fence)
        _ = try await store.settle(
            taken.map { .refused($0.id, errorType: "Unauthorized", message: nil, remote: nil) }, fence)
        let item = try #require(try await store.query(Second.Item.self).first)
        #expect(item.stars == 3 && item.level == 7)
        try await store.close()
    }

    /// Nothing in the outbox shows that the changes were lost.
    ///
    /// The process that migrates may end before it has counted the models that it emptied.
    @Test(arguments: EngineAdapter.lasting, [false, true])
    func receiptsOfWhatARebuildGaveUpSayCleared(adapter: EngineAdapter, isInterrupted: Bool) async throws {
        let make: () -> any StorageAdapter = { adapter.make(at: directory.path + "/store") }
        let rebuilding = DataStoreOptions(schemaPolicy: .rebuild)
        var store = try await make().dataStore(models: [First.Item.self, Sample.self])
        let lost = try await store.saveWithReceipt(First.Item(id: "a", name: "n"))
        let kept = try await store.saveWithReceipt(Sample(id: "a"))
        try await store.close()
        if isInterrupted {
            let ending = InterceptedAdapter(
                make(),
                beforeGet: { () async throws(StorageError) -> Void in throw StorageError(.io, "The process ends.") })
            await #expect {
                _ = try await ending.dataStore(models: [Second.Item.self, Sample.self], options: rebuilding)
            } throws: {
                ($0 as? StorageError)?.kind == .io
            }
        }
        store = try await make().dataStore(
            models: [Second.Item.self, Sample.self], options: isInterrupted ? DataStoreOptions() : rebuilding)
        let again = try await store.saveWithReceipt(Second.Item(id: "a", name: "n", stars: 1, level: 1))
        for _ in 0..<2 {
            for (receipt, expected) in [(lost, Receipt.State.cleared), (kept, .stored), (again, .stored)] {
                let found = try #require(store.receipt(receipt.id))
                #expect(try await found.state() == expected)
            }
            #expect(try await store.setting(SchemaVersion.settingKey) == store.schemaVersion.hash)
            try await store.close()
            store = try await make().dataStore(models: [Second.Item.self, Sample.self])
        }
        try await store.close()
        // The model is removed, and there again.
        try await make().dataStore(models: [Sample.self], options: rebuilding).close()
        store = try await make().dataStore(models: [Second.Item.self, Sample.self])
        for (receipt, expected) in [(lost, Receipt.State.cleared), (again, .cleared), (kept, .stored)] {
            let found = try #require(store.receipt(receipt.id))
            #expect(try await found.state() == expected)
        }
        try await store.close()
    }

    /// A letter keeps its values as they were, and is not lost with them.
    @Test(arguments: EngineAdapter.lasting)
    func aDeadLetterWhoseValueDoesNotFitIsNotRetried(adapter: EngineAdapter) async throws {
        try await fill(adapter) { store, fence in
            _ = try await store.apply(RemoteBatch(model: "Item", records: [remote(1, "n", stars: "3")]), fence)
            try await store.save(First.Item(id: "a", name: "n", stars: "many"))
            _ = try await store.settle(
                try await store.take(8, fence).map {
                    .refused($0.id, errorType: "Unauthorized", message: nil, remote: nil)
                }, fence)
        }
        let (store, _) = try await open(adapter)
        let letter = try #require(try await store.deadLetters().first)
        #expect(letter.payload == #"{"stars":"many"}"#)
        await #expect { try await store.retry(letter) } throws: { ($0 as? ModelError)?.kind == .conditionFailed }
        #expect(try await store.deadLetters() == [letter])
        #expect(try await store.query(Second.Item.self).map(\.stars) == [3])
        try await store.close()
    }

    /// The service does not say what it has, and it is not known what the change replaced.
    @Test(arguments: EngineAdapter.lasting, [false, true])
    func aRefusedUpdateIsUndoneWithTheResultOfAFullSync(adapter: EngineAdapter, isReadFirst: Bool) async throws {
        try await fill(adapter) { store, fence in
            _ = try await store.apply(RemoteBatch(model: "Item", records: [remote(1, "n", stars: "3")]), fence)
            try await store.save(First.Item(id: "a", name: "own", stars: "3"))
        }
        let (store, fence) = try await open(adapter)
        let full = RemoteBatch(model: "Item", records: [Second.remote(1, "n", stars: 3, level: 9)], generation: 1)
        if isReadFirst { _ = try await store.apply(full, fence) }
        let taken = try await store.take(8, fence)
        #expect(taken.first?.values.map(\.value) == [.text("own")])
        _ = try await store.settle(
            taken.map { .refused($0.id, errorType: "Unauthorized", message: nil, remote: nil) }, fence)
        if !isReadFirst { _ = try await store.apply(full, fence) }
        let item = try #require(try await store.query(Second.Item.self).first)
        #expect(item.name == "n" && item.level == 9)
        #expect(try await store.deadLetters().map(\.payload) == [#"{"name":"own"}"#])
        try await store.close()
    }
}
