#if SQLite
package import HoldfastEngine
import HoldfastSQLite
package import HoldfastStorage

/// A migration that a process carries out while another watches, or ends it.
package enum MigrationScenario: String, Sendable, CaseIterable {
    /// New optional fields and an index, made in place.
    case additive
    /// A renamed model and fields, a default, and a transform that must not run twice.
    case stepped
    /// The model starts empty; another one keeps everything.
    case rebuild

    /// The records of the old store.
    package static let recordCount = 2_000

    /// The model that every scenario changes.
    package static let old = EntitySchema(
        "Person",
        fields: [
            FieldSchema("id", .id), FieldSchema("name", .string), FieldSchema("visits", .int, isRequired: true),
            FieldSchema("note", .string),
        ], indexes: [IndexSchema("by_visits", on: ["visits"])])
    /// A model that no scenario changes.
    package static let bystander = EntitySchema(
        "Place", fields: [FieldSchema("id", .id), FieldSchema("name", .string)])

    /// One of the old records.
    package static func row(_ number: Int) -> [Value] {
        [
            .text("p\(10_000 + number)"), .text("Name \(number)"), .integer(Int64(number)),
            .text(String(repeating: "note \(number) ", count: 40)),
        ]
    }

    /// The models after the migration.
    package var models: [EntitySchema] {
        let changed =
            switch self {
            case .additive:
                EntitySchema(
                    "Person", fields: Self.old.fields + [FieldSchema("city", .string), FieldSchema("born", .date)],
                    indexes: Self.old.indexes + [IndexSchema("by_name", on: ["name"])])
            case .stepped:
                EntitySchema(
                    "Human",
                    fields: [
                        FieldSchema("id", .id), FieldSchema("called", .string),
                        FieldSchema("visits", .int, isRequired: true), FieldSchema("note", .string),
                        FieldSchema("city", .string, isRequired: true),
                    ], indexes: [IndexSchema("by_called", on: ["called"])])
            case .rebuild:
                EntitySchema(
                    "Person", fields: [FieldSchema("id", .id), FieldSchema("name", .int, isRequired: true)])
            }
        return [changed, Self.bystander]
    }

    /// What ``row(_:)`` becomes; `nil` if nothing.
    package func migrated(_ number: Int) -> [Value]? {
        var row = Self.row(number)
        switch self {
        case .additive: return row + [.null, .null]
        case .stepped:
            row[2] = .integer(Int64(number) + 1)
            return row + [.text("Ulm")]
        case .rebuild: return nil
        }
    }

    /// How the store gets there.
    ///
    /// - Parameter onRecord: Called before each record is transformed, with its number counted from 0.
    /// - Returns: The policy for this case; only that of ``stepped`` transforms records.
    package func policy(_ onRecord: @escaping @Sendable (Int) -> Void = { _ in }) -> SchemaPolicy {
        switch self {
        case .additive: return .refuse
        case .rebuild: return .rebuild
        case .stepped:
            let count = Mutex(0)
            return .migrate([
                .renameModel(from: "Person", to: "Human"),
                .renameField(model: "Human", from: "name", to: "called"),
                .setDefault(model: "Human", field: "city", value: .text("Ulm")),
                .transform(model: "Human") { record in
                    onRecord(count.increment() - 1)
                    var record = record
                    if case .integer(let visits) = record["visits"] { record["visits"] = .integer(visits + 1) }
                    return record
                },
            ])
        }
    }

    /// Opens the store, which migrates it.
    package func open(
        _ path: String, busyTimeout: Duration, onRecord: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> Store {
        try await Store.open(
            SQLiteAdapter(SQLiteConfiguration(.file(path), busyTimeout: busyTimeout)), models: models,
            options: DataStoreOptions(schemaPolicy: policy(onRecord)))
    }
}
#endif
