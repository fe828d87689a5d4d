import HoldfastStorage

extension Clause {
    /// Errors, their fate, and the state they leave.
    static let errors: [Clause] = errorsOfCalls + errorsOfDisks

    private static let errorsOfCalls: [Clause] = [
        Clause(
            "ERR-001",
            "A commit refused for a precondition or a put mode says so: kind `storage.precondition-failed`, advice to try "
                + "again at once, nothing changed, the position. The store continues to work.",
            catches: "The driver's error comes through, without advice, or says that the outcome is unknown.",
            witness: "errors inspected, each followed by a commit that succeeded", protectsData: true
        ) { context in
            let store = try await context.open(.items())
            let version = try await store.put("Item", [Items.row(1, rank: 1)]).sequence
            let new = WriteOperation.put(entity: "Item", rows: RowBuffer(row: Items.row(2)), mode: .insert)
            let cases: [([Precondition], [WriteOperation], StorageError.Position)] = [
                ([.absent(entity: "Item", key: Items.key(1))], [new], .precondition(0)),
                ([.present(entity: "Item", key: Items.key(2))], [new], .precondition(0)),
                (
                    [
                        .present(entity: "Item", key: Items.key(1)),
                        .version(entity: "Item", key: Items.key(1), version + 9),
                    ], [new], .precondition(1)
                ),
                ([.unchanged(KeyRange("Item"), since: version - 1)], [new], .precondition(0)),
                ([], [new, .put(entity: "Item", rows: RowBuffer(row: Items.row(1)), mode: .insert)], .operation(1)),
                ([], [new, new], .operation(1)),
                ([], [.put(entity: "Item", rows: RowBuffer(row: Items.row(5)), mode: .update), new], .operation(0)),
            ]
            for (preconditions, operations, position) in cases {
                let error = try await context.expectError(
                    .preconditionFailed, from: "a commit that fails at \(position)"
                ) {
                    try await store.commit(operations, if: preconditions)
                }
                try Self.expect(error, .immediately, position, context)
                try await store.expectUsable(context)
            }
            try await store.expectHolds("Item", [Items.row(1, rank: 1)])
        },
        Clause(
            "ERR-002",
            "A commit refused by a unique index says so: kind `storage.unique-violation`, no advice to repeat it, nothing "
                + "changed, the position. The store continues to work.",
            requires: .feature(.uniqueIndexes),
            catches: "The driver's constraint error is taken for an I/O error or a conflict, and repeated forever.",
            witness: "errors inspected, each followed by a commit that succeeded", protectsData: true
        ) { context in
            let store = try await context.open(Self.unique)
            try await store.put("Item", [Items.row(1, rank: 1)])
            for count in 0..<4 {
                let before = (0..<count).map { number in
                    WriteOperation.put(
                        entity: "Item", rows: RowBuffer(row: Items.row(10 + number, rank: 10 + number)), mode: .insert)
                }
                for mode in [WriteOperation.PutMode.insert, .upsert] {
                    let error = try await context.expectError(.uniqueViolation, from: "a put of a value that is taken")
                    {
                        try await store.commit(
                            before + [.put(entity: "Item", rows: RowBuffer(row: Items.row(2, rank: 1)), mode: mode)])
                    }
                    try Self.expect(error, .never, .operation(count), context)
                    try await store.expectUsable(context)
                }
            }
            try await store.expectHolds("Item", [Items.row(1, rank: 1)])
        },
        Clause(
            "ERR-003", "The words of an error name entities and fields, never values: they end up in logs.",
            catches: "The driver's message with the offending value is passed on.",
            witness: "descriptions of errors about values that must stay secret"
        ) { context in
            let store = try await context.open(.items())
            let secret = "hunter2"
            let row: [Value] = [.text(secret), .integer(918_273), .text(secret), .null, .null]
            try await store.put("Item", [row])
            var errors: [StorageError] = []
            errors.append(
                try await context.expectError(.preconditionFailed, from: "an insert") {
                    try await store.put("Item", [row], mode: .insert)
                })
            errors.append(
                try await context.expectError(.preconditionFailed, from: "'absent'") {
                    try await store.commit([], if: [.absent(entity: "Item", key: RecordKey(secret))])
                })
            errors.append(
                try await context.expectError(.preconditionFailed, from: "'version'") {
                    try await store.commit([], if: [.version(entity: "Item", key: RecordKey(secret), 918_273)])
                })
            try await store.put("Item", [Items.row(1, rank: Int.max)])
            errors.append(
                try await context.expectError(.unrepresentable, from: "a sum beyond 64 bits") {
                    _ = try await store.aggregates("Item", [.sum("rank")])
                })
            if Requirement.feature(.uniqueIndexes).isDeclared(by: store.store.capabilities) {
                let other = try await context.open(Self.unique)
                try await other.put("Item", [row])
                errors.append(
                    try await context.expectError(.uniqueViolation, from: "a value that is taken") {
                        try await other.put("Item", [[.text(secret + "b")] + row[1...]])
                    })
            }
            for error in errors {
                for word in [secret, "918273", "918_273"] {
                    try context.expect(
                        !"\(error)".contains(word), "the description of a \(error.kind.rawValue) shows a value")
                }
                context.witness()
            }
        },
        Clause(
            "ERR-004", "However many commits fail, those that do not are applied, and open snapshots stay as they are.",
            catches: "After an error the transaction is left open, and the next commit joins it or is lost with it.",
            witness: "commits that succeeded between failures", protectsData: true
        ) { context in
            var store = try await context.open(.items())
            try await store.put("Item", Items.numbered(0..<66))
            let snapshot = try await store.adapter.snapshot()
            var expected = Items.numbered(0..<66)
            for round in 0..<150 {
                try await context.expectError(.preconditionFailed, from: "a commit that fails") {
                    try await store.commit([
                        .delete(entity: "Item", keys: [Items.key(round % 60)]),
                        .put(entity: "Item", rows: RowBuffer(row: Items.row(round + 7_000)), mode: .update),
                    ])
                }
                if round % 3 == 0 {
                    let rows = [Items.row(100 + round, rank: round), Items.row(1_000 + round, rank: round)]
                    try await store.put("Item", rows, mode: .insert)
                    expected += rows
                    context.witness()
                }
            }
            try await snapshot.expectItems("Item", Items.numbered(0..<66), store, context, "after 150 failures")
            await snapshot.close()
            expected.sort { RecordKey([$0[0]]) < RecordKey([$1[0]]) }
            store = try await store.expectHolds("Item", expected)
        },
        Clause(
            "ERR-005",
            "A commit that fails takes no other along: of concurrent commits, exactly those apply that succeed.",
            level: .transactional,
            catches: "Commits that share a transaction are rolled back together, though some were acknowledged.",
            witness: "commits acknowledged beside failing ones", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            try await store.put("Item", [Items.row(0)])
            for round in 0..<4 {
                let acknowledged = try await withThrowingTaskGroup(of: (Int, UInt64)?.self) { group in
                    for task in 1...60 {
                        group.addTask {
                            let number = round * 100 + task
                            let put = WriteOperation.put(
                                entity: "Item", rows: RowBuffer(row: Items.row(number, rank: task)), mode: .insert)
                            if task % 3 == 0 {
                                let failing = WriteOperation.put(
                                    entity: "Item", rows: RowBuffer(row: Items.row(0)), mode: .insert)
                                try await context.expectError(
                                    .preconditionFailed, from: "a failing commit among others"
                                ) {
                                    try await store.commit([put, failing])
                                }
                                return nil
                            }
                            return (number, try await store.commit([put]).sequence)
                        }
                    }
                    return try await group.reduce(into: [Int: UInt64]()) { result, one in
                        if let one { result[one.0] = one.1 }
                    }
                }
                try context.expectEqual(acknowledged.count, 40, "commits acknowledged beside failing ones")
                let keys = (1...60).map { Items.key(round * 100 + $0) }
                let versions = try await store.store.records(keys, of: "Item").map(\.version)
                try context.expectEqual(
                    versions, (1...60).map { acknowledged[round * 100 + $0] ?? 0 },
                    "versions of records by concurrent commits")
                context.witness(acknowledged.count)
            }
            var rows = [Items.row(0)]
            for round in 0..<4 {
                for rank in 1...60 where rank % 3 != 0 { rows.append(Items.row(round * 100 + rank, rank: rank)) }
            }
            try await store.expectHolds("Item", rows)
        },
        Clause(
            "ERR-006",
            "After `close()` every call fails with `storage.closed` and changes nothing; closing again does nothing.",
            catches: "A closed handle is used: a crash, a hang, or a write that is not found.",
            witness: "calls on a closed store", protectsData: true
        ) { context in
            let store = try await context.open(.items())
            try await store.put("Item", Items.numbered(0..<5))
            let snapshot = try await store.adapter.snapshot()
            try await store.store.close()
            try await store.store.close()
            var rows = RowBuffer()
            var errors: [StorageError] = []
            errors.append(
                try await context.expectError(.closed, from: "a put") { try await store.put("Item", [Items.row(9)]) })
            errors.append(
                try await context.expectError(.closed, from: "an empty commit") { try await store.commit([]) })
            errors.append(
                try await context.expectError(.closed, from: "a read by key") {
                    try await store.store.get([Items.key(1)], of: "Item", into: &rows)
                })
            errors.append(
                try await context.expectError(.closed, from: "a snapshot") { _ = try await store.adapter.snapshot() })
            errors.append(
                try await context.expectError(.closed, from: "a read from a snapshot that was open") {
                    try await snapshot.get(GetRequest("Item", keys: [Items.key(1)]), into: &rows)
                })
            errors.append(
                try await context.expectError(.closed, from: "a scan of a snapshot that was open") {
                    _ = try await snapshot.allRecords(of: "Item")
                })
            for error in errors {
                try context.expectEqual(error.transaction, .untouched, "the state after a call on a closed store")
                try context.expectEqual(error.retry, .never, "the advice of a call on a closed store")
                context.witness()
            }
            await snapshot.close()
            guard store.isPersistent else { return }
            let again = try await context.open(store.store.schema, at: store.location)
            try await again.expectHolds("Item", Items.numbered(0..<5))
        },
        Clause(
            "ERR-007",
            "An adapter is opened once: a second `open` fails with `storage.misuse`, and the open store continues to work.",
            catches: "The second opening replaces the connection of the first, whose commits are lost.",
            witness: "second openings", protectsData: true
        ) { context in
            let store = try await context.open(.items())
            try await store.put("Item", Items.numbered(0..<3))
            for _ in 0..<2 {
                let error = try await context.expectError(.misuse, from: "opening twice") {
                    try await store.adapter.open(OpenRequest(schema: store.store.schema))
                }
                try context.expectEqual(error.transaction, .untouched, "the state after opening twice")
                context.witness()
            }
            try await store.put("Item", [Items.row(3, rank: 3)])
            try await store.expectHolds("Item", Items.numbered(0..<4))
        },
    ]

    private static let unique = EntitySchema(
        "Item", fields: EntitySchema.items().fields, indexes: [IndexSchema("byRank", on: ["rank"], isUnique: true)])

    private static func expect(
        _ error: StorageError, _ retry: StorageError.Retry, _ position: StorageError.Position, _ context: ClauseContext
    ) throws {
        try context.expectEqual(error.retry, retry, "the advice of \(error.kind.rawValue)")
        try context.expect(
            error.transaction != .outcomeUnknown, "the outcome of \(error.kind.rawValue) is known: nothing was changed")
        try context.expectEqual(error.position, position, "the position of \(error.kind.rawValue)")
    }
}

extension TestStore {
    /// Commits, reads and deletes a record, to show that the store works after an error.
    fileprivate func expectUsable(_ context: ClauseContext) async throws {
        try await put("Item", [Items.row(4_000)], mode: .insert)
        try context.expectEqual(
            try await row("Item", Items.key(4_000)), Items.row(4_000), "a record written after an error")
        let receipt = try await delete("Item", [Items.key(4_000)])
        try context.expectEqual(receipt.deletedCount, 1, "records deleted after an error")
        context.witness()
    }
}
