#if SQLite
import Foundation
import HoldfastAdapterTestSupport
import HoldfastSQLite
import HoldfastStorage
import HoldfastConformance
import HoldfastTestSupport

@testable import HoldfastEngine

/// A store in a file of its own that is opened again and again; goes with this object.
final class MigratedStore: Sendable {
    let directory = TemporaryDirectory()

    var path: String { directory.file() }

    /// The file's content, to see that it is untouched.
    var bytes: Data? { FileManager.default.contents(atPath: path) }

    /// Opens the store with some models for the time of a closure.
    @discardableResult
    func open<Result>(
        _ models: [EntitySchema], _ policy: SchemaPolicy = .refuse, recordsMutations: Bool = true,
        progress: (@Sendable (SchemaMigration.Progress) -> Void)? = nil, maximumPageCount: Int? = nil,
        _ body: (Store) async throws -> Result
    ) async throws -> Result {
        var configuration = SQLiteConfiguration(.file(path), busyTimeout: .seconds(600))
        configuration.maximumPageCount = maximumPageCount
        let store = try await Store.open(
            SQLiteAdapter(configuration), models: models,
            options: DataStoreOptions(
                recordsMutations: recordsMutations, schemaPolicy: policy, migrationProgress: progress))
        do {
            let result = try await body(store)
            let defects = try await store.verify()
            try await store.close()
            if !defects.isEmpty { throw StorageError(.corruption, defects.joined(separator: " ")) }
            return result
        } catch {
            try? await store.close()
            throw error
        }
    }

    /// Everything in the store but the settings.
    func dump(
        _ models: [EntitySchema], _ policy: SchemaPolicy = .refuse, recordsMutations: Bool = true
    ) async throws -> [String: [StoredRow]] {
        try await open(models, policy, recordsMutations: recordsMutations) { store in
            try await store.withSnapshot { snapshot in
                var rows: [String: [StoredRow]] = [:]
                for entity in store.schema.entities where entity.name != Setting.entity.name {
                    rows[entity.name] = try await snapshot.rows(QueryPlan(entity.name))
                }
                return rows
            }
        }
    }
}

extension Store {
    func put(_ entity: EntitySchema, _ rows: [[Value]]) async throws {
        for start in stride(from: 0, to: rows.count, by: 1_000) {
            let part = Array(rows[start..<min(start + 1_000, rows.count)])
            _ = try await commit(
                CommitRequest(operations: WriteOperation.put(part, in: entity), durability: Durability.none))
        }
    }

    func put(_ entries: [OutboxEntry]) async throws {
        var rows = RowBuffer(columnCount: OutboxEntry.entity.fields.count)
        for entry in entries { entry.append(to: &rows) }
        _ = try await commit(
            CommitRequest(operations: [.put(entity: OutboxEntry.entity.name, rows: rows, mode: .upsert)]))
    }

    func entries() async throws -> [OutboxEntry] {
        try await withSnapshot { snapshot in
            try await snapshot.rows(QueryPlan(OutboxEntry.entity.name, sort: [SortKey("position")])).compactMap {
                OutboxEntry($0.cells[...])
            }
        }
    }

    func cells(_ entity: String) async throws -> [[Value]] {
        try await withSnapshot { snapshot in try await snapshot.rows(QueryPlan(entity)).map(\.cells) }
    }
}

/// Expects a closure to fail, and returns the error.
func schemaError(_ body: () async throws -> Void) async -> StorageError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? StorageError
    }
}
#endif
