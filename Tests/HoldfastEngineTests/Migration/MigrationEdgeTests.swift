#if SQLite
import Foundation
import HoldfastAdapterTestSupport
import HoldfastSQLite
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

@Suite struct MigrationEdgeTests {
    let old = EntitySchema("Item", fields: [FieldSchema("id", .id), FieldSchema("name", .string)])
    let new = EntitySchema("Item", fields: [FieldSchema("id", .id)])
    let rows: [[Value]] = [[.text("a"), .text("Ann Lee")]]

    @Test func aStoreOfANewerFormatIsUnchangedUnderEveryPolicy() async throws {
        let stored = MigratedStore()
        try await stored.open([old]) { try await $0.put(old, rows) }
        // The format's version, as SQLite keeps it in the header.
        var bytes = try #require(stored.bytes)
        bytes.replaceSubrange(60..<64, with: [0, 0, 0, 99])
        try bytes.write(to: URL(fileURLWithPath: stored.path))
        for policy in [
            SchemaPolicy.refuse, .rebuild, .migrate([.removeField(model: "Item", field: "name")]),
        ] {
            let error = await schemaError { try await stored.open([new], policy) { _ in } }
            #expect(error?.kind == .incompatibleStore)
            #expect(stored.bytes == bytes)
        }
    }

    @Test func aTransformRunsAlsoWhereTheDifferenceIsAdditive() async throws {
        let stored = MigratedStore()
        try await stored.open([old]) { try await $0.put(old, rows) }
        let more = EntitySchema("Item", fields: old.fields + [FieldSchema("first", .string)])
        let split = ModelMigration.transform(model: "Item") { record in
            var record = record
            if case .text(let name) = record.stored("name") {
                record["first"] = .text(String(name.prefix { $0 != " " }))
            }
            return record
        }
        for _ in 0..<2 {
            try await stored.open([more], .migrate([split])) { store in
                let cells = try await store.cells("Item")
                #expect(cells == [rows[0] + [.text("Ann")]])
            }
        }
    }

    /// The files as a process that is killed would leave them, in the middle and when all records are done.
    @Test(arguments: [1_500, 2_000])
    func aProcessThatIsKilledLeavesTheOldStore(_ record: Int) async throws {
        let stored = MigratedStore()
        let copy = MigratedStore()
        let text = String(repeating: "long ", count: 4_000)  // More than the page cache holds in total.
        try await stored.open([old]) { store in
            try await store.put(old, (0..<2_000).map { [.text("\(10_000 + $0)"), .text(text)] })
        }
        let before = try await stored.dump([old])
        let killed = ModelMigration.transform(model: "Item") { [directory = stored.directory.path] row in
            if row.stored("id") == .text("\(10_000 + record - 1)") {
                for file in try FileManager.default.contentsOfDirectory(atPath: directory)
                where !file.hasSuffix("-shm") {
                    try FileManager.default.copyItem(
                        atPath: directory + "/" + file, toPath: copy.directory.file(file))
                }
            }
            return row
        }
        let required = EntitySchema(
            "Item", fields: [old.fields[0], FieldSchema("name", .string, isRequired: true)])
        try await stored.open([required], .migrate([killed])) { _ in }
        let log = try FileManager.default.attributesOfItem(atPath: copy.path + "-wal")[.size] as? Int
        #expect(log ?? 0 > 1 << 20)
        #expect(try await copy.dump([old]) == before)
    }

    @Test func theOutboxIsNotGivenUpSilently() async throws {
        let stored = MigratedStore()
        try await stored.open([old]) { store in
            try await store.put([OutboxEntry(model: "Item", key: "a", position: 1, operation: .create)])
        }
        for policy in [SchemaPolicy.refuse, .rebuild, .migrate([]), .migrate([], rebuildsRest: true)] {
            let error = await schemaError {
                try await stored.open([old], policy, recordsMutations: false) { _ in }
            }
            #expect(error?.message.contains("entity '__outbox' was removed") == true)
        }
        try await stored.open([old]) { store in
            let entries = try await store.entries()
            #expect(entries.count == 1)
        }
    }

    @Test func aDeletionWhoseNewKeyIsUnknownEndsTheMigration() async throws {
        let stored = MigratedStore()
        try await stored.open([old]) { store in
            try await store.put(old, rows)
            try await store.put([OutboxEntry(model: "Item", key: "z", position: 1, operation: .delete)])
        }
        let before = try await stored.dump([old])
        let other = EntitySchema(
            "Item", fields: [FieldSchema("id", .id), FieldSchema("name", .string, isRequired: true)],
            primaryKey: ["id", "name"])
        let policy = SchemaPolicy.migrate([.transform(model: "Item") { $0 }])
        let error = await schemaError { try await stored.open([other], policy) { _ in } }
        #expect(error?.kind == .schemaMismatch)
        #expect(try await stored.dump([old]) == before)
    }

    /// No read and no deletion takes such a key, so that nothing could be done with the record.
    @Test(arguments: [1_024, 1_025])
    func aKeyBeyondTheLimitEndsTheMigration(byteCount: Int) async throws {
        let stored = MigratedStore()
        try await stored.open([old]) { try await $0.put(old, rows) }
        let before = try await stored.dump([old])
        let key = Value.text(String(repeating: "k", count: byteCount))
        let longer = ModelMigration.transform(model: "Item") { record in
            var record = record
            record["id"] = key
            return record
        }
        let required = EntitySchema("Item", fields: [old.fields[0], FieldSchema("name", .string, isRequired: true)])
        let error = await schemaError {
            try await stored.open([required], .migrate([longer])) { store in
                let found = try await store.get([GetRequest("Item", keys: [RecordKey([key])])])[0]
                #expect(Array(found[0]) == [key, rows[0][1]])
            }
        }
        if byteCount <= 1_024 {
            #expect(error == nil)
        } else {
            #expect(error?.kind == .limitExceeded)
            #expect(try await stored.dump([old]) == before)
        }
    }

    /// An adapter begins again if its server went away in the middle.
    @Test func aMigrationThatBeginsAgainCountsUnsentChangesOnce() throws {
        let system = SystemEntities.entities(recordsMutations: true)
        let stored = try StorageSchema(entities: [old] + system)
        let plan = MigrationPlan(policy: .rebuild, schema: try StorageSchema(entities: [new] + system))
        var rows = RowBuffer(columnCount: OutboxEntry.entity.fields.count)
        OutboxEntry(model: "Item", key: "a", position: 1, operation: .create).append(to: &rows)
        for _ in 0..<2 {
            let migration = try #require(try plan.migration(from: stored))
            let step = try #require(migration.steps.first { $0.target.name == OutboxEntry.entity.name })
            #expect(try step.migrate(Array(rows[0])) == nil)
        }
        #expect(plan.lost.counts == ["Item": 1])
    }

    /// Everything else is given up as well.
    @Test func aStoreThatIsEmptiedOpensWithoutItsOutbox() async throws {
        let stored = MigratedStore()
        let make: @Sendable () -> any StorageAdapter = { SQLiteAdapter(path: stored.path) }
        let store = try await DataStore.open(make(), models: [Sample.self])
        let receipt = try await store.saveWithReceipt(Sample(id: "a"))
        try await store.close()
        let options = DataStoreOptions(recordsMutations: false, schemaPolicy: .rebuild)
        let error = await schemaError {
            _ = try await DataStore.open(make(), models: [Sample.self], options: options)
        }
        #expect(error?.kind == .schemaMismatch)
        try await DataStore.clearUnopenable(models: [Sample.self], options: options, make)
        let emptied = try await DataStore.open(make(), models: [Sample.self], options: options)
        #expect(try await emptied.count(Sample.self) == 0)
        try await emptied.close()
        let recording = try await DataStore.open(make(), models: [Sample.self])
        #expect(try await recording.receipt(receipt.id)?.state() == .cleared)
        try await recording.close()
    }

    /// As after a version of Holdfast whose outbox had another form.
    @Test(arguments: [SchemaPolicy.rebuild, .migrate([], rebuildsRest: true)])
    func theChangesOfAnOutboxThatStartsEmptyAreCounted(policy: SchemaPolicy) throws {
        let others = SystemEntities.entities(recordsMutations: true).dropFirst()
        let outbox = EntitySchema(
            "__outbox", fields: [FieldSchema("position", .int), FieldSchema("model", .string)],
            primaryKey: ["position"])
        let stored = try StorageSchema(entities: [old, outbox] + others)
        let plan = MigrationPlan(
            policy: policy, schema: try StorageSchema(entities: [old, OutboxEntry.entity] + others))
        let migration = try #require(try plan.migration(from: stored))
        let step = try #require(migration.steps.first { $0.target.name == OutboxEntry.entity.name })
        #expect(try step.migrate([.integer(1), .text("Item")]) == nil)
        #expect(plan.lost.counts == ["Item": 1])
    }

    @Test func oneListOfStepsServesStoresOfSeveralAges() async throws {
        let steps: [ModelMigration] = [
            .removeModel("Thing"), .renameModel(from: "Item", to: "Thing"),
            .renameField(model: "Thing", from: "name", to: "title"),
        ]
        let thing = EntitySchema("Thing", fields: [FieldSchema("id", .id), FieldSchema("title", .string)])
        let stored = MigratedStore()
        let unwanted = EntitySchema("Thing", fields: [FieldSchema("id", .id)])
        try await stored.open([old, unwanted]) { store in
            try await store.put(old, rows)
            try await store.put(unwanted, [[.text("x")]])
        }
        for schema in [thing, EntitySchema("Thing", fields: thing.fields + [FieldSchema("more", .int)])] {
            try await stored.open([schema], .migrate(steps)) { store in
                let cells = try await store.cells("Thing").map { Array($0.prefix(2)) }
                #expect(cells == rows)
            }
        }
    }
}
#endif
