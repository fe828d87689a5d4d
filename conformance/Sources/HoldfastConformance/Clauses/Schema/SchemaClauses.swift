import HoldfastStorage

extension Clause {
    /// Schema change and migration.
    static let schema: [Clause] =
        additiveSchemaChanges + refusedSchemaChanges + migrations + schemaShapes + schemaCarried + schemaReturning
        + schemaOfChangedIndexes

    static func schema(
        _ id: String, _ rule: String, level: Level = .core, requires requirement: Requirement? = .persistence,
        catches: String, witness: String, protectsData: Bool = true, check: @escaping Check
    ) -> Clause {
        Clause(
            id, rule, level: level, requires: requirement, catches: catches,
            witness: witness, protectsData: protectsData, check: check)
    }

    private static let additiveSchemaChanges: [Clause] = [
        schema(
            "SCH-001",
            "New entities, new optional fields, new and removed indexes are made in place: every record keeps its "
                + "cells and its version, every index stays right.",
            catches: "The table is built again, and what the copy forgets is lost.",
            witness: "records compared after a change of the schema"
        ) { context in
            let store = try await context.open(.entries, .others)
            var rows = EntitySchema.entryRows(0..<300)
            try await store.put("Entry", rows)
            try await store.put("Other", [[.text("o"), .integer(1)]])
            for number in stride(from: 0, to: 300, by: 3) { rows[number][1] = .integer(50) }
            try await store.put("Entry", rows)
            try await store.delete("Entry", [RecordKey([rows.removeLast()[0]])])
            let before = try await store.store.rows(QueryPlan("Entry"))
            let wider = EntitySchema.entries.adding(
                FieldSchema("note", .string), indexes: [IndexSchema("byText", on: ["text", "number"])])
            let fresh = EntitySchema("Fresh", fields: [FieldSchema("id", .id), FieldSchema("number", .int)])
            let again = try await store.reopen(StorageSchema(entities: [fresh, .others, wider]))
            let expected = before.map { StoredRow($0.cells + [.null], version: $0.version) }
            try context.expectEqual(
                try await again.store.rows(QueryPlan("Entry")), expected, "the records and versions of Entry")
            let fifty = try await again.rows(QueryPlan("Entry", where: .compare("number", .equal, .integer(50))))
            try context.expectEqual(
                fifty, expected.map(\.cells).filter { $0[1] == .integer(50) }, "a query by the old index")
            try await again.put("Fresh", [[.text("f"), .integer(1)]])
            let last = try await again.expectHolds("Entry", expected.map(\.cells))
            let other = try await last.expectHolds("Other", [[.text("o"), .integer(1)]])
            let fresher = try await other.expectHolds("Fresh", [[.text("f"), .integer(1)]])
            let bare = EntitySchema("Entry", fields: wider.fields)
            let without = try await fresher.reopen(StorageSchema(entities: [.others, bare, fresh]))
            try context.expectEqual(
                try await without.store.rows(QueryPlan("Entry")), expected, "the records once the indexes are gone")
            context.witness(expected.count)
        },
        schema(
            "SCH-002",
            "A new optional field of any type reads as null in old records, on every path, and can be written like "
                + "any other.",
            catches: "Old rows are shorter than the new schema: garbage, empty text or zero is read beyond their end.",
            witness: "old records read with new fields"
        ) { context in
            let entity = EntitySchema("Note", fields: [FieldSchema("id", .id), FieldSchema("number", .int)])
            let store = try await context.open(entity)
            let old: [[Value]] = (0..<70).map { [.text("n\($0 + 10)"), .integer(Int64($0))] }
            try await store.put("Note", old)
            let types =
                ValuePool.elementTypes
                + ValuePool.elementTypes.prefix(4).map {
                    .list(of: $0, elementsAreRequired: false)
                }
            let added = types.enumerated().map { FieldSchema("new\($0)", $1) }
            let wider = EntitySchema("Note", fields: entity.fields + added)
            let again = try await store.reopen(StorageSchema(entities: [wider]))
            let nulls = [Value](repeating: .null, count: added.count)
            var expected = old.map { $0 + nulls }
            let same = try await again.expectHolds("Note", expected)
            for field in added {
                let isNull = Predicate.compare(field.name, .equal, .null)
                try context.expectEqual(
                    try await same.rows(QueryPlan("Note", where: isNull)).count, old.count,
                    "old records whose \(field.name) is null")
                try context.expectEqual(
                    try await same.rows(QueryPlan("Note", where: .not(isNull))), [],
                    "old records whose \(field.name) is not null")
                context.witness(old.count)
                guard !field.type.storageType.isList else { continue }
                let sorted = try await same.rows(QueryPlan("Note", sort: [SortKey(field.name, .descending)], limit: 3))
                try context.expectEqual(sorted, Array(expected.prefix(3)), "records in the order of \(field.name)")
                let aggregates = try await same.store.withSnapshot {
                    try await $0.aggregate(AggregatePlan("Note", [.minimum(field.name), .count]))
                }
                try context.expectEqual(aggregates, [.null, .integer(Int64(old.count))], "aggregates of \(field.name)")
            }
            let projected = try await same.rows(
                QueryPlan("Note", limit: 2, projection: ["new3", "id", "new0"]))
            try context.expectEqual(
                projected, old.prefix(2).map { [.null, $0[0], .null] }, "a projection of new fields")
            for (index, field) in added.enumerated() {
                if let value = ValuePool.values(of: field.type).last { expected[5][2 + index] = value }
            }
            try await same.put("Note", [expected[5]])
            try await same.expectHolds("Note", expected)
        },
        schema(
            "SCH-003", "A new index knows the records that were there before it.",
            catches: "An index is filled by writes only, and queries that use it miss all old records.",
            witness: "old records found by a new index"
        ) { context in
            let bare = EntitySchema("Entry", fields: EntitySchema.entries.fields)
            let store = try await context.open(bare)
            var rows = EntitySchema.entryRows(0..<260)
            for number in stride(from: 0, to: 260, by: 13) { rows[number][1] = .null }
            try await store.put("Entry", rows)
            let indexed = EntitySchema(
                "Entry", fields: bare.fields,
                indexes: [
                    IndexSchema("byNumber", on: ["number"]), IndexSchema("byTextNumber", on: ["text", "number"]),
                ])
            var again = try await store.reopen(StorageSchema(entities: [indexed]))
            let newRow: [Value] = [.text("zz"), .integer(4), .text("text 1")]
            try await again.put("Entry", [newRow])
            rows.append(newRow)
            rows[20][1] = .integer(4)
            try await again.put("Entry", [rows[20]])
            try await again.delete("Entry", [RecordKey([rows.remove(at: 4)[0]])])
            for round in 0..<2 {
                for number in 0..<10 {
                    let value = Value.integer(Int64(number))
                    let found = try await again.rows(QueryPlan("Entry", where: .compare("number", .equal, value)))
                    try context.expectEqual(
                        found, rows.filter { $0[1] == value }, "records by a new index, round \(round)")
                    context.witness(found.count)
                }
                let nulls = try await again.rows(QueryPlan("Entry", where: .compare("number", .equal, .null)))
                try context.expectEqual(nulls, rows.filter { $0[1].isNull }, "records by a null in a new index")
                for row in rows.prefix(40) {
                    let predicate = Predicate.compare("text", .equal, row[2])
                    let found = try await again.rows(QueryPlan("Entry", where: predicate))
                    try context.expectEqual(found, rows.filter { $0[2] == row[2] }, "records by a composite new index")
                }
                let sorted = try await again.rows(QueryPlan("Entry", sort: [SortKey("text"), SortKey("number")]))
                try context.expectEqual(sorted.count, rows.count, "records in the order of a new index")
                let range = Predicate.between("number", .integer(3), .integer(5))
                let count = try await again.store.withSnapshot { try await $0.count("Entry", where: range) }
                try context.expectEqual(
                    count, rows.count { [3, 4, 5].map(Value.integer).contains($0[1]) }, "a count by a new index")
                if round == 0 { again = try await again.reopen() }
            }
        },
        schema(
            "SCH-004", "A new unique index binds old records and new ones alike; nulls stay distinct.",
            requires: .all([.feature(.uniqueIndexes), .persistence]),
            catches: "Only what is written after the change is compared.",
            witness: "duplicates of old records refused"
        ) { context in
            let bare = EntitySchema("Entry", fields: EntitySchema.entries.fields)
            let store = try await context.open(bare)
            var rows = EntitySchema.entryRows(0..<120).enumerated().map { [$1[0], $1[1], .text("unique \($0)")] }
            for number in [3, 50, 119] { rows[number][2] = .null }
            try await store.put("Entry", rows)
            let unique = EntitySchema(
                "Entry", fields: bare.fields, indexes: [IndexSchema("byText", on: ["text"], isUnique: true)])
            var again = try await store.reopen(StorageSchema(entities: [unique]))
            for _ in 0..<2 {
                for number in [0, 31, 64, 118] {
                    try await context.expectError(.uniqueViolation, from: "a duplicate of an old record") {
                        try await again.put("Entry", [[.text("new"), .integer(0), rows[number][2]]])
                    }
                    context.witness()
                }
                try await again.put("Entry", [[.text("z1"), .integer(0), .null], [.text("z2"), .integer(0), .null]])
                try await again.put("Entry", [rows[31]])
                again = try await again.reopen()
            }
            rows += [[.text("z1"), .integer(0), .null], [.text("z2"), .integer(0), .null]]
            try await again.expectHolds("Entry", rows)
        },
        schema(
            "SCH-005",
            "A new unique index that old records break is refused, whatever else is new; the store continues with its "
                + "old schema and all records.",
            requires: .all([.feature(.uniqueIndexes), .persistence]),
            catches: "The index is left half made, or one of two records deleted.",
            witness: "an opening refused"
        ) { context in
            let store = try await context.open(.entries)
            let rows = EntitySchema.entryRows(0..<150)
            try await store.put("Entry", rows)
            let versions = try await store.store.rows(QueryPlan("Entry")).map(\.version)
            try await store.store.close()
            let fresh = EntitySchema("Aaa", fields: [FieldSchema("id", .id)])
            let unique = EntitySchema.entries.adding(
                FieldSchema("note", .string), indexes: [IndexSchema("once", on: ["number"], isUnique: true)])
            for _ in 0..<2 {
                let error = try await context.expectError(
                    .uniqueViolation, .schemaMismatch, from: "a unique index that records break"
                ) {
                    _ = try await context.open(fresh, unique, at: store.location)
                }
                try context.expect(
                    error.message.contains("once") && error.message.contains("Entry"),
                    "The error does not name the index: \(error.message)")
                context.witness()
            }
            let again = try await context.open(.entries, at: store.location)
            try context.expectEqual(
                try await again.store.rows(QueryPlan("Entry")).map(\.version), versions, "the versions after that")
            if again.store.capabilities.support(for: .verification) != .unsupported {
                try context.expectEqual(try await again.store.verify(), [], "the defects after that")
            }
            let last = try await again.expectHolds("Entry", rows)
            try await last.put("Entry", [EntitySchema.entryRow(200)])
        },
        schema(
            "SCH-006",
            "A store remembers every change: after any number of them, records of all generations are right.",
            catches: "Defaults for missing cells are right after one change and wrong after the second.",
            witness: "records of older generations"
        ) { context in
            var fields = [FieldSchema("id", .id), FieldSchema("number", .int)]
            var store = try await context.open(EntitySchema("Entry", fields: fields))
            var rows: [[Value]] = []
            for generation in 0..<14 {
                rows = rows.map { $0 + [Value](repeating: .null, count: fields.count - $0.count) }
                let cells: [Value] = (0..<fields.count).map {
                    $0 == 0 ? .text("g\(generation + 10)") : $0 == 1 ? .integer(Int64(generation)) : .text("v\($0)")
                }
                rows.append(cells)
                try await store.put("Entry", [cells])
                if generation % 4 == 3 {
                    rows[1] = rows[1].enumerated().map { $0 > 1 && $1.isNull ? .text("late \(generation)") : $1 }
                    try await store.put("Entry", [rows[1]])
                }
                try context.expectEqual(try await store.everything(in: "Entry"), rows, "generation \(generation)")
                fields.append(FieldSchema("added\(generation)", .string))
                let index = IndexSchema("by\(generation)", on: [fields[1 + generation / 2].name])
                let entity = EntitySchema("Entry", fields: fields, indexes: [index])
                store = try await store.reopen(StorageSchema(entities: [entity]))
                context.witness(rows.count)
            }
            try await store.expectHolds("Entry", rows.map { $0 + [.null] })
        },
        schema(
            "SCH-007",
            "Another order of fields or entities, and another type that is stored alike, make no difference: cells "
                + "are found by the names of their fields.",
            catches: "Cells are stored by position, and two texts change places.",
            witness: "records read in another order of fields"
        ) { context in
            let fields = [
                FieldSchema("id", .id), FieldSchema("a", .string), FieldSchema("b", .string), FieldSchema("c", .int),
                FieldSchema("d", .list(of: .int, elementsAreRequired: true)),
            ]
            let index = IndexSchema("byA", on: ["a"])
            let store = try await context.open(EntitySchema("Note", fields: fields, indexes: [index]), .others)
            let rows: [[Value]] = (0..<20).map {
                [
                    .text("n\($0 + 10)"), .text("a\($0)"), .text("b\($0)@x.org"), .integer(Int64($0)),
                    .list([.integer(1)]),
                ]
            }
            try await store.put("Note", rows)
            let order = [4, 2, 0, 3, 1]
            let turned = order.map { position in
                position == 2 ? FieldSchema("b", .email) : fields[position]
            }
            let again = try await store.reopen(
                StorageSchema(entities: [.others, EntitySchema("Note", fields: turned, indexes: [index])]))
            let expected = rows.map { row in order.map { row[$0] } }
            let same = try await again.expectHolds("Note", expected)
            let found = try await same.rows(QueryPlan("Note", where: .compare("a", .equal, .text("a7"))))
            try context.expectEqual(found, [expected[7]], "a record by an index after the fields changed places")
            let row: [Value] = [.list([]), .text("new@x.org"), .text("n30"), .null, .text("later")]
            try await same.put("Note", [row])
            let back = try await same.reopen(
                StorageSchema(entities: [EntitySchema("Note", fields: fields, indexes: [index]), .others]))
            try await back.expectHolds(
                "Note", rows + [[.text("n30"), .text("later"), .text("new@x.org"), .null, .list([])]])
            context.witness(rows.count)
        },
    ]
}

extension EntitySchema {
    /// The entity with one field more, and with these indexes beside its own.
    func adding(_ field: FieldSchema, indexes added: [IndexSchema] = []) -> EntitySchema {
        EntitySchema(name, fields: fields + [field], primaryKey: primaryKey, indexes: indexes + added)
    }
}
