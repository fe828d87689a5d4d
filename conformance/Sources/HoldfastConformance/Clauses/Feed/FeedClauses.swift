package import HoldfastStorage

extension Clause {
    /// The change feed.
    static let feed: [Clause] =
        feedContent + feedPosition + feedSessions + feedLogs + feedEffects + feedWaiting + feedBounds + feedsAtOnce
        + feedsLeavingOut

    private static func fed(
        _ id: String, _ rule: String, requires requirement: Requirement = .feature(.changeFeed), catches: String,
        witness: String, check: @escaping Check
    ) -> Clause {
        Clause(
            id, rule, level: .feed, requires: requirement, catches: catches, witness: witness,
            check: check)
    }

    private static let feedContent = [
        fed(
            "FED-001", "Every commit is reported exactly once, in commit order, with the sequence of its receipt.",
            catches: "Update hooks fire before the commit and again for each row; notifications overtake each other.",
            witness: "commits reported"
        ) { context in
            let store = try await context.open(.notes)
            var feed = try await FeedReader(store, after: nil, context)
            var expected: [UInt64] = []
            for number in 0..<70 {
                expected.append(
                    try await store.put("Note", [[.text("n\(number % 9)"), .integer(Int64(number))]]).sequence)
            }
            let delivered = try await feed.commits(through: expected[69])
            try context.expectEqual(delivered.map(\.sequence), expected, "the sequences reported")
            for (number, change) in delivered.enumerated() {
                try context.expectEqual(change.keysPut, ["n\(number % 9)"], "the records of commit \(number)")
            }
            context.witness(delivered.count)
        },
        fed(
            "FED-002",
            "What is reported about a commit is what became of each record by its end: put, deleted, or its whole "
                + "entity.",
            catches: "A log of operations reports a record twice, or a put that a later delete undid.",
            witness: "effects reported"
        ) { context in
            let store = try await context.open(.notes, .others)
            try await store.put("Note", [[.text("a"), .integer(1)], [.text("b"), .integer(1)]])
            var feed = try await FeedReader(store, after: nil, context)
            let put = { (key: String) in
                WriteOperation.put(entity: "Note", rows: RowBuffer(row: [.text(key), .integer(2)]), mode: .upsert)
            }
            try await store.commit([
                put("c"), .delete(entity: "Note", keys: [RecordKey("a"), RecordKey("c")]), put("a"),
                .delete(entity: "Note", keys: [RecordKey("b")]),
            ])
            let last = try await store.commit([put("d"), .clear(entity: "Other")])
            let delivered = try await feed.commits(through: last.sequence)
            try context.expectEqual(delivered.count, 2, "the number of commits reported")
            try context.expectEqual(delivered[0].keysPut, ["a"], "the records put in the end")
            try context.expectEqual(delivered[0].keysDeleted, ["b", "c"], "the records deleted in the end")
            try context.expectEqual(delivered[1].wholeEntities, ["Other"], "the entities changed as a whole")
            try context.expectEqual(delivered[1].keysPut, ["d"], "the records put beside a clear")
            context.witness(delivered.count)
        },
        fed(
            "FED-003", "A commit that failed, and one without operations, is not reported.",
            catches: "A hook on writes sees what is rolled back afterwards.", witness: "a commit that failed"
        ) { context in
            let store = try await context.open(.notes)
            var feed = try await FeedReader(store, after: nil, context)
            try await context.expectError(.preconditionFailed, from: "a commit whose precondition fails") {
                try await store.commit(
                    [.put(entity: "Note", rows: RowBuffer(row: [.text("x"), .integer(1)]), mode: .upsert)],
                    if: [.present(entity: "Note", key: RecordKey("missing"))])
            }
            try await context.expectError(.preconditionFailed, from: "a commit whose second step fails") {
                try await store.commit([
                    .put(entity: "Note", rows: RowBuffer(row: [.text("y"), .integer(1)]), mode: .upsert),
                    .put(entity: "Note", rows: RowBuffer(row: [.text("y"), .integer(1)]), mode: .insert),
                ])
            }
            context.witness(2)
            try await store.commit([])
            let last = try await store.put("Note", [[.text("z"), .integer(1)]])
            let delivered = try await feed.commits(through: last.sequence)
            try context.expectEqual(delivered.map { $0.keysPut }, [["z"]], "what is reported after commits that failed")
        },
        fed(
            "FED-004", "A commit of many records reports all of them, or their entity as a whole; nothing in between.",
            catches: "Notifications have a limit on their size and are cut.", witness: "records reported or covered"
        ) { context in
            let store = try await context.open(.notes)
            var feed = try await FeedReader(store, after: nil, context)
            for count in [255, 256, 257, 999, 1_000, 1_001, 5_000] {
                let rows: [[Value]] = (0..<count).map { [.text("k\($0)"), .integer(Int64(count))] }
                let receipt = try await store.put("Note", rows)
                let delivered = try await feed.commits(through: receipt.sequence)
                let keys = Set(delivered.flatMap { $0.keysPut })
                let isWhole = delivered.contains { $0.wholeEntities.contains("Note") }
                try context.expect(
                    isWhole || keys.count == count, "Of \(count) records of a commit, \(keys.count) were reported.")
                context.witness(count)
            }
        },
    ]

    private static let feedPosition = [
        fed(
            "FED-005", "A feed that begins after a sequence reports the next commit first: no gap, none twice.",
            catches: "Checkpoints compared with `>=`, or by time, lose or repeat the commit at the boundary.",
            witness: "feeds begun at a boundary"
        ) { context in
            let store = try await context.open(.notes)
            var sequences: [UInt64] = [0]
            for number in 0..<12 {
                sequences.append(try await store.put("Note", [[.text("n\(number)"), .integer(0)]]).sequence)
            }
            for start in 0..<12 {
                var feed = try await FeedReader(store, after: sequences[start], context)
                let delivered = try await feed.commits(through: sequences[12])
                try context.expectEqual(
                    delivered.map(\.sequence), Array(sequences[(start + 1)...]), "the commits after the \(start)th")
                await feed.close()
                context.witness()
            }
        },
        fed(
            "FED-006", "A feed continues after the store was closed and opened again.",
            requires: .all([.feature(.changeFeed), .persistence]),
            catches: "Feeds kept in memory start over, and what happened meanwhile is silently lost.",
            witness: "commits reported from before reopening"
        ) { context in
            let store = try await context.open(.notes)
            let first = try await store.put("Note", [[.text("a"), .integer(1)]])
            let second = try await store.put("Note", [[.text("b"), .integer(1)]])
            let again = try await store.reopen()
            var feed = try await FeedReader(again, after: first.sequence, context)
            let third = try await again.put("Note", [[.text("c"), .integer(1)]])
            let delivered = try await feed.commits(through: third.sequence)
            try context.expectEqual(
                delivered.map(\.sequence), [second.sequence, third.sequence], "the commits reported after reopening")
            context.witness(delivered.count)
        },
        fed(
            "FED-007", "A consumer that is too slow is notified of what was forgotten, and of every commit after that.",
            catches: "Bounded streams drop what was not fetched in time.", witness: "commits covered"
        ) { context in
            let store = try await context.open(.notes)
            var feed = try await FeedReader(store, after: nil, context)
            let start = try await store.put("Note", [[.text("start"), .integer(0)]]).sequence
            var sequences: [UInt64] = [start]
            for number in 0..<3_000 {
                sequences.append(
                    try await store.commit(
                        [
                            .put(
                                entity: "Note", rows: RowBuffer(row: [.text("k"), .integer(Int64(number))]),
                                mode: .upsert)
                        ], durability: Durability.none
                    ).sequence)
            }
            let last = sequences[sequences.count - 1]
            var rest = sequences[...]
            var position = start - 1
            while position < last {
                switch try await feed.next() {
                case .commits(let commits)?:
                    for commit in commits {
                        try context.expectEqual(
                            commit.sequence, rest.popFirst(), "the commit reported after \(position)")
                        position = commit.sequence
                        context.witness()
                    }
                case .gap(let through)?:
                    try context.expect(
                        through > position && through <= last,
                        "Forgotten through \(through), at \(position) of \(last).")
                    rest = rest.drop { $0 <= through }
                    position = through
                case nil: throw ClauseFailure("The feed ended while the store was open.")
                }
            }
        },
    ]
}

extension EntitySchema {
    /// `Note(id, number)`: what most checks of commits need.
    static let notes = EntitySchema("Note", fields: [FieldSchema("id", .id), FieldSchema("number", .int)])
    /// `Other(id, number)`: a second entity beside ``notes``.
    package static let others = EntitySchema("Other", fields: [FieldSchema("id", .id), FieldSchema("number", .int)])
}
