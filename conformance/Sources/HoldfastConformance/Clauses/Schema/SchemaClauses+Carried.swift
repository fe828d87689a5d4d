import HoldfastStorage

extension Clause {
    /// What a migration carries, and indexes that change under their name.
    static let schemaCarried: [Clause] = [
        Clause(
            "SCH-019",
            "A migration carries values of every type as they are, in records that a step reads and in those it leaves "
                + "alone: offsets, digits, nulls, nested lists, bytes, and JSON byte for byte.",
            requires: .persistence,
            catches: "Records pass through JSON or through SQL functions on their way to the new table.",
            witness: "cells compared after a migration", protectsData: true
        ) { context in
            let (left, right) = (Carried.entity("Left"), Carried.entity("Right"))
            let store = try await context.open(left, right)
            let rows = Carried.rows
            for entity in ["Left", "Right"] {
                try await store.put(entity, rows)
                try await store.put(entity, Array(rows.prefix(5)))
            }
            let before = try await store.store.rows(QueryPlan("Right"))
            try await store.store.close()
            // The fields in another order, one more in the middle, and another name.
            let fields = left.fields.reversed() + [FieldSchema("added", .int, isRequired: true)]
            let target = EntitySchema("Moved", fields: Array(fields))
            let moved: @Sendable ([Value]) -> [Value] = { $0.reversed() + [.integer(7)] }
            let schema = try StorageSchema(entities: [right, target])
            let again = try await context.open(schema, at: store.location) { _ in
                SchemaMigration(steps: [.init(from: left, to: target) { moved($0) }])
            }
            try context.expectEqual(
                try await again.store.rows(QueryPlan("Right")), before, "the records that no step reads")
            var last = try await again.expectHolds("Moved", rows.map(moved))
            // In place: the entity keeps its name.
            let wider = EntitySchema(
                "Right", fields: right.fields + [FieldSchema("added", .int, isRequired: true)])
            try await last.store.close()
            last = try await context.open(StorageSchema(entities: [wider, target]), at: store.location) { _ in
                SchemaMigration(steps: [.init(from: right, to: wider) { $0 + [.integer(8)] }])
            }
            last = try await last.expectHolds("Right", rows.map { $0 + [.integer(8)] })
            try await last.expectHolds("Moved", rows.map(moved))
            context.witness(2 * rows.count * left.fields.count)
        },
        Clause(
            "SCH-020",
            "An index that becomes unique under its old name binds old and new records; where old ones collide, opening is "
                + "refused; once it is no longer unique, duplicates are allowed.",
            requires: .all([.feature(.uniqueIndexes), .persistence]),
            catches: "Indexes are compared by name and fields, so the change goes unnoticed.",
            witness: "duplicates refused or allowed as the index says", protectsData: true
        ) { context in
            func entity(isUnique: Bool) -> EntitySchema {
                EntitySchema(
                    "Entry", fields: EntitySchema.entries.fields,
                    indexes: [IndexSchema("byNumber", on: ["number"], isUnique: isUnique)])
            }
            let (plain, unique) = (
                try StorageSchema(entities: [entity(isUnique: false)]),
                try StorageSchema(entities: [entity(isUnique: true)])
            )
            var rows: [[Value]] = (0..<60).map { [EntitySchema.entryRow($0)[0], .integer(Int64($0)), .null] }
            rows[59][1] = .integer(3)
            var store = try await context.open(plain)
            try await store.put("Entry", rows)
            for _ in 0..<2 {
                try await store.store.close()
                try await context.expectError(
                    .schemaMismatch, .uniqueViolation, from: "an index that becomes unique over colliding records"
                ) {
                    _ = try await context.open(unique, at: store.location)
                }
                store = try await context.open(plain, at: store.location)
                store = try await store.expectHolds("Entry", rows)
                rows[59][1] = .integer(59)
                try await store.put("Entry", [rows[59]])
                store = try await store.reopen(unique)
                let open = store
                for number in [0, 3, 59] as [Int64] {
                    try await context.expectError(.uniqueViolation, from: "a duplicate of an old record") {
                        try await open.put("Entry", [[.text("f"), .integer(number), .null]])
                    }
                    context.witness()
                }
                store = try await store.expectHolds("Entry", rows)
                store = try await store.reopen(plain)
                rows[59][1] = .integer(3)
                try await store.put("Entry", [rows[59]])
                for number in [3, 4] as [Int64] {
                    let found = try await store.rows(
                        QueryPlan("Entry", where: .compare("number", .equal, .integer(number))))
                    try context.expectEqual(
                        found, rows.filter { $0[1] == .integer(number) }, "the records by an index that is not unique")
                }
                context.witness()
            }
        },
    ]
}

/// Records with a field of every type: what must survive being carried from table to table.
enum Carried {
    /// `Name(id, one field of each type, one list of each type, nested)`, everything but the key optional.
    static func entity(_ name: String) -> EntitySchema {
        let types = MappedType.all.map(\.type)
        let nested = FieldType.list(of: .list(of: .int, elementsAreRequired: false), elementsAreRequired: false)
        return EntitySchema(
            name,
            fields: [FieldSchema("id", .id)] + types.enumerated().map { FieldSchema("field\($0)", $1) }
                + types.enumerated().map { FieldSchema("list\($0)", .list(of: $1, elementsAreRequired: false)) }
                + [FieldSchema("nested", nested)])
    }

    /// Rows with every value of every type, in key order.
    static let rows: [[Value]] = {
        let count = (MappedType.all.map(\.values.count).max() ?? 0) + 1
        let nested: [Value] = [
            .null, .list([]), .list([.list([]), .null, .list([.integer(1), .null, .integer(.max)])]),
        ]
        return (0..<count).map { number in
            let values = MappedType.all.map { type in
                number % (type.values.count + 1) == type.values.count
                    ? Value.null : type.values[number % (type.values.count + 1)]
            }
            let lists = values.map { value in number % 5 == 4 ? Value.null : .list([value, .null, value]) }
            return [.text("c\(1_000 + number)")] + values + lists + [nested[number % nested.count]]
        }
    }()
}
