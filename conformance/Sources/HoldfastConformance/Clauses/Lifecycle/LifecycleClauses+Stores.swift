import HoldfastStorage

extension Clause {
    static let lifecycleOfStores: [Clause] = [
        lifecycle(
            "LIF-007",
            "A store that was closed and opened again is as it was: records, versions, sequence, indexes, what was "
                + "deleted, and what preconditions rest on.",
            requires: .persistence,
            catches: "What is kept beside the records, such as counters and marks of deletions, lives in memory only.",
            witness: "records compared after reopening", protectsData: true
        ) { context in
            var store = try await context.open(.entries, .others)
            try await store.put("Entry", EntitySchema.entryRows(0..<300))
            try await store.put("Other", (0..<5).map { [.text("o\($0)"), .integer(Int64($0))] })
            let beforeDeletions = try await store.put("Entry", EntitySchema.entryRows(290..<310)).sequence
            try await store.delete("Entry", (100..<140).map { RecordKey([EntitySchema.entryRow($0)[0]]) })
            try await store.put(
                "Entry",
                EntitySchema.entryRows(0..<300).filter { $0[1] == .integer(3) }.prefix(5).map {
                    [$0[0], .integer(-1), $0[2]]
                })
            let last = try await store.commit([.clear(entity: "Other")]).sequence
            let before = try await store.store.rows(QueryPlan("Entry"))
            let deleted = RecordKey([EntitySchema.entryRow(100)[0]])
            let kept = try before.first.orFail("There is no record.")
            let key = EntitySchema.entries.key(of: kept.cells)
            for round in 0..<3 {
                store = try await store.reopen()
                let again = try await store.store.rows(QueryPlan("Entry"))
                try context.expectEqual(again, before, "the records and versions after reopening")
                let ids = before.map { EntitySchema.entries.key(of: $0.cells) }
                try context.expectEqual(
                    try await store.store.records(ids, of: "Entry"), before, "the records by key after reopening")
                let snapshot = try await store.store.snapshot()
                try context.expectEqual(snapshot.sequence, last, "the sequence after reopening")
                for number in [-1, 0, 3, 9] as [Int64] {
                    let rows = try await snapshot.rows(
                        QueryPlan("Entry", where: .compare("number", .equal, .integer(number))))
                    try context.expectEqual(
                        rows, before.filter { $0.cells[1] == .integer(number) }, "an indexed query after reopening")
                }
                let byNumber = try await snapshot.rows(QueryPlan("Entry", sort: [SortKey("number")]))
                try context.expectEqual(byNumber.count, before.count, "the records in the order of an index")
                try context.expectEqual(try await snapshot.count("Other"), 0, "the count of a cleared entity")
                await snapshot.close()
                try context.expectEqual(
                    try await store.row("Entry", deleted), nil, "a deleted record after reopening")
                for wrong in [
                    Precondition.version(entity: "Entry", key: key, kept.version + 1),
                    .present(entity: "Entry", key: deleted), .absent(entity: "Entry", key: key),
                    .unchanged(KeyRange("Entry"), since: beforeDeletions),
                    .unchanged(
                        KeyRange("Entry", from: .included(deleted.components), to: .included(deleted.components)),
                        since: beforeDeletions),
                    .unchanged(KeyRange("Other"), since: beforeDeletions),
                ] {
                    try await context.expectError(.preconditionFailed, from: "\(wrong) after reopening") {
                        try await store.commit([], if: [wrong])
                    }
                }
                try await store.commit([], if: [.version(entity: "Entry", key: key, kept.version)])
                if round == 1 { try await store.commit([]) }
                context.witness(again.count)
            }
            let next = try await store.put("Entry", [EntitySchema.entryRow(999)])
            try context.expect(
                next.sequence > last, "The commit after reopening has sequence \(next.sequence), after \(last).")
            let row = try await store.store.records([RecordKey([EntitySchema.entryRow(999)[0]])], of: "Entry")
            try context.expectEqual(row.map(\.version), [next.sequence], "the version of a record written then")
        },
        lifecycle(
            "LIF-008", "A new store is empty: sequence 0, no records, every aggregate that of nothing.",
            catches: "Set-up that counts as a commit, or leaves a record of its own behind.",
            witness: "reads of a new store"
        ) { context in
            var store = try await context.open(.entries, .others)
            for _ in 0..<(store.isPersistent ? 2 : 1) {
                let snapshot = try await store.store.snapshot()
                try context.expectEqual(snapshot.sequence, 0, "the sequence of a new store")
                for entity in ["Entry", "Other"] {
                    try context.expectEqual(try await snapshot.rows(QueryPlan(entity)), [], "the rows of \(entity)")
                    try context.expectEqual(try await snapshot.count(entity), 0, "the count of \(entity)")
                    try context.expectEqual(
                        try await snapshot.records([RecordKey("e")], of: entity).map(\.version), [0],
                        "a record of \(entity)")
                    context.witness()
                }
                await snapshot.close()
                try context.expectEqual(try await store.commit([]).sequence, 0, "the sequence of an empty commit")
                if store.isPersistent { store = try await store.reopen() }
            }
            let first = try await store.put("Entry", EntitySchema.entryRows(0..<1))
            try context.expect(first.sequence >= 1, "The first commit has sequence \(first.sequence).")
        },
        lifecycle(
            "LIF-009", "A store can be opened and closed any number of times, and nothing is lost on the way.",
            requires: .persistence,
            catches: "Each opening rotates a log, and one day the wrong one is deleted.",
            witness: "openings", protectsData: true
        ) { context in
            var store = try await context.open(.entries)
            var last: UInt64 = 0
            for number in 0..<40 {
                let sequence = try await store.put("Entry", [EntitySchema.entryRow(number)]).sequence
                try context.expect(sequence > last, "Sequence \(sequence) came after \(last).")
                last = sequence
                store = try await store.reopen()
                try context.expectEqual(
                    try await store.everything(in: "Entry"), EntitySchema.entryRows(0..<number + 1),
                    "the records after \(number + 1) openings")
                context.witness()
            }
        },
        lifecycle(
            "LIF-010", "Handles on one store are closed one by one: closing one disturbs no other.",
            requires: .all([.feature(.multipleProcesses), .persistence]),
            catches: "Handles of one process share a connection that the first close takes away.",
            witness: "reads and writes after another handle was closed"
        ) { context in
            let first = try await context.open(.entries)
            try await first.put("Entry", EntitySchema.entryRows(0..<50))
            let second = try await first.another()
            let snapshot = try await second.store.snapshot()
            var scan = try await snapshot.query(QueryPlan("Entry"))
            var rows = RowBuffer()
            try await scan.next(maximumRowCount: 10, into: &rows)
            try await first.store.close()
            try await scan.next(maximumRowCount: 100, into: &rows)
            try context.expectEqual(
                (0..<rows.rowCount).map { Array(rows[$0]) }, EntitySchema.entryRows(10..<50),
                "the rest of a scan of another handle")
            try context.expectEqual(try await snapshot.count("Entry"), 50, "a count of another handle")
            await snapshot.close()
            try await second.put("Entry", [EntitySchema.entryRow(50)])
            let third = try await second.another()
            try await second.store.close()
            try context.expectEqual(
                try await third.everything(in: "Entry"), EntitySchema.entryRows(0..<51), "the records in the end")
            context.witness(3)
        },
    ]
}

extension Optional {
    /// The value, or a failure of the check.
    func orFail(_ message: String) throws(ClauseFailure) -> Wrapped {
        guard let self else { throw ClauseFailure(message) }
        return self
    }
}
