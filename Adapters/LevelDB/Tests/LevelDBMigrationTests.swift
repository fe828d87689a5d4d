#if LevelDB
import HoldfastAdapterTestSupport
import HoldfastLevelDB
import HoldfastStorage
import Testing

@Suite struct LevelDBMigrationTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.file() }

    private func note(
        _ fields: [FieldSchema], indexes: [IndexSchema] = []
    ) -> EntitySchema {
        EntitySchema("Note", fields: [FieldSchema("id", .id)] + fields, indexes: indexes)
    }

    private var old: EntitySchema { note([FieldSchema("text", .string), FieldSchema("rank", .int)]) }

    private func fill(_ count: Int = 3_000) async throws {
        let store = try await Store.open(path, old)
        try await store.put("Note", (0..<count).map { noteRow("k\($0)", "t\($0)", Int64($0 / 2)) })
        try await store.close()
    }

    @Test func newFieldsEntitiesAndIndexesComeInPlace() async throws {
        try await fill()
        // The fields in another order too.
        let new = note(
            [FieldSchema("more", .float), FieldSchema("rank", .int), FieldSchema("text", .string)],
            indexes: [IndexSchema("byRank", on: ["rank"]), IndexSchema("byText", on: ["text"], isUnique: true)])
        let other = EntitySchema("Other", fields: [FieldSchema("id", .id)])
        var store = try await Store.open(path, new, other)
        let plan = QueryPlan("Note", where: .compare("rank", .equal, .integer(7)))
        #expect(
            try await store.rows(plan) == [
                [.text("k14"), .null, .integer(7), .text("t14")], [.text("k15"), .null, .integer(7), .text("t15")],
            ])
        await expectFailure(.uniqueViolation) { [store] in
            try await store.put("Note", [[.text("n"), .null, .null, .text("t5")]])
        }
        try await store.put("Note", [[.text("k15"), .double(1), .integer(8), .text("t15")]])
        #expect(try await store.verify().isEmpty)
        try await store.close()
        let keyCount = RawDatabase(path).keys().count
        store = try await Store.open(path, note(new.fields.dropFirst().map { $0 }), other)
        #expect(try await store.record("Note", [.text("k15")])?.row[1] == .double(1))
        #expect(try await store.verify().isEmpty)
        try await store.close()
        #expect(RawDatabase(path).keys().count == keyCount - 6_000)
    }

    @Test func aUniqueIndexThatCannotBeMadeLeavesTheStoreAsItWas() async throws {
        try await fill()
        let before = RawDatabase(path).keys()
        let new = note(
            Array(old.fields.dropFirst()), indexes: [IndexSchema("byRank", on: ["rank"], isUnique: true)])
        await expectFailure(.schemaMismatch) { _ = try await Store.open(path, new) }
        #expect(RawDatabase(path).keys() == before)
        let store = try await Store.open(path, old)
        #expect(try await store.rows(QueryPlan("Note"), batch: 500).count == 3_000)
        try await store.close()
    }

    @Test func otherChangesNeedAMigration() async throws {
        try await fill(10)
        let new = note([FieldSchema("text", .int)])
        let error = await storageError { _ = try await Store.open(path, new) }
        #expect(error?.kind == .schemaMismatch)
        let store = try await Store.open(path, old)
        #expect(try await store.rows(QueryPlan("Note")).count == 10)
        try await store.close()
    }

    private var new: EntitySchema {
        note([FieldSchema("rank", .string)], indexes: [IndexSchema("byRank", on: ["rank"])])
    }

    private func migrated(failingAt limit: Int = .max) async throws -> Store {
        let old = old
        let new = new
        return try await Store.open(
            LevelDBAdapter(path: path), schema: StorageSchema(entities: [new])
        ) { _ throws(StorageError) in
            SchemaMigration(steps: [
                SchemaMigration.Step(from: old, to: new) { row throws(StorageError) in
                    guard case .integer(let rank) = row[2] else { return nil }
                    if rank >= limit { throw StorageError(.unrepresentable, "A rank is too large.") }
                    return rank == 0 ? nil : [row[0], .text("\(rank)")]
                }
            ])
        }
    }

    @Test func aMigrationRebuildsAndKeepsVersions() async throws {
        try await fill()
        let store = try await migrated()
        #expect(try await store.rows(QueryPlan("Note"), batch: 500).count == 2_998)
        let plan = QueryPlan("Note", where: .compare("rank", .equal, .text("7")))
        #expect(try await store.rows(plan) == [[.text("k14"), .text("7")], [.text("k15"), .text("7")]])
        #expect(try await store.record("Note", [.text("k14")])?.version == 1)
        #expect(try await store.verify().isEmpty)
        try await store.close()
        // Nothing of the old records and of what was built is left over.
        #expect(RawDatabase(path).keys().count == 2 * 2_998 + 2)
    }

    @Test func aMigrationThatFailsLeavesTheStoreAsItWas() async throws {
        try await fill()
        let before = RawDatabase(path).keys()
        await expectFailure(.unrepresentable) { _ = try await migrated(failingAt: 1_200) }
        #expect(RawDatabase(path).keys() == before)
        let store = try await migrated()
        #expect(try await store.rows(QueryPlan("Note"), batch: 500).count == 2_998)
        try await store.close()
    }
}
#endif
