import HoldfastStorage

extension Clause {
    /// What the preconditions of one handle must know of other handles.
    static let preconditionsOfHandles: [Clause] = [
        Clause(
            "PRE-017",
            "'unchanged' fails in a handle that is open already if another handle created, replaced or deleted a record of the "
                + "range after the sequence.",
            requires: .all([.feature(.multipleProcesses), .persistence]),
            catches: "A handle keeps in its memory when an entity was changed, and misses what other handles do.",
            witness: "changes by another handle that were noticed", protectsData: true
        ) { context in
            let store = try await context.open(.pairs)
            let other = try await store.another()
            let ranges = [
                KeyRange("Pair"), KeyRange("Pair", from: .included([.text("b")]), to: .included([.text("b")])),
            ]
            let put = WriteOperation.put(
                entity: "Pair", rows: RowBuffer(row: [.null, .text("b"), .integer(5)]), mode: .upsert)
            let deletion = WriteOperation.delete(entity: "Pair", keys: [RecordKey([.text("b"), .integer(5)])])
            let changes: [(String, WriteOperation)] = [
                ("created", put), ("replaced", put), ("deleted", deletion), ("created again", put),
                ("cleared", .clear(entity: "Pair")),
            ]
            for (round, (name, operation)) in changes.enumerated() {
                let before = try await store.put("Pair", [[.null, .text("z"), .integer(Int64(round))]]).sequence
                for range in ranges {
                    try await store.expectPrecondition(
                        .unchanged(range, since: before), true, "before \(name) by another handle", context)
                }
                try await other.commit([operation])
                for range in ranges {
                    try await store.expectPrecondition(
                        .unchanged(range, since: before), false, "\(name) by another handle", context)
                }
            }
        }
    ]
}
