import HoldfastStorage

extension Clause {
    /// Puts, deletes, clears, receipts.
    static let writes: [Clause] = kindsOfWrites + orderOfWrites + sizesOfWrites

    private static let kindsOfWrites: [Clause] = [
        Clause(
            "WRT-001", "An insert creates records; if one exists, the commit fails and nothing is changed.",
            catches: "A key-value put always overwrites.", witness: "inserts of records that existed",
            protectsData: true
        ) { context in
            let store = try await context.open(.items())
            try await store.put("Item", Items.numbered(0..<3), mode: .insert)
            for number in [0, 2] {
                for rows in [[number], [50, number], [number, 50], [50, 51, number, 52]] {
                    let error = try await context.expectError(
                        .preconditionFailed, from: "an insert of \(rows.count) records of which one exists"
                    ) {
                        try await store.put("Item", rows.map { Items.row($0, rank: -1) }, mode: .insert)
                    }
                    try context.expectEqual(error.position, .operation(0), "the position of the failed insert")
                    context.witness()
                }
            }
            try await context.expectError(.preconditionFailed, from: "an insert of one record twice") {
                try await store.put("Item", [Items.row(60), Items.row(60)], mode: .insert)
            }
            let again = try await store.expectHolds("Item", Items.numbered(0..<3))
            try await again.delete("Item", [Items.key(1)])
            try await again.put("Item", [Items.row(1, rank: 7)], mode: .insert)
            let rows = [Items.row(0, rank: 0), Items.row(1, rank: 7), Items.row(2, rank: 2)]
            try await again.expectHolds("Item", rows)
        },
        Clause(
            "WRT-002", "An update replaces records; if one is missing, the commit fails and nothing is created.",
            catches: "The update of a missing record creates it, or is silently nothing.",
            witness: "updates of records that were missing", protectsData: true
        ) { context in
            let store = try await context.open(.items())
            try await store.put("Item", Items.numbered(0..<3))
            try await store.delete("Item", [Items.key(1)])
            for rows in [[1], [9], [0, 9], [9, 0], [0, 2, 1]] {
                let error = try await context.expectError(
                    .preconditionFailed, from: "an update of \(rows.count) records of which one is missing"
                ) {
                    try await store.put("Item", rows.map { Items.row($0, rank: -1) }, mode: .update)
                }
                try context.expectEqual(error.position, .operation(0), "the position of the failed update")
                context.witness()
            }
            let again = try await store.expectHolds("Item", [Items.row(0, rank: 0), Items.row(2, rank: 2)])
            try await again.put("Item", [Items.row(2, rank: 5), Items.row(2, rank: 6)], mode: .update)
            try await again.expectHolds("Item", [Items.row(0, rank: 0), Items.row(2, rank: 6)])
        },
        Clause(
            "WRT-003", "A put replaces the whole record: a field that is null now is null, whatever it was before.",
            catches: "Nulls are taken for 'not given', and the old value stays.",
            witness: "records whose fields became null", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            var again = store
            for entity in ["Item", "Indexed"] {
                for mode in [WriteOperation.PutMode.upsert, .update] {
                    let full: [Value] = [
                        .text(Items.id(1)), .integer(5), .text("full"), .double(1.5), .boolean(true),
                    ]
                    try await again.put(entity, [full])
                    for position in 1..<5 {
                        var row = full
                        row[position] = .null
                        try await again.put(entity, [row], mode: mode)
                        try context.expectEqual(
                            try await again.row(entity, Items.key(1)), row,
                            "\(entity) after a put without field \(position)")
                        let field = again.store.schema.entities[0].fields[position].name
                        let found = try await again.rows(QueryPlan(entity, where: .compare(field, .equal, .null)))
                        try context.expectEqual(found, [row], "\(entity) where \(field) is null")
                        try await again.put(entity, [full], mode: mode)
                        context.witness()
                    }
                    try await again.put(entity, [Items.row(1)], mode: mode)
                    again = try await again.expectHolds(entity, [Items.row(1)])
                }
            }
        },
        Clause(
            "WRT-004", "An upsert creates or replaces and counts as a put, never as a delete.",
            catches:
                "`INSERT OR REPLACE` deletes the record first: it counts as deleted and others lose their reference.",
            witness: "upserts of records that existed"
        ) { context in
            let store = try await context.open(.items(), .pairs)
            try await store.put("Pair", [[.text("x"), .text(Items.id(1)), .integer(1)]])
            for round in 0..<3 {
                let receipt = try await store.put("Item", (0..<(round + 2)).map { Items.row($0, rank: round) })
                try context.expectEqual(receipt.putCount, round + 2, "records put")
                try context.expectEqual(receipt.deletedCount, 0, "records deleted by an upsert")
                context.witness()
            }
            let again = try await store.expectHolds("Item", (0..<4).map { Items.row($0, rank: 2) })
            try await again.expectHolds("Pair", [[.text("x"), .text(Items.id(1)), .integer(1)]])
        },
        Clause(
            "WRT-005",
            "A delete removes exactly the records named; one that does not exist is skipped and not counted.",
            catches: "Deleting what is missing fails, or the count is of the keys given.",
            witness: "deletes with missing and repeated keys", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            try await store.put("Item", Items.numbered(0..<10))
            try await store.put("Indexed", Items.numbered(0..<10))
            let cases: [([Int], Int)] = [
                ([50], 0), ([], 0), ([3], 1), ([3], 0), ([4, 50, 5], 2), ([6, 6, 6], 1), ([50, 51, 52], 0),
                ([9, 0], 2),
            ]
            for (numbers, count) in cases {
                let receipt = try await store.delete("Item", numbers.map(Items.key))
                try context.expectEqual(receipt.deletedCount, count, "records deleted of keys \(numbers)")
                try context.expectEqual(receipt.putCount, 0, "records put by a delete")
                context.witness()
            }
            let rows = [1, 2, 7, 8].map { Items.row($0, rank: $0) }
            let again = try await store.expectHolds("Item", rows)
            try await again.expectHolds("Indexed", Items.numbered(0..<10))
        },
        Clause(
            "WRT-006",
            "Clear deletes every record of one entity, and counts them; the entity takes records again at once.",
            catches: "Clear drops the table, other entities, or leaves index entries behind.",
            witness: "records cleared", protectsData: true
        ) { context in
            var store = try await context.open(.items(), .items("Indexed", indexed: true), .items("ItemX"))
            for entity in ["Item", "Indexed"] {
                try await store.put("ItemX", Items.numbered(0..<3))
                try await store.put(entity, Items.numbered(0..<300))
                let receipt = try await store.commit([.clear(entity: entity)])
                try context.expectEqual(receipt.deletedCount, 300, "records that clear deleted")
                context.witness(receipt.deletedCount)
                let found = try await store.rows(QueryPlan(entity, where: .compare("rank", .greater, .integer(100))))
                try context.expectEqual(found, [], "records found by index after clear")
                let empty = try await store.commit([.clear(entity: entity)])
                try context.expectEqual(empty.deletedCount, 0, "records that a second clear deleted")
                try await store.put(entity, Items.numbered(7..<9), mode: .insert)
                store = try await store.expectHolds(entity, Items.numbered(7..<9))
                store = try await store.expectHolds("ItemX", Items.numbered(0..<3))
            }
        },
        Clause(
            "WRT-007", "Records of different entities with equal keys have nothing to do with each other.",
            catches: "Key prefixes are not delimited: entity 'A' with key 'Bx' is entity 'AB' with key 'x'.",
            witness: "entities whose names begin alike, with equal keys", protectsData: true
        ) { context in
            let names = ["A", "AB", "a", "A_", "A.B", "Ä"]
            var store = try await context.open(
                StorageSchema(
                    entities: names.map {
                        EntitySchema($0, fields: [FieldSchema("id", .id), FieldSchema("text", .string)])
                    }))
            let ids = ["", "B", "B1", "x", "Bx", "\u{1}"]
            for name in names { try await store.put(name, ids.map { [.text($0), .text("\(name) \($0)")] }) }
            try await store.put("AB", [[.text("x"), .text("changed")]])
            try await store.delete("A", [RecordKey("Bx")])
            try await store.commit([.clear(entity: "A.B")])
            for name in names {
                var rows: [[Value]] = ids.map { [.text($0), .text("\(name) \($0)")] }
                if name == "A" { rows.removeAll { $0[0] == .text("Bx") } }
                if name == "A.B" { rows = [] }
                if name == "AB" { rows[3] = [.text("x"), .text("changed")] }
                rows.sort { ValueOrder.compare($0[0], $1[0]) == .ascending }
                store = try await store.expectHolds(name, rows)
                context.witness(rows.count)
            }
        },
        Clause(
            "WRT-008", "A record under another key is another record; the parts of a key count one by one.",
            catches: "A changed key moves the old record, or a delete takes along all that share the first part.",
            witness: "records that differ in one part of their key", protectsData: true
        ) { context in
            let store = try await context.open(.pairs)
            let rows: [[Value]] = ["a", "a#", "b"].flatMap { a in (0..<4).map { [.text("t"), .text(a), .integer($0)] } }
            try await store.put("Pair", rows)
            let receipt = try await store.delete(
                "Pair", [RecordKey([.text("a"), .integer(2)]), RecordKey([.text("b"), .integer(9)])])
            try context.expectEqual(receipt.deletedCount, 1, "records deleted by a key of two parts")
            try await store.put("Pair", [[.text("u"), .text("a"), .integer(3)]], mode: .update)
            try await store.put("Pair", [[.text("t"), .text("b"), .integer(4)]], mode: .insert)
            var expected = rows
            expected[3][0] = .text("u")
            expected.remove(at: 2)
            expected.append([.text("t"), .text("b"), .integer(4)])
            try await store.expectHolds("Pair", expected)
            context.witness(expected.count)
        },
    ]
}
