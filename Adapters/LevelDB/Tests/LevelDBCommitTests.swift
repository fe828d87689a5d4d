#if LevelDB
import HoldfastAdapterTestSupport
import HoldfastLevelDB
import HoldfastStorage
import Testing

@Suite struct LevelDBCommitTests {
    private let pair = EntitySchema(
        "Pair",
        fields: [
            FieldSchema("a", .string), FieldSchema("b", .int), FieldSchema("x", .string), FieldSchema("y", .int),
        ],
        primaryKey: ["a", "b"],
        indexes: [
            IndexSchema("byX", on: ["x"], isUnique: true), IndexSchema("byXY", on: ["x", "y"], isUnique: true),
        ])

    private func row(_ a: String, _ b: Int64, _ x: String?, _ y: Int64? = nil) -> [Value] {
        [.text(a), .integer(b), x.map { .text($0) } ?? .null, y.map { .integer($0) } ?? .null]
    }

    @Test func aClearedEntityTakesWhatItHadBefore() async throws {
        let store = try await Store.temporary(pair)
        try await store.put("Pair", [row("k", 1, "taken"), row("k", 2, "other")])
        let receipt = try await store.commit(
            CommitRequest(operations: [
                .put(
                    entity: "Pair", rows: RowBuffer([row("new", 1, "mine"), row("k", 1, "moved")]), mode: .upsert),
                .delete(entity: "Pair", keys: [RecordKey([.text("k"), .integer(2)])]),
                .clear(entity: "Pair"),
                .put(entity: "Pair", rows: RowBuffer([row("last", 1, "taken")]), mode: .insert),
            ]))
        #expect(receipt == CommitReceipt(sequence: 2, putCount: 3, deletedCount: 3))
        #expect(try await store.rows(QueryPlan("Pair")) == [row("last", 1, "taken")])
        #expect(try await store.rows(QueryPlan("Pair", where: .compare("x", .equal, .text("mine")))).isEmpty)
        #expect(try await store.verify().isEmpty)
    }

    @Test func aUniqueValueMovesFromOneRecordToAnotherInOneCommit() async throws {
        let store = try await Store.temporary(pair)
        try await store.put("Pair", [row("a", 1, "x"), row("b", 1, "y")])
        try await store.put("Pair", [row("a", 1, "z"), row("b", 1, "x"), row("a", 1, "y")])
        #expect(try await store.rows(QueryPlan("Pair")) == [row("a", 1, "y"), row("b", 1, "x")])
        #expect(try await store.verify().isEmpty)
        let error = await storageError { try await store.put("Pair", [row("c", 1, "w"), row("d", 1, "w")]) }
        #expect(error == StorageError.uniqueViolation(index: "byX", of: "Pair", operation: 0))
    }
}
#endif
