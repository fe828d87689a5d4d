#if LevelDB
    import Foundation
    import HoldfastLevelDB
    import HoldfastStorage
    import Testing

    /// A directory of a test's own, deleted with this object.
    final class TemporaryDirectory: Sendable {
        let path: String

        init() {
            path = FileManager.default.temporaryDirectory.path + "/holdfast-test-" + UUID().uuidString
            try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        /// A path in the directory.
        func file(_ name: String = "store") -> String { path + "/" + name }
    }

    extension Store {
        /// Opens a store in a file.
        static func open(_ path: String, _ entities: EntitySchema...) async throws -> Store {
            try await Store.open(LevelDBAdapter(path: path), schema: try StorageSchema(entities: entities))
        }

        /// Opens a store in a file of its own that goes with it.
        static func temporary(_ entities: EntitySchema...) async throws -> Store {
            try await Store.open(LevelDBAdapter(.temporary), schema: try StorageSchema(entities: entities))
        }

        /// Puts rows.
        @discardableResult
        func put(
            _ entity: String, _ rows: [[Value]], mode: WriteOperation.PutMode = .upsert, durability: Durability = .none
        ) async throws(StorageError) -> CommitReceipt {
            try await commit(
                CommitRequest(
                    operations: [.put(entity: entity, rows: RowBuffer(rows), mode: mode)], durability: durability)
            )
        }

        /// One record, or `nil`.
        func record(_ entity: String, _ key: [Value]) async throws -> (row: [Value], version: UInt64)? {
            var rows = RowBuffer()
            try await get([RecordKey(key)], of: entity, into: &rows)
            return rows.versions[0] == 0 ? nil : (Array(rows[0]), rows.versions[0])
        }

        /// All rows of a query, pulled in small batches.
        func rows(_ plan: QueryPlan, batch: Int = 3) async throws -> [[Value]] {
            try await withSnapshot { try await $0.rows(plan, batch: batch) }
        }
    }

    extension StoreSnapshot {
        /// All rows of a query, pulled in small batches.
        func rows(_ plan: QueryPlan, batch: Int = 3) async throws -> [[Value]] {
            var scan = try await query(plan)
            var result: [[Value]] = []
            var rows = RowBuffer()
            repeat {
                try await scan.next(maximumRowCount: batch, into: &rows)
                for row in 0..<rows.rowCount { result.append(Array(rows[row])) }
            } while !rows.isEmpty
            return result
        }
    }

    extension RowBuffer {
        init(_ rows: [[Value]]) {
            self.init(columnCount: rows.first?.count ?? 0, rowCapacity: rows.count)
            for row in rows { append(row) }
        }
    }

    /// Expects a closure to fail.
    func expectFailure(
        _ kind: StorageError.Kind, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        let error = await storageError(body)
        #expect(error?.kind == kind, sourceLocation: sourceLocation)
    }

    /// The error that a closure throws, or `nil`.
    func storageError(_ body: () async throws -> Void) async -> StorageError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? StorageError
        }
    }

    let note = EntitySchema(
        "Note", fields: [FieldSchema("id", .id), FieldSchema("text", .string), FieldSchema("rank", .int)])

    func noteRow(_ id: String, _ text: String? = nil, _ rank: Int64? = nil) -> [Value] {
        [.text(id), text.map { .text($0) } ?? .null, rank.map { .integer($0) } ?? .null]
    }
#endif
