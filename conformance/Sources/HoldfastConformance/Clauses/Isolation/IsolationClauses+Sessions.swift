import HoldfastStorage

extension Clause {
    /// What one session sees of another.
    static let sessions: [Clause] = [
        Clause(
            "ISO-007", "An acknowledged commit is seen by every later read: by key, by snapshot, by every task.",
            catches: "Readers come from a pool that lags behind, or a cache by key is not renewed.",
            witness: "reads right after a commit", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            for round in 0..<60 {
                let entity = round % 2 == 0 ? "Item" : "Indexed"
                let receipt = try await store.put(
                    entity, [Items.row(1, rank: round), Items.row(2 + round % 3, rank: round)])
                let row = try await Task.detached { try await store.row(entity, Items.key(1)) }.value
                try context.expectEqual(row, Items.row(1, rank: round), "a record by key after commit \(round)")
                let snapshot = try await store.adapter.snapshot()
                try context.expectEqual(
                    snapshot.sequence, receipt.sequence, "the sequence of a snapshot after commit \(round)")
                let predicate = Predicate.compare("rank", .equal, .integer(Int64(round)))
                let found = try await store.rows(QueryPlan(entity, where: predicate))
                try context.expectEqual(found.count, 2, "records of commit \(round) by query")
                try context.expectEqual(
                    try await store.aggregates(entity, where: predicate, [.count]), [.integer(2)],
                    "the count of records of commit \(round)")
                await snapshot.close()
                if round % 5 == 4 {
                    try await store.delete(entity, [Items.key(1)])
                    try context.expectEqual(
                        try await store.row(entity, Items.key(1)), nil, "a record by key after its delete")
                }
                context.witness()
            }
        },
        Clause(
            "ISO-008", "Readers see a commit whole or not at all, over all its rows, operations and entities.",
            level: .transactional,
            catches: "Rows are applied one by one, and a reader comes in between.",
            witness: "reads made while commits were in progress", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let size = 150
            @Sendable func batch(_ round: Int) -> [WriteOperation] {
                ["Item", "Indexed"].map {
                    .put(
                        entity: $0, rows: RowBuffer(rows: (0..<size).map { Items.row($0, rank: round) }), mode: .upsert)
                }
                    + [
                        .delete(entity: "Item", keys: [Items.key(size)]),
                        .put(entity: "Item", rows: RowBuffer(row: Items.row(size, rank: round)), mode: .insert),
                    ]
            }
            try await store.commit(batch(0))
            let isOver = SharedFlag()
            let writer = Task {
                var round = 0
                while !isOver.isSet {
                    round += 1
                    try await store.commit(batch(round))
                    // Where all tasks share one thread, a commit that never waits would leave no other task a turn.
                    await Task.yield()
                }
            }
            defer { isOver.set() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for reader in 0..<3 {
                    group.addTask {
                        for _ in 0..<30 {
                            let snapshot = try await store.adapter.snapshot()
                            let items = try await snapshot.allRecords(of: "Item")
                            let ranks = Set(items.map { $0.cells[1] })
                            try context.expect(
                                ranks.count == 1 && items.count == size + 1,
                                "a scan saw \(ranks.count) commits and \(items.count) rows; one commit writes \(size + 1)"
                            )
                            guard let rank = ranks.first else { return }
                            let schema = store.store.schema
                            let count = try await snapshot.aggregate(
                                schema.bind(AggregatePlan("Indexed", where: .compare("rank", .equal, rank), [.count])))
                            try context.expectEqual(
                                count, [.integer(Int64(size))], "records of the other entity of the same commit")
                            var rows = RowBuffer()
                            try await snapshot.get(
                                GetRequest("Indexed", keys: [Items.key(0), Items.key(size - 1)]), into: &rows)
                            try context.expectEqual(
                                rows.storedRows.map { $0.cells[1] }, [rank, rank],
                                "the first and the last row of a commit by key, reader \(reader)")
                            try await store.store.get([Items.key(0), Items.key(size - 1)], of: "Item", into: &rows)
                            try context.expectEqual(
                                Set(rows.storedRows.map { $0.cells[1] }).count, 1,
                                "commits seen in the first and the last row of one, read without a snapshot")
                            await snapshot.close()
                            context.witness()
                        }
                    }
                }
                try await group.waitForAll()
            }
            isOver.set()
            try await writer.value
        },
        Clause(
            "ISO-009", "What a failing commit would have written is never seen by anyone.", level: .transactional,
            catches: "Rows are visible until the rollback.", witness: "reads made while commits were failing",
            protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = Items.numbered(0..<20)
            try await store.put("Item", rows)
            try await store.put("Indexed", rows)
            let isOver = SharedFlag()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        var reads = 0
                        while !Task.isCancelled, !isOver.isSet || reads < 5 {
                            reads += 1
                            let snapshot = try await store.adapter.snapshot()
                            try await snapshot.expectItems("Item", rows, store, context, "during failing commits")
                            try await snapshot.expectItems("Indexed", rows, store, context, "during failing commits")
                            await snapshot.close()
                            context.witness()
                            await Task.yield()
                        }
                    }
                }
                for _ in 0..<25 {
                    try await context.expectError(.preconditionFailed, from: "a commit whose last row fails") {
                        try await store.commit([
                            .clear(entity: "Indexed"),
                            .put(
                                entity: "Item", rows: RowBuffer(rows: (0..<200).map { Items.row($0, rank: 7) }),
                                mode: .upsert),
                            .put(
                                entity: "Indexed", rows: RowBuffer(rows: [Items.row(5), Items.row(5)]), mode: .insert),
                        ])
                    }
                }
                isOver.set()
                try await group.waitForAll()
            }
        },
        Clause(
            "ISO-017", "A page that is read at once is from one moment, and shows every acknowledged commit.",
            level: .query,
            catches: "A page after a cursor takes several statements, and a commit comes between two of them.",
            witness: "pages read while commits were in progress", protectsData: true
        ) { context in
            let store = try await context.open(.items("Indexed", indexed: true))
            @Sendable func commit(_ round: Int) async throws {
                let rows = (0..<60).map { Items.row($0, rank: round, title: ["a", "b", "c"][$0 / 20]) }
                try await store.put("Indexed", rows)
            }
            // It ends among equal titles, and the page after it has titles of two kinds.
            let cursor = Cursor([.text("a"), .text(Items.id(9))])
            let plan = QueryPlan("Indexed", sort: [SortKey("title")], limit: 30, after: cursor)
            @Sendable func ranks() async throws -> Set<Value> {
                var rows = RowBuffer()
                try await store.store.page(plan, into: &rows)
                try context.expectEqual(rows.rowCount, 30, "the rows of a page of 30")
                return Set(rows.storedRows.map { $0.cells[1] })
            }
            @Sendable func commitAndLook(_ round: Int) async throws {
                try await commit(round)
                try context.expectEqual(
                    try await ranks(), [.integer(Int64(round))], "what a page shows right after commit \(round)")
            }
            try await commit(0)
            let isOver = SharedFlag()
            let writer = Task {
                var round = 0
                while !isOver.isSet {
                    round += 1
                    try await commitAndLook(round)
                    await Task.yield()
                }
                return round
            }
            defer { isOver.set() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        for _ in 0..<100 {
                            try context.expectEqual(try await ranks().count, 1, "commits seen in one page")
                            context.witness()
                            await Task.yield()
                        }
                    }
                }
                try await group.waitForAll()
            }
            isOver.set()
            // The readers may have been so quick that hardly a commit came between.
            let last = try await writer.value
            for round in 1...10 { try await commitAndLook(last + round) }
        },
        Clause(
            "ISO-010",
            "Concurrent commits have sequences of their own, and who begins after another was acknowledged gets a greater "
                + "one. A snapshot holds what was acknowledged before it, and its sequence is never less than an earlier one's.",
            level: .transactional,
            catches: "Sequences are drawn before the commit and become visible in another order.",
            witness: "sequences of concurrent commits", protectsData: true
        ) { context in
            let store = try await context.open(.items())
            let sequences = try await withThrowingTaskGroup(of: [UInt64].self) { group in
                for task in 0..<6 {
                    group.addTask {
                        var own: [UInt64] = []
                        var lastSeen: UInt64 = 0
                        for round in 0..<25 {
                            let number = task * 100 + round
                            let receipt = try await store.put("Item", [Items.row(number)])
                            let snapshot = try await store.store.snapshot()
                            let record = try await snapshot.records([Items.key(number)], of: "Item")
                            let seen = snapshot.sequence
                            await snapshot.close()
                            try context.expectEqual(
                                record.map(\.version), [receipt.sequence], "the version of a record of task \(task)")
                            try context.expect(
                                seen >= lastSeen, "a snapshot of sequence \(seen) after one of \(lastSeen)")
                            try context.expect(
                                receipt.sequence > own.last ?? 0,
                                "sequence \(receipt.sequence) after \(own.last ?? 0) in one task")
                            own.append(receipt.sequence)
                            lastSeen = seen
                            context.witness()
                        }
                        return own
                    }
                }
                return try await group.reduce(into: [UInt64]()) { $0 += $1 }
            }
            try context.expectEqual(
                Set(sequences).count, sequences.count, "different sequences of \(sequences.count) commits")
            let snapshot = try await store.store.snapshot()
            try context.expectEqual(
                snapshot.sequence, sequences.max() ?? 0, "the sequence of a snapshot when no commit is in progress")
            await snapshot.close()
            let last = try await store.commit([]).sequence
            try context.expectEqual(last, sequences.max() ?? 0, "the last sequence")
        },
    ]
}
