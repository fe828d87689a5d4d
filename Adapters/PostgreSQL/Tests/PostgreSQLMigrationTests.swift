#if PostgreSQL
import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastPostgreSQL
import HoldfastStorage
import Testing

extension PostgreSQLSuite {
    /// Handles on a store that another handle migrates.
    @Suite(.serialized) struct MigrationTests {
        private static let changed = EntitySchema(
            "Note", fields: [FieldSchema("id", .id), FieldSchema("text", .string), FieldSchema("rank", .float)])

        private let schema = TestSchema()

        private func migrate() async throws -> Store {
            try await Store.open(
                PostgreSQLAdapter(schema.configuration()), schema: StorageSchema(entities: [Self.changed])
            ) { _ in
                SchemaMigration(
                    steps: [
                        SchemaMigration.Step(from: note, to: Self.changed) { [$0[0], $0[1], .double(4.5)] }
                    ])
            }
        }

        /// It waits for the table that it knows, and then another table has the name.
        @Test func aCommitThatWaitedForAMigrationFailsAndWritesNothing() async throws {
            let old = try await schema.open(note)
            let version = try await old.put("Note", [noteRow("k", "text", 1)]).sequence
            // The last that a migration writes is the line of the store.
            let session = try Session()
            _ = try await session.integer("BEGIN; SELECT format FROM \"\(schema.name)\".holdfast_store FOR UPDATE;")
            let migration = Task { try await migrate() }
            let locks = "FROM pg_locks WHERE relation = '\"\(schema.name)\".\"Note\"'::regclass"
            let observer = try Session()
            func reach(_ condition: String) async throws {
                while try await observer.integer("SELECT count(*) \(locks) AND \(condition);") == 0 {}
            }
            try await reach("granted AND mode = 'AccessExclusiveLock'")
            let commit = Task {
                await storageError {
                    try await old.put(
                        "Note", [noteRow("k", "other", 1)], mode: .update,
                        [.version(entity: "Note", key: RecordKey("k"), version)])
                }
            }
            try await reach("NOT granted")
            _ = try await session.integer("COMMIT; SELECT 1;")
            let new = try await migration.value
            let error = await commit.value
            #expect(error?.kind == .schemaMismatch)
            #expect(error?.transaction == .rolledBack)
            #expect(try await new.cells(QueryPlan("Note")) == [[.text("k"), .text("text"), .double(4.5)]])
            try await old.close()
            try await new.close()
        }

        /// It sees nothing of what the new table holds, and would find no records.
        @Test func aSnapshotFromBeforeAMigrationDoesNotReadTheNewTable() async throws {
            let old = try await schema.open(note)
            try await old.put("Note", [noteRow("k", "text", 1)])
            let snapshot = try await old.snapshot()
            let new = try await migrate()
            await expectFailure(.schemaMismatch) { _ = try await snapshot.rows(QueryPlan("Note")) as [StoredRow] }
            await snapshot.close()
            try await old.close()
            try await new.close()
        }
    }
}
#endif
