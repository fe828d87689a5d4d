import HoldfastEngine
import HoldfastModel
import HoldfastSQLite
import HoldfastStorage
import Synchronization

/// Opening a store with changed models, beside the statements that a careful program would run itself.
enum Migrating {
    static let all = [additive, transform]

    /// A new optional field, made in place; raw: `ALTER TABLE` in a transaction.
    private static let additive = Benchmark(name: "migration, new field in place") { bench in
        try await measure(bench, "migration, new field in place", models: [GrownItem.self]) { database in
            try database.execute(
                """
                begin immediate;
                alter table "Item" add column "note" text;
                commit;
                """)
        }
    }

    /// A required field computed from each record, with progress reported.
    ///
    /// Raw: a column and one `UPDATE`, in a transaction.
    private static let transform = Benchmark(name: "migration, transform of all records") { bench in
        let step = ModelMigration.transform(model: "Item") { record in
            var record = record
            if case .integer(let rating) = record["rating"] { record["score"] = .integer(rating * 2 + 1) }
            return record
        }
        return try await measure(
            bench, "migration, transform of all records", models: [ScoredItem.self], steps: [step]
        ) { database in
            try database.execute(
                """
                begin immediate;
                alter table "Item" add column "score" integer not null default 0;
                update "Item" set "score" = "rating" * 2 + 1;
                commit;
                """)
        }
    }

    private static func measure(
        _ bench: Workbench, _ name: String, models: [any Model.Type], steps: [ModelMigration] = [],
        raw: (RawDatabase) throws -> Void
    ) async throws -> [Measurement] {
        let (rawLayer, storeLayer) = (
            Contender(adapter: "sqlite", layer: "raw") { _ in throw RawError(description: "has no store of its own") },
            Contender.dataStoreSQLite
        )
        let results = try await Race(contenders: [rawLayer, storeLayer], rounds: bench.rounds(5)).run { contender in
            let path = try bench.makeDirectory() + "/items.sqlite"
            let store = try await DataStore.open(
                SQLiteAdapter(path: path), models: [ItemModel.self], options: DataStoreOptions(recordsMutations: false))
            for batch in bench.batches(of: 10_000) { try await store.save(batch.map(ItemModel.init)) }
            try await store.close()
            if contender.layer == "raw" {
                let database = try RawDatabase(path: path)
                try database.execute(RawLayout.pragmas)
                return try await time {
                    try raw(database)
                    return 1
                }
            }
            let reportCount = Atomic(0)
            let options = DataStoreOptions(
                recordsMutations: false, schemaPolicy: steps.isEmpty ? .refuse : .migrate(steps),
                migrationProgress: { _ in reportCount.wrappingAdd(1, ordering: .relaxed) })
            var migrated: DataStore?
            let samples = try await time {
                migrated = try await DataStore.open(SQLiteAdapter(path: path), models: models, options: options)
                return 1
            }
            precondition(
                steps.isEmpty || reportCount.load(ordering: .relaxed) >= bench.items.count / 1_000,
                "progress is reported")
            try await migrated?.close()
            return samples
        }
        return Comparison(name: name, unit: "records/s")
            .measurements(operations: bench.items.count, results)
    }
}
