#if SQLite
import HoldfastStorage
import HoldfastConformance
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

@Suite struct MigrationRunTests {
    struct Failure: Error {}

    let person = EntitySchema(
        "Person",
        fields: [
            FieldSchema("id", .id), FieldSchema("fullName", .string), FieldSchema("age", .string),
            FieldSchema("at", .dateTime),
        ], indexes: [IndexSchema("by_age", on: ["age"])])
    let human = EntitySchema(
        "Human",
        fields: [
            FieldSchema("years", .int), FieldSchema("city", .string, isRequired: true), FieldSchema("id", .id),
            FieldSchema("first", .string), FieldSchema("at", .dateTime),
        ], indexes: [IndexSchema("by_years", on: ["years"])])
    let steps: [ModelMigration] = [
        .renameModel(from: "Person", to: "Human"), .renameField(model: "Human", from: "age", to: "years"),
        .removeField(model: "Human", field: "fullName"),
        .setDefault(model: "Human", field: "city", value: .text("Ulm")),
        .transform(model: "Human") { record in
            if record.stored("fullName") == .text("gone") { return nil }
            var record = record
            record["first"] = record.stored("fullName")
            if case .text(let age) = record.stored("age") {
                record["years"] = Int64(age).map { .integer($0) } ?? .null
            }
            if record["id"] == .text("moved") { record["id"] = .text("new") }
            return record
        },
    ]

    func rows(_ count: Int) -> [[Value]] {
        (0..<count).map { [.text("p\($0)"), .text("Name \($0)"), .text("\($0 % 90)"), .null] }
    }

    private func letter(_ key: String, _ position: Int64) -> DeadLetter {
        DeadLetter(position: position, model: "Person", key: key, operation: .update, payload: "{}", failedAt: 0)
    }

    @Test func renamesDefaultsAndTransformsTogetherWithQueuedChanges() async throws {
        let stored = MigratedStore()
        let special: [[Value]] = [
            [.text("moved"), .text("M"), .text("7"), .null], [.text("lost"), .text("gone"), .null, .null],
        ]
        // It was sent, and the record was saved again.
        var older = OutboxEntry(
            model: "Person", key: "lost", position: 0, operation: .delete, baseVersion: 4, payload: "{}")
        older.isNewest = false
        let deletion = older
        try await stored.open([person]) { store in
            try await store.put(person, rows(1_500) + special)
            try await store.put([
                deletion,
                OutboxEntry(
                    model: "Person", key: "p1", position: 1, operation: .update, changedFields: ["fullName", "age"]),
                OutboxEntry(
                    model: "Person", key: "p2", position: 2, operation: .update, changedFields: ["fullName"],
                    baseVersion: 8),
                OutboxEntry(model: "Person", key: "moved", position: 3, operation: .create),
                OutboxEntry(model: "Person", key: "lost", position: 4, operation: .create),
                OutboxEntry(
                    model: "Person", key: "old", position: 5, operation: .delete, baseVersion: 9, payload: "{}"),
            ])
            for row in [
                RecordMetadata(model: "Person", key: "moved", version: 4, lastChangedAt: 5).row,
                RecordMetadata(model: "Person", key: "lost", version: 4, lastChangedAt: 5).row,
                // The service has deleted a record that had the key before.
                RecordMetadata(model: "Person", key: "new", version: 2, lastChangedAt: 3, isDeleted: true).row,
            ] { try await store.put(RecordMetadata.entity, [row]) }
            try await store.put(ModelState.entity, [ModelState(model: "Person", lastSync: 3, fullSyncAt: 4).row])
            try await store.put(DeadLetter.entity, [letter("new", 10).row, letter("moved", 11).row])
        }
        try await stored.open([human], .migrate(steps)) { store in
            // The letter of the deleted record would be retried on the other one.
            let letters = try await store.cells("__dead_letter")
            #expect(letters.compactMap { DeadLetter($0[...])?.position } == [11])
            let cells = try await store.cells("Human")
            #expect(cells.count == 1_501)
            #expect(cells.contains([.integer(1), .text("Ulm"), .text("p1"), .text("Name 1"), .null]))
            #expect(cells.contains([.integer(7), .text("Ulm"), .text("new"), .text("M"), .null]))
            let entries = try await store.entries()
            #expect(entries.map(\.model) == ["Human", "Human", "Human"])
            #expect(entries.map(\.key) == ["p1", "new", "old"])
            #expect(entries[0].changedFields == ["years"])
            #expect(entries[2].baseVersion == 9)
            let moved = RecordMetadata(model: "Human", key: "new", version: 4, lastChangedAt: 5)
            #expect(try await store.cells("__record_metadata") == [moved.row])
            // What a transform made of the records is not what the service has: they are asked for again.
            #expect(try await store.cells("__model_state") == [ModelState(model: "Human", lastSync: 3).row])
        }
    }

    @Test func aDeletionWhoseKeyAnotherRecordTakesIsSentFirst() async throws {
        let stored = MigratedStore()
        let deletion = OutboxEntry(
            model: "Person", key: "new", position: 1, operation: .delete, baseVersion: 9, payload: "{}")
        try await stored.open([person]) { store in
            try await store.put(person, [[.text("moved"), .text("M"), .text("7"), .null]])
            try await store.put([deletion])
        }
        await #expect { try await stored.open([human], .migrate(steps)) { _ in } } throws: {
            ($0 as? StorageError)?.kind == .schemaMismatch
        }
        try await stored.open([person]) { store in
            let (entries, cells) = (try await store.entries(), try await store.cells("Person"))
            #expect(entries == [deletion])
            #expect(cells.map { $0[0] } == [.text("moved")])
        }
    }

    @Test func aTransformThatFailsLeavesEverything() async throws {
        let stored = MigratedStore()
        try await stored.open([person]) { try await $0.put(person, rows(3_000)) }
        let before = try await stored.dump([person])
        let count = Mutex(0)
        let failing = ModelMigration.transform(model: "Human") { record in
            if count.withLock({
                $0 += 1; return $0
            }) == 2_500 {
                throw Failure()
            }
            return record
        }
        await #expect(throws: Failure.self) {
            try await stored.open([human], .migrate(steps + [failing])) { _ in }
        }
        #expect(count.withLock { $0 } == 2_500)
        #expect(try await stored.dump([person]) == before)
        try await stored.open([human], .migrate(steps)) { store in
            let count = try await store.cells("Human").count
            #expect(count == 3_000)
        }
    }

    @Test func equalKeysAndDuplicatesOfAUniqueIndexLeaveEverything() async throws {
        let stored = MigratedStore()
        try await stored.open([person]) { try await $0.put(person, rows(500)) }
        let before = try await stored.dump([person])
        let sameKey = ModelMigration.transform(model: "Human") { record in
            var record = record
            record["id"] = .text("one")
            return record
        }
        let keys = await schemaError { try await stored.open([human], .migrate(steps + [sameKey])) { _ in } }
        #expect(keys?.kind == .uniqueViolation)
        let unique = EntitySchema(
            "Human", fields: human.fields, indexes: [IndexSchema("by_years", on: ["years"], isUnique: true)])
        let index = await schemaError { try await stored.open([unique], .migrate(steps)) { _ in } }
        #expect(index?.kind == .schemaMismatch)
        #expect(try await stored.dump([person]) == before)
    }

    @Test func aFullDiskLeavesEverything() async throws {
        let stored = MigratedStore()
        try await stored.open([person]) { try await $0.put(person, rows(5_000)) }
        let before = try await stored.dump([person])
        let error = await schemaError {
            try await stored.open([human], .migrate(steps), maximumPageCount: 80) { _ in }
        }
        #expect(error?.kind == .full)
        #expect(try await stored.dump([person]) == before)
    }

    @Test func progressIsReportedEveryThousandRecords() async throws {
        let stored = MigratedStore()
        try await stored.open([person]) { try await $0.put(person, rows(20_500)) }
        let recordCounts = Mutex<[Int]>([])
        try await stored.open(
            [human], .migrate(steps),
            progress: { progress in
                if progress.entity == "Human" { recordCounts.withLock { $0.append(progress.recordCount) } }
            }
        ) { store in
            let count = try await store.cells("Human").count
            #expect(count == 20_500)
        }
        #expect(recordCounts.withLock { $0 } == (1...20).map { $0 * 1_000 } + [20_500])
    }

    @Test func twoMayOpenAtOnce() async throws {
        let stored = MigratedStore()
        try await stored.open([person]) { try await $0.put(person, rows(2_000)) }
        let counts = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<2 {
                group.addTask { [human, steps] in
                    for _ in 0..<3 {
                        do {
                            return try await stored.open([human], .migrate(steps)) {
                                try await $0.cells("Human").count
                            }
                        } catch let error as StorageError where error.kind == .busy {
                            continue
                        } catch {
                            return nil
                        }
                    }
                    return nil
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == [2_000, 2_000])
    }

    @Test(arguments: 0..<20)
    func migrationEqualsWritingTheMigratedRows(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var rows: [[Value]] = []
        for number in 0..<Int.random(in: 0..<600, using: &random) {
            rows.append([
                .text("k\(number)"), Bool.random(using: &random) ? .null : .text("n\(random.next())"),
                .text("\(Int.random(in: -5..<5, using: &random))"),
                Bool.random(using: &random)
                    ? .null : try FieldType.dateTime.canonical(.text("2024-02-29T12:00:00.120+0\(number % 9):30")),
            ])
        }
        let stored = MigratedStore()
        try await stored.open([person]) { [rows] in try await $0.put(person, rows) }
        let migrated = try await stored.dump([human], .migrate(steps))["Human"]?.map(\.cells)
        let rebuilt = MigratedStore()
        try await rebuilt.open([person]) { [rows] in try await $0.put(person, rows) }
        try await rebuilt.open([human], .rebuild) { [rows] store in
            #expect(try await store.cells("Human").isEmpty)
            try await store.put(
                human,
                rows.map { row in
                    guard case .text(let age) = row[2] else { return [] }
                    return [Int64(age).map { .integer($0) } ?? .null, .text("Ulm"), row[0], row[1], row[3]]
                })
        }
        #expect(try await rebuilt.dump([human])["Human"]?.map(\.cells) == migrated)
    }
}
#endif
