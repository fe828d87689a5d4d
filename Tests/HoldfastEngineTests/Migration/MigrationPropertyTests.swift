#if SQLite
import Foundation
import HoldfastStorage
import HoldfastConformance
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// A random model, a random other form of it, the steps between them, and what they make of a row.
private struct RandomMigration {
    let old: EntitySchema
    let new: EntitySchema
    let steps: [ModelMigration]
    private let origins: [(field: FieldSchema, from: Int?, value: Value)]

    init(using random: inout SplitMix64) {
        let old = SchemaGenerator.entities(
            DifferentialConfiguration(hasUniqueIndexes: false, hasNastyNames: true), using: &random)[0]
        let name = random.chance(30) ? old.name + " new" : old.name
        var steps: [ModelMigration] = name == old.name ? [] : [.renameModel(from: old.name, to: name)]
        var origins: [(field: FieldSchema, from: Int?, value: Value)] = []
        for (position, field) in old.fields.enumerated() {
            let isKey = old.primaryKey.contains(field.name)
            switch random.below(isKey ? 2 : 5) {
            case 0:
                let renamed = FieldSchema(field.name + "_2", field.type, isRequired: field.isRequired)
                steps.append(.renameField(model: name, from: field.name, to: renamed.name))
                origins.append((renamed, position, .null))
            case 2: steps.append(.removeField(model: name, field: field.name))
            case 3:
                let value = ValuePool.value(of: field.type, isRequired: true, using: &random)
                steps.append(.setDefault(model: name, field: field.name, value: value))
                origins.append((FieldSchema(field.name, field.type, isRequired: true), position, value))
            case 4:
                origins.append((FieldSchema(field.name, field.type), position, .null))
            default: origins.append((field, position, .null))
            }
        }
        for number in 0..<random.below(3) {
            let type = random.pick([FieldType.string, .int, .float, .date, .boolean])
            let isRequired = random.chance(50)
            let value = isRequired ? ValuePool.value(of: type, isRequired: true, using: &random) : .null
            let field = FieldSchema("added\(number)", type, isRequired: isRequired)
            if isRequired { steps.append(.setDefault(model: name, field: field.name, value: value)) }
            origins.append((field, nil, value))
        }
        origins = random.sample(origins, origins.count)
        let key = old.primaryKey.map { name in
            origins.first { $0.from == old.position(of: name) }?.field.name ?? name
        }
        let indexable = origins.map(\.field).filter { !$0.type.storageType.isList }.map(\.name)
        new = EntitySchema(
            name, fields: origins.map(\.field), primaryKey: key,
            indexes: random.chance(50) ? [IndexSchema("by new", on: [random.pick(indexable)])] : [])
        self.old = old
        self.steps = steps
        self.origins = origins
    }

    func row(using random: inout SplitMix64) -> [Value] {
        old.fields.map { field in
            ValuePool.value(
                of: field.type, isRequired: field.isRequired || old.primaryKey.contains(field.name), using: &random)
        }
    }

    /// What becomes of a row, computed without the migration's code.
    func migrated(_ row: [Value]) -> [Value] {
        origins.map { origin in
            let stored = origin.from.map { row[$0] } ?? .null
            return stored.isNull ? origin.value : stored
        }
    }
}

struct MigrationPropertyTests {
    @Test(arguments: Array(DifferentialRun.seeds(0..<30, ProcessInfo.processInfo.environment)))
    func aMigrationEqualsARebuildFilledAgain(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let migration = RandomMigration(using: &random)
        var rows: [RecordKey: [Value]] = [:]
        for _ in 0..<random.number(in: 0...80) {
            let row = migration.row(using: &random)
            rows[migration.old.key(of: row)] = row
        }
        let stored = Array(rows.values)
        let (migrated, rebuilt) = (MigratedStore(), MigratedStore())
        for file in [migrated, rebuilt] {
            try await file.open([migration.old]) { store in
                try await store.put(migration.old, stored)
                try await store.put([
                    OutboxEntry(model: migration.old.name, key: "k", position: 1, operation: .create)
                ])
            }
        }
        let comment: Comment = "HOLDFAST_SEED=\(seed)"
        try await rebuilt.open([migration.new], .rebuild) { store in
            // Where only an addition or an index differs, a rebuild keeps the records.
            let kept = try await store.cells(migration.new.name)
            #expect(kept.isEmpty || kept.count == stored.count, comment)
            try await store.put(migration.new, stored.map(migration.migrated))
        }
        for _ in 0..<2 {
            let cells = try await migrated.dump([migration.new], .migrate(migration.steps))[migration.new.name]
            let expected = try await rebuilt.dump([migration.new])[migration.new.name]
            #expect(cells?.map(\.cells) == expected?.map(\.cells), comment)
            #expect(cells?.count == stored.count, comment)
        }
        try await migrated.open([migration.new]) { store in
            let entries = try await store.entries()
            #expect(entries.map(\.model) == [migration.new.name], comment)
        }
    }
}
#endif
