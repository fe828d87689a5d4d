import HoldfastStorage

/// Tries the values of one type on every path.
struct MappingCheck {
    private let type: MappedType
    private let context: ClauseContext
    private let entities: [EntitySchema]

    init(_ type: MappedType, _ context: ClauseContext) {
        self.type = type
        self.context = context
        func fields(_ value: FieldSchema) -> [FieldSchema] { [FieldSchema("id", .int), value] }
        entities = [
            EntitySchema("Column", fields: fields(FieldSchema("value", type.type))),
            EntitySchema(
                "Indexed", fields: fields(FieldSchema("value", type.type)),
                indexes: [IndexSchema("byValue", on: ["value"])]),
            EntitySchema(
                "Key", fields: [FieldSchema("number", .int), FieldSchema("value", type.type)], primaryKey: ["value"]),
            EntitySchema(
                "SecondKey", fields: [FieldSchema("value", type.type), FieldSchema("group", .string)],
                primaryKey: ["group", "value"]),
            EntitySchema(
                "List", fields: fields(FieldSchema("values", .list(of: type.type, elementsAreRequired: false)))),
        ]
    }

    func run() async throws {
        var store = try await context.open(StorageSchema(entities: entities))
        let columns = [[.integer(-1), .null]] + numbered(type.values)
        for entity in ["Column", "Indexed"] {
            try await store.putShuffled(entity, columns, seed: context.seed)
            store = try await store.expectHolds(entity, columns)
            try await operands(entity, columns, store)
            try await sorting(entity, columns, store)
            try await aggregates(entity, columns, store)
            store = try await replacements(entity, columns, store)
        }
        store = try await keys(store)
        store = try await lists(store)
        try await canonicalized(store)
        try await rejected(store)
    }

    private func numbered(_ values: [Value]) -> [[Value]] { values.enumerated().map { [.integer(Int64($0)), $1] } }

    /// The values as operands of every comparison.
    private func operands(_ entity: String, _ rows: [[Value]], _ store: TestStore) async throws {
        for value in type.values + [.null] {
            for comparison in Predicate.Comparison.allCases {
                try await store.expectAnswer(QueryPlan(entity, where: .compare("value", comparison, value)), of: rows)
            }
            let middle = type.values[type.values.count / 2]
            try await store.expectAnswer(QueryPlan(entity, where: .isIn("value", [value, middle])), of: rows)
            try await store.expectAnswer(QueryPlan(entity, where: .between("value", middle, value)), of: rows)
            try await store.expectAnswer(QueryPlan(entity, where: .between("value", value, middle)), of: rows)
            context.witness()
        }
    }

    /// The values as sort field and in cursors.
    private func sorting(_ entity: String, _ rows: [[Value]], _ store: TestStore) async throws {
        let schema = try store.store.schema.entity(named: entity)
        for direction in [SortKey.Direction.ascending, .descending] {
            let sort = [SortKey("value", direction)]
            try await store.expectAnswer(QueryPlan(entity, sort: sort), of: rows)
            for row in rows {
                let cursor = Cursor(after: row, of: schema, sortedBy: sort)
                try await store.expectAnswer(
                    QueryPlan(entity, sort: sort, limit: 3, after: cursor), of: rows, "after a cursor")
            }
        }
    }

    /// Each value in the place of another.
    private func replacements(_ entity: String, _ rows: [[Value]], _ opened: TestStore) async throws -> TestStore {
        var store = opened
        for (distance, mode) in [(1, WriteOperation.PutMode.update), (rows.count - 1, .upsert)] {
            let replaced = rows.indices.map { [rows[$0][0], rows[($0 + distance) % rows.count][1]] }
            try await store.put(entity, replaced, mode: mode)
            store = try await store.expectHolds(entity, replaced)
        }
        return store
    }

    private func aggregates(_ entity: String, _ rows: [[Value]], _ store: TestStore) async throws {
        let aggregates = try await store.aggregates(entity, [.minimum("value"), .maximum("value"), .count])
        for (aggregate, value) in zip(aggregates, [type.values[0], type.values[type.values.count - 1]]) {
            try context.expect(
                ValueOrder.areEqual(aggregate, value) && rows.contains { $0[1] == aggregate },
                "an extreme of \(entity): expected \(SwiftText.value(value)) as it is stored, got \(SwiftText.value(aggregate))"
            )
        }
        try context.expectEqual(aggregates[2], .integer(Int64(rows.count)), "the count of \(entity)")
    }

    /// The values as whole key and as second part of a key.
    private func keys(_ opened: TestStore) async throws -> TestStore {
        // Values equal in order are one key; the last one written stays.
        var distinct: [Value] = []
        for value in type.values {
            if let last = distinct.last, ValueOrder.areEqual(last, value) { distinct.removeLast() }
            distinct.append(value)
        }
        let rows = distinct.enumerated().map { [.integer(Int64($0)), $1] as [Value] }
        for value in type.values { try await opened.put("Key", [[.integer(-1), value]]) }
        try await opened.putShuffled("Key", rows, seed: context.seed)
        let pairs = ["a", "b"].flatMap { group in distinct.map { [$0, .text(group)] as [Value] } }
        try await opened.putShuffled("SecondKey", pairs, seed: context.seed)
        var store = try await opened.expectHolds("Key", rows)
        store = try await store.expectHolds("SecondKey", pairs)
        for value in type.values {
            try await store.expectAnswer(QueryPlan("Key", where: .compare("value", .equal, value)), of: rows)
            try await store.expectAnswer(QueryPlan("Key", where: .compare("value", .greater, value)), of: rows)
            try await store.expectAnswer(QueryPlan("Key", after: Cursor([value])), of: rows, "after a key")
            let ranged = Predicate.and([.compare("group", .equal, .text("b")), .compare("value", .lessOrEqual, value)])
            try await store.expectAnswer(QueryPlan("SecondKey", where: ranged), of: pairs)
            let found = try await store.row("Key", RecordKey([value]))
            try context.expect(
                found.map { ValueOrder.areEqual($0[1], value) } ?? false,
                "the key \(SwiftText.value(value)) names its record")
            context.witness()
        }
        try await store.expectAnswer(QueryPlan("Key", sort: [SortKey("value", .descending)]), of: rows)
        let removed = type.values[0]
        try await store.delete("Key", [RecordKey([removed])])
        return try await store.expectHolds("Key", rows.filter { !ValueOrder.areEqual($0[1], removed) })
    }

    /// The values as elements of lists.
    private func lists(_ opened: TestStore) async throws -> TestStore {
        var rows: [[Value]] = [
            [.integer(0), .null], [.integer(1), .list([])], [.integer(2), .list([.null])],
            [.integer(3), .list(type.values)], [.integer(4), .list(type.values.reversed() + [.null] + type.values)],
        ]
        for (number, value) in type.values.enumerated() {
            rows.append([.integer(Int64(number + 5)), .list([value, value])])
        }
        try await opened.put("List", rows)
        let store = try await opened.expectHolds("List", rows)
        for value in type.values + [.null] {
            try await store.expectAnswer(QueryPlan("List", where: .contains("values", value)), of: rows)
            try await store.expectAnswer(
                QueryPlan("List", where: .compare("values", .equal, .list([value, value]))), of: rows)
            context.witness()
        }
        return store
    }

    private func canonicalized(_ store: TestStore) async throws {
        for (given, kept) in type.canonicalized {
            try await store.commit([.clear(entity: "Column"), .clear(entity: "List"), .clear(entity: "Key")])
            try await store.put("Column", [[.integer(0), given]])
            try await store.put("List", [[.integer(0), .list([given, .null])]])
            try await store.put("Key", [[.integer(0), given]])
            let found = [
                try await store.row("Column", RecordKey([.integer(0)])),
                try await store.row("List", RecordKey([.integer(0)])),
                try await store.row("Key", RecordKey([given])),
            ]
            let expected: [[Value]?] = [
                [.integer(0), kept], [.integer(0), .list([kept, .null])], [.integer(0), kept],
            ]
            for (found, expected) in zip(found, expected) {
                try context.expectEqual(found ?? [], expected ?? [], "what is read of \(SwiftText.value(given))")
            }
            let equal = try await store.rows(QueryPlan("Column", where: .compare("value", .equal, given)))
            try context.expectEqual(equal.count, 1, "records equal to \(SwiftText.value(given))")
            context.witness()
        }
    }

    private func rejected(_ store: TestStore) async throws {
        try await store.commit(entities.map { .clear(entity: $0.name) })
        for value in type.rejected {
            let writes: [(String, [Value])] = [
                ("Column", [.integer(0), value]), ("Indexed", [.integer(0), value]), ("Key", [.integer(0), value]),
                ("SecondKey", [value, .text("a")]), ("List", [.integer(0), .list([value])]),
            ]
            for (entity, row) in writes {
                try await context.expectError(.unrepresentable, from: "writing \(SwiftText.value(value)) to \(entity)")
                {
                    try await store.put(entity, [row])
                }
                try context.expectEqual(
                    try await store.everything(in: entity), [], "\(entity) after a value was refused")
                context.witness()
            }
        }
    }
}
