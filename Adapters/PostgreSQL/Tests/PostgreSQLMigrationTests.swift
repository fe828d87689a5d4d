#if PostgreSQL
import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastPostgreSQL
import HoldfastStorage
import Testing

extension PostgreSQLSuite {
    /// Handles on a store whose schema another handle changes.
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

        private static func entity(_ name: String, isIndexed: Bool) -> EntitySchema {
            EntitySchema(name, fields: note.fields, indexes: isIndexed ? [IndexSchema("byRank", on: ["rank"])] : [])
        }

        /// Removed indexes come before added ones, whatever the order in which commits lock the tables.
        @Test func anOpeningAndACommitDoNotWaitForEachOther() async throws {
            try await schema.open(
                Self.entity("A", isIndexed: false), Self.entity("B", isIndexed: true),
                Self.entity("C", isIndexed: true)
            ).close()
            func table(_ name: String) -> String { "\"\(schema.name)\".\"\(name)\"" }
            let observer = try Session()
            func reachWaiter(of names: String...) async throws {
                let tables = names.map { "'\(table($0))'::regclass" }.joined(separator: ", ")
                let waiters = "FROM pg_locks WHERE relation IN (\(tables)) AND NOT granted"
                while try await observer.integer("SELECT count(*) \(waiters);") == 0 {}
            }
            let session = try Session()
            _ = try await session.integer("BEGIN; LOCK TABLE \(table("C")) IN ROW EXCLUSIVE MODE; SELECT 1;")
            // Without time it waits for locks as long as it takes, and is not tried again.
            let adapter = PostgreSQLAdapter(schema.configuration(waitTimeout: .zero))
            let changed = try StorageSchema(entities: [
                Self.entity("A", isIndexed: true), Self.entity("B", isIndexed: false),
                Self.entity("C", isIndexed: false),
            ])
            let opening = Task { try await Store.open(adapter, schema: changed) }
            try await reachWaiter(of: "C")
            let statements = ["A", "B"].map { "LOCK TABLE \(table($0)) IN ROW EXCLUSIVE MODE; " }.joined()
            let commit = Task { try await Session().integer("BEGIN; \(statements)COMMIT; SELECT 1;") }
            try await reachWaiter(of: "A", "B")
            // A session looks for a deadlock once, a second after it began to wait: later only the opening would.
            _ = try await observer.integer("SELECT 1 FROM pg_sleep(1.5);")
            _ = try await session.integer("COMMIT; SELECT 1;")
            let store = try await opening.value
            _ = try await commit.value
            #expect(try await store.verify() == [])
            try await store.close()
        }

        /// What waits for a table makes everything wait that comes after it.
        @Test func anOpeningThatWaitsForABackupLetsOthersRead() async throws {
            let old = try await Store.open(
                PostgreSQLAdapter(schema.configuration(waitTimeout: .seconds(60))),
                schema: StorageSchema(entities: [note]))
            try await old.put("Note", [noteRow("k", "text", 1)])
            let session = try Session()
            _ = try await session.integer("BEGIN; SELECT count(*) FROM \"\(schema.name)\".\"Note\";")
            let adapter = PostgreSQLAdapter(schema.configuration())
            let larger = try StorageSchema(entities: [
                EntitySchema("Note", fields: note.fields + [FieldSchema("more", .string)], indexes: note.indexes)
            ])
            let opening = Task { try await Store.open(adapter, schema: larger) }
            let observer = try Session()
            let waiters = "FROM pg_locks WHERE relation = '\"\(schema.name)\".\"Note\"'::regclass AND NOT granted"
            while try await observer.integer("SELECT count(*) \(waiters);") == 0 {}
            for _ in 0..<20 { #expect(try await old.records([RecordKey("k")], of: "Note")[0].version != 0) }
            _ = try await session.integer("COMMIT; SELECT 1;")
            let new = try await opening.value
            #expect(try await new.cells(QueryPlan("Note")) == [noteRow("k", "text", 1) + [.null]])
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
