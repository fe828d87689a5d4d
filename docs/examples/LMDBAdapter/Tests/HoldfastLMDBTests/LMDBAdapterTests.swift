import Foundation
import HoldfastAdapterKit
import HoldfastLMDB
import HoldfastStorage
import Testing

/// What only this adapter promises.
struct LMDBAdapterTests {
    private let path = FileManager.default.temporaryDirectory.appendingPathComponent("lmdb-\(UUID().uuidString)").path
    private let note = EntitySchema("Note", fields: [FieldSchema("id", .id), FieldSchema("text", .string)])

    private func open(
        _ entities: [EntitySchema], mapByteCount: Int = 1 << 30,
        migration: @escaping @Sendable (StorageSchema) throws(StorageError) -> SchemaMigration? = { _ in nil }
    ) async throws -> Store {
        try await Store.open(
            LMDBAdapter(path: path, mapByteCount: mapByteCount), schema: StorageSchema(entities: entities),
            migration: migration)
    }

    private func put(_ row: [Value]) -> CommitRequest {
        CommitRequest(operations: [.put(entity: "Note", rows: RowBuffer(row: row), mode: .upsert)])
    }

    @Test func aFullMapIsReportedAndLeavesTheStoreUnchanged() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try await open([note], mapByteCount: 1 << 20)
        _ = try await store.commit(put([.text("a"), .text("kept")]))
        let large = String(repeating: "x", count: 2 << 20)
        await #expect(throws: StorageError(.full, "", transaction: .rolledBack)) {
            _ = try await store.commit(put([.text("b"), .text(large)]))
        }
        var rows = RowBuffer()
        try await store.get([RecordKey("a"), RecordKey("b")], of: "Note", into: &rows)
        #expect(rows[0, 1] == .text("kept"))
        #expect(rows.versions == [1, 0])
        try await store.close()
    }

    @Test func aKeyThatLMDBCannotHoldIsRefused() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        // 200 empty components have no bytes, but 3 each once they are encoded.
        let names = (0..<200).map { "key\($0)" }
        let wide = EntitySchema("Note", fields: names.map { FieldSchema($0, .string) }, primaryKey: names)
        let store = try await open([wide])
        var refused = StorageError(.limitExceeded, "")
        refused.position = .operation(0)
        await #expect(throws: refused) { _ = try await store.commit(put(names.map { _ in .text("") })) }
        var rows = RowBuffer()
        try await store.get([RecordKey(names.map { _ in .text("") })], of: "Note", into: &rows)
        #expect(rows.versions == [0])
        try await store.close()
    }

    @Test func aMigrationRebuildsAnEntityAndShutsOutOlderHandles() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let older = try await open([note])
        _ = try await older.commit(put([.text("a"), .text("7")]))
        let counted = EntitySchema("Note", fields: [FieldSchema("id", .id), FieldSchema("text", .int)])
        let newer = try await open([counted]) { stored throws(StorageError) in
            let source = try stored.entity(named: "Note")
            return SchemaMigration(steps: [
                .init(from: source, to: counted) { row throws(StorageError) in
                    guard case .text(let text) = row[1], let number = Int64(text) else { return nil }
                    return [row[0], .integer(number)]
                }
            ])
        }
        var rows = RowBuffer()
        try await newer.get([RecordKey("a")], of: "Note", into: &rows)
        #expect(rows[0, 1] == .integer(7))
        #expect(rows.versions == [1])
        await #expect(throws: StorageError(.schemaMismatch, "")) { _ = try await older.snapshot() }
        await #expect(throws: StorageError(.schemaMismatch, "")) {
            _ = try await older.commit(put([.text("b"), .text("8")]))
        }
        try await older.close()
        try await newer.close()
    }

    @Test func closingDuringAMigrationClosesTheMigratedStore() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await open([note]).close()
        let adapter = LMDBAdapter(path: path)
        let tag = EntitySchema("Tag", fields: note.fields)
        let request = OpenRequest(schema: try StorageSchema(entities: [note, tag])) { _ in
            // It ends after the opening.
            Task { try? await adapter.close() }
            let isClosing = DispatchSemaphore(value: 0)
            Task {
                var isOpening = true
                while isOpening {
                    await Task.yield()
                    do throws(StorageError) {
                        _ = try await adapter.snapshot()
                    } catch {
                        isOpening = error.kind == .misuse
                    }
                }
                isClosing.signal()
            }
            isClosing.wait()
            return nil
        }
        await #expect(throws: StorageError(.closed, "")) { try await adapter.open(request) }
        await #expect(throws: StorageError(.closed, "")) { _ = try await adapter.snapshot() }
    }

    @Test func aMigrationThatGivesTwoRecordsOneKeyLeavesTheStoreAsItWas() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let before = try await open([note])
        _ = try await before.commit(put([.text("a"), .text("first")]))
        _ = try await before.commit(put([.text("b"), .text("second")]))
        try await before.close()
        let titled = EntitySchema("Note", fields: [FieldSchema("id", .id), FieldSchema("title", .string)])
        await #expect(throws: StorageError(.uniqueViolation, "")) {
            _ = try await open([titled]) { [note] _ in
                SchemaMigration(steps: [.init(from: note, to: titled) { [.text("same"), $0[1]] }])
            }
        }
        let after = try await open([note])
        var rows = RowBuffer()
        try await after.get([RecordKey("a"), RecordKey("b"), RecordKey("same")], of: "Note", into: &rows)
        #expect(rows.versions == [1, 2, 0])
        try await after.close()
    }

    @Test func anEnvironmentOfAnotherProgramIsUnchanged() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let content = Data(repeating: 7, count: 20_000)
        let file = URL(fileURLWithPath: path + "/data.mdb")
        try content.write(to: file)
        await #expect(throws: StorageError(.incompatibleStore, "")) { _ = try await open([note]) }
        #expect(try Data(contentsOf: file) == content)
    }
}
