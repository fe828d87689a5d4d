import HoldfastStorage

extension Clause {
    /// Counts of many records.
    static let aggregatesOfMany: [Clause] = [
        Clause(
            "AGG-009", "The count of an entity is exact however many records it has, with and without a condition.",
            level: .query,
            catches: "A count without a condition is the back end's estimate.",
            witness: "records counted"
        ) { context in
            let store = try await context.open(.others)
            let count = 65_700
            var rest = 0..<count
            let size = min(store.store.capabilities.limits.commitRowCount, 9_000)
            while !rest.isEmpty {
                let part = rest.prefix(size)
                rest = rest.dropFirst(size)
                let rows = RowBuffer(rows: part.map { [.text(Items.id($0)), .integer(Int64($0))] })
                try await store.commit(
                    [.put(entity: "Other", rows: rows, mode: .insert)], durability: Durability.none)
            }
            func check(_ expected: Int) async throws {
                let counts = try await [
                    store.aggregates("Other", [.count]),
                    store.aggregates("Other", where: .compare("number", .greaterOrEqual, .integer(0)), [.count]),
                    store.aggregates("Other", where: .compare("id", .greater, .text("")), [.count]),
                ]
                for count in counts {
                    try context.expectEqual(count, [.integer(Int64(expected))], "the count of many records")
                }
                context.witness(expected)
            }
            try await check(count)
            try await store.delete("Other", (0..<37).map { Items.key($0 * 1_000) })
            try await check(count - 37)
        }
    ]
}
