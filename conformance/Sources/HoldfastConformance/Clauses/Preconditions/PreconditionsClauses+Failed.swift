import HoldfastStorage

extension Clause {
    /// What commits that failed leave of what preconditions rest on.
    static let failedPreconditions: [Clause] = [
        Clause(
            "PRE-013",
            "A commit that failed leaves no trace in what preconditions rest on: no deletion is remembered, no version taken, "
                + "no unique value kept.",
            catches: "Marks of deletions and taken values are kept in memory, and not undone with the transaction.",
            witness: "preconditions asked after a commit that failed"
        ) { context in
            let isUnique = try await context.declaredCapabilities().support(for: .uniqueIndexes) != .unsupported
            let entity = EntitySchema(
                "Entry", fields: EntitySchema.entries.fields,
                indexes: [IndexSchema("byText", on: ["text"], isUnique: isUnique)])
            let store = try await context.open(entity)
            let rows: [[Value]] = (0..<20).map { [EntitySchema.entryRow($0)[0], .integer(0), .text("t\($0)")] }
            let since = try await store.put("Entry", rows).sequence
            let keys = rows.map { entity.key(of: $0) }
            let failing = WriteOperation.put(entity: "Entry", rows: RowBuffer(row: rows[0]), mode: .insert)
            let put = { (row: [Value]) in WriteOperation.put(entity: "Entry", rows: RowBuffer(row: row), mode: .upsert)
            }
            let attempts: [[WriteOperation]] = [
                [.delete(entity: "Entry", keys: [keys[3], keys[4]]), failing],
                [put([rows[5][0], .integer(1), .text("other")]), failing],
                [put([.text("new"), .integer(1), .text("taken")]), failing],
                [
                    .delete(entity: "Entry", keys: [keys[6]]), put([.text("six"), .null, rows[6][2]]),
                    .clear(entity: "Entry"),
                    .put(entity: "Entry", rows: RowBuffer(row: rows[9]), mode: .update),
                ],
            ]
            for attempt in attempts {
                try await context.expectError(.preconditionFailed, from: "a commit that ends in a failing step") {
                    try await store.commit(attempt)
                }
                var held: [Precondition] = [
                    .unchanged(KeyRange("Entry"), since: since), .absent(entity: "Entry", key: RecordKey("new")),
                ]
                for key in keys {
                    let range = KeyRange("Entry", from: .included(key.components), to: .included(key.components))
                    held += [.unchanged(range, since: since), .version(entity: "Entry", key: key, since)]
                }
                for precondition in held {
                    if let error = await storageError({ try await store.commit([], if: [precondition]) }) {
                        throw ClauseFailure(
                            "After a commit that failed, \(precondition) does not hold: \(error.debugDescription)")
                    }
                    context.witness()
                }
            }
            // What the failed commits would have taken is free, and what they would have freed is taken.
            if isUnique {
                try await context.expectError(.uniqueViolation, from: "a value that a failed commit would have freed") {
                    try await store.put("Entry", [[.text("six"), .null, rows[6][2]]])
                }
            }
            try await store.put("Entry", [[.text("z"), .integer(1), .text("taken")]])
            try await store.expectHolds("Entry", rows + [[.text("z"), .integer(1), .text("taken")]])
        }
    ]
}
