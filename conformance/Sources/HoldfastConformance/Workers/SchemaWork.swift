package import HoldfastStorage

/// A store that is opened with another schema.
package enum SchemaWork {
    package static let note = EntitySchema("Note", fields: [FieldSchema("id", .id), FieldSchema("number", .int)])

    /// What the store holds before, in key order; more than one batch of a migration.
    static let rows: [[Value]] = (1_000..<1_600).map { [.text("n\($0)"), .integer(Int64($0))] }

    enum Change: String {
        /// Another field, an index and another entity.
        case additive
        /// The number becomes text.
        case stepped

        /// The entities that the store should hold.
        var entities: [EntitySchema] {
            switch self {
            case .additive:
                [
                    EntitySchema(
                        "Note", fields: SchemaWork.note.fields + [FieldSchema("label", .string)],
                        indexes: [IndexSchema("byNumber", on: ["number"])]),
                    EntitySchema("Tag", fields: [FieldSchema("id", .id)]),
                ]
            case .stepped:
                [EntitySchema("Note", fields: [FieldSchema("id", .id), FieldSchema("number", .string)])]
            }
        }

        /// A record after the change.
        func changed(_ row: [Value]) -> [Value] {
            switch self {
            case .additive: return row + [.null]
            case .stepped:
                guard case .integer(let number) = row[1] else { return row }
                return [row[0], .text("no \(number)")]
            }
        }

        /// A record that is written after the change.
        var extra: [Value] { changed([.text("z"), .integer(9)]) }

        func migration(_ stored: StorageSchema) throws(StorageError) -> SchemaMigration? {
            guard self == .stepped else { return nil }
            let step = SchemaMigration.Step(from: try stored.entity(named: "Note"), to: entities[0]) { changed($0) }
            return SchemaMigration(steps: [step])
        }
    }

    /// Opens the store so, and writes one more record.
    ///
    /// - Parameters:
    ///   - location: Where the store is.
    ///   - parameters: The change.
    /// - Throws: ``HarnessFailure`` if there is no such change, or the error of opening, writing or closing the store.
    static func change(_ location: any StoreLocation, _ parameters: [String]) async throws {
        guard let change = parameters.first.flatMap(Change.init) else {
            throw HarnessFailure("There is no such change.")
        }
        let store = try await Store.open(
            try location.makeAdapter(), schema: StorageSchema(entities: change.entities), migration: change.migration)
        _ = try await store.commit(
            CommitRequest(
                operations: [.put(entity: "Note", rows: RowBuffer(row: change.extra), mode: .upsert)],
                durability: .powerLoss))
        WorkerJob.say("ack")
        try await store.close()
        WorkerJob.say("end")
    }
}
