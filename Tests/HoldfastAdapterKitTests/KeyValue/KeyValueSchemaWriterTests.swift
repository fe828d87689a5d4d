import HoldfastStorage
import Testing

@testable import HoldfastAdapterKit

/// Migrations on an engine whose writes fail, or whose stores several handles share.
@Suite struct KeyValueSchemaWriterTests {
    private static let old = EntitySchema("Note", fields: [FieldSchema("id", .id), FieldSchema("rank", .int)])
    private static let new = EntitySchema("Note", fields: [FieldSchema("id", .id), FieldSchema("rank", .string)])
    private static let migration = SchemaMigration(steps: [
        SchemaMigration.Step(from: old, to: new) { row throws(StorageError) in
            guard case .integer(let rank) = row[1] else { return nil }
            return [row[0], .text("\(rank)")]
        }
    ])
    private let disk = OrderedEngine.Disk()

    private static func writesCatalog(_ batch: KeyValueBatch) -> Bool {
        var isFound = false
        batch.forEach { key, _ in
            if key.elementsEqual(KeyValueCatalog.key) { isFound = true }
        }
        return isFound
    }

    /// Begins the migration; the write of the new catalog has an unknown outcome, and all later ones of a catalog fail.
    private func migrate(isApplied: Bool) throws {
        let engine = try OrderedEngine(disk)
        defer { engine.close() }
        let unknown = StorageError(.io, "There was no answer.", transaction: .outcomeUnknown)
        // The first one says what is built.
        let catalogCount = Mutex(0)
        engine.failWrites { batch, _ in
            if !Self.writesCatalog(batch) { return nil }
            let number = catalogCount.increment()
            return number > 2 || number == 2 && !isApplied ? unknown : nil
        }
        engine.failAfterWrites { batch, _ in
            Self.writesCatalog(batch) && catalogCount.load() == 2 ? unknown : nil
        }
        let request = OpenRequest(schema: try StorageSchema(entities: [Self.new])) { _ in Self.migration }
        let options = KeyValueStore.Options(
            mark: "holdfast-ordered", changeLogCommitCount: 0, hasIndexes: true, isShared: false)
        let opening = KeyValueOpening(engine: engine, options: options, log: nil, request: request)
        #expect(throws: unknown) { try opening.run() }
    }

    @Test(arguments: [true, false])
    func aCatalogOfUnknownOutcomeLosesNoRecord(isApplied: Bool) async throws {
        let store = try await Store.open(OrderedAdapter(disk), schema: StorageSchema(entities: [Self.old]))
        let rows = RowBuffer(columnCount: 2, cells: (0..<20).flatMap { [Value.text("k\($0)"), .integer($0)] })
        _ = try await store.commit(CommitRequest(operations: [.put(entity: "Note", rows: rows, mode: .insert)]))
        try await store.close()
        try migrate(isApplied: isApplied)
        // As whichever of the two it is now.
        let entity = isApplied ? Self.new : Self.old
        let again = try await Store.open(OrderedAdapter(disk), schema: StorageSchema(entities: [entity]))
        #expect(try await again.withSnapshot { try await $0.count("Note") } == 20)
        #expect(try await again.verify().isEmpty)
        try await again.close()
    }

    /// The handles keep in the store when an entity was changed, by the space of its records.
    @Test func whatWasChangedBeforeAMigrationIsNotUnchanged() async throws {
        func put(_ rank: Int64) -> CommitRequest {
            let rows = RowBuffer(row: [.text("k"), .integer(rank)])
            return CommitRequest(operations: [.put(entity: "Note", rows: rows, mode: .upsert)])
        }
        func unchanged(since sequence: UInt64) -> CommitRequest {
            CommitRequest(preconditions: [.unchanged(KeyRange("Note"), since: sequence)])
        }
        let store = try await Store.open(
            OrderedAdapter(disk, hasTransactions: true), schema: StorageSchema(entities: [Self.old]))
        let first = try await store.commit(put(1)).sequence
        let last = try await store.commit(put(2)).sequence
        try await store.close()
        let again = try await Store.open(
            OrderedAdapter(disk, hasTransactions: true), schema: StorageSchema(entities: [Self.new])
        ) { _ in Self.migration }
        await #expect(throws: StorageError(.preconditionFailed, "", position: .precondition(0))) {
            _ = try await again.commit(unchanged(since: first))
        }
        #expect(try await again.commit(unchanged(since: last)).sequence == last)
        try await again.close()
    }
}
