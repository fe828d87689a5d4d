import HoldfastStorage

extension Clause {
    /// Preconditions about the records that have some values in an index.
    static let indexPrefixes: [Clause] = [
        Clause(
            "PRE-014",
            "'unchanged' with an index prefix fails if a record was created, replaced, deleted, moved in, or moved out under "
                + "these values after the sequence, and holds if nothing was committed after it.",
            catches: "Only records that still have the values are looked at, or null is compared as SQL does.",
            witness: "changes under an index prefix that were noticed", protectsData: true
        ) { context in
            var store = try await context.open(.items(indexed: true), .pairs)
            var isOther = false
            for (round, change) in IndexChange.all.enumerated() {
                try await store.commit([.clear(entity: "Item"), Self.items(IndexChange.before)])
                let before = try await store.put("Pair", [[.null, .text("a"), .integer(Int64(round))]]).sequence
                let prefixes = Self.prefixes(of: IndexChange.before)
                for prefix in prefixes {
                    try await store.expectPrecondition(
                        prefix, since: before, true, "before an item is \(change.name)", context)
                }
                let after = try await store.commit(change.operations).sequence
                if round % 2 == 1, store.isPersistent { store = try await store.reopen() }
                if round % 3 == 2, store.store.capabilities.support(for: .multipleProcesses) == .native {
                    store = try await store.another()
                    isOther = true
                }
                for prefix in prefixes where change.touches(prefix) {
                    for since in [before, before - 1] {
                        try await store.expectPrecondition(
                            prefix, since: since, false, "\(change.name), since \(since)", context)
                    }
                }
                for prefix in Self.prefixes(of: change.after) {
                    try await store.expectPrecondition(prefix, since: after, true, "since \(change.name)", context)
                }
                // Elsewhere: what was changed stays known for long.
                for other in 0..<5 { try await store.put("Pair", [[.null, .text("x"), .integer(Int64(other))]]) }
                for prefix in prefixes where change.touches(prefix) {
                    try await store.expectPrecondition(
                        prefix, since: before, false, "\(change.name) a while ago", context)
                }
            }
            if store.store.capabilities.support(for: .multipleProcesses) == .native {
                try context.expect(isOther, "No other handle asked.")
            }
        },
        Clause(
            "PRE-015",
            "'unchanged' with an index prefix is judged before the first operation, and the error names it among others.",
            catches: "The commit's own writes under the index make its precondition fail.",
            witness: "commits that change what their index prefix is about", protectsData: true
        ) { context in
            let store = try await context.open(.items(indexed: true))
            let since = try await store.put("Item", [Items.row(1, rank: 5), Items.row(2, rank: 6)]).sequence
            let five = Precondition.unchanged(
                KeyRange("Item", under: IndexPrefix("byRank", [.integer(5)], keys: [Items.key(1)])), since: since)
            let none = Precondition.unchanged(
                KeyRange("Item", under: IndexPrefix("byRank", [.integer(7)])), since: since)
            try await store.commit(
                [
                    Self.items([Items.row(3, rank: 5), Items.row(1, rank: 7)]),
                    .delete(entity: "Item", keys: [Items.key(1)]), Self.items([Items.row(4, rank: 7)]),
                ], if: [five, none, .present(entity: "Item", key: Items.key(1))])
            for (conditions, position) in [([five], 0), ([.absent(entity: "Item", key: Items.key(1)), none], 1)] {
                let error = await storageError {
                    try await store.commit([Self.items([Items.row(9, rank: 9)])], if: conditions)
                }
                try context.expectEqual(error?.kind, .preconditionFailed, "the error of a prefix that was changed")
                try context.expectEqual(error?.position, .precondition(position), "the position in the error")
            }
            try await store.expectHolds(
                "Item", [Items.row(2, rank: 6), Items.row(3, rank: 5), Items.row(4, rank: 7)])
            context.witness(3)
        },
        Clause(
            "PRE-016",
            "'unchanged' with an index prefix is judged in the commit itself: of two commits of which one relies on the records "
                + "with a value, and the other gives it to a record unless the first was made, one is refused.",
            level: .transactional,
            catches:
                "What an index has is looked at in one step and relied on in another: a cascade misses a new child.",
            witness: "pairs of commits that rely on each other", protectsData: true
        ) { context in
            let store = try await context.open(.items(indexed: true), .pairs)
            for round in 0..<16 {
                let rank = Value.integer(Int64(round))
                let parent = RecordKey([.text("parent"), rank])
                try await store.put("Pair", [[.null, .text("parent"), rank]])
                // A child that is there is moved away in every other round.
                let children = round % 2 == 0 ? [] : [Items.row(round, rank: round)]
                let since = try await store.put("Item", children + [Items.row(1_000, rank: -1)]).sequence
                let keys = children.map { _ in Items.key(round) }
                let unchanged = Precondition.unchanged(
                    KeyRange("Item", under: IndexPrefix("byRank", [rank], keys: keys)), since: since)
                let commits: [([WriteOperation], Precondition)] = [
                    ([.delete(entity: "Pair", keys: [parent])], unchanged),
                    (
                        [Self.items([Items.row(round, rank: round % 2 == 0 ? round : -1)])],
                        .present(entity: "Pair", key: parent)
                    ),
                ]
                let successes = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for (operations, condition) in commits {
                        group.addTask {
                            do {
                                try await store.commit(operations, if: [condition])
                                return true
                            } catch let error as StorageError
                                where error.kind == .preconditionFailed || error.kind == .conflict
                            {
                                return false
                            }
                        }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                try context.expectEqual(successes, 1, "commits of two that rely on each other")
                context.witness()
            }
        },
        Clause(
            "PRE-018",
            "'unchanged' with an index prefix takes two ways of writing one instant for equal.",
            catches: "Values are compared as they are written: a record of the same instant goes unnoticed.",
            witness: "records of an instant that were noticed", protectsData: true
        ) { context in
            let entity = EntitySchema(
                "Event", fields: [FieldSchema("id", .int), FieldSchema("at", .dateTime)],
                indexes: [IndexSchema("byAt", on: ["at"])])
            let store = try await context.open(entity, .pairs)
            let forms = try ["2024-03-10T12:00:00Z", "2024-03-10T14:00:00+02:00", "2024-03-10T12:00:00.000Z"].map {
                try FieldType.dateTime.canonical(.text($0))
            }
            let later = try FieldType.dateTime.canonical(.text("2024-03-10T12:00:00.000000001Z"))
            for form in forms {
                let prefix = IndexPrefix("byAt", [form], keys: [RecordKey([.integer(1)])])
                for other in forms where other != form {
                    // One record is given the instant, the other is created.
                    for number: Int64 in [2, 3] {
                        try await store.commit([.clear(entity: "Event")])
                        try await store.put("Event", [[.integer(1), form], [.integer(2), later]])
                        let before = try await store.put("Pair", [[.null, .text("a"), .integer(number)]]).sequence
                        let isUnchanged = Precondition.unchanged(KeyRange("Event", under: prefix), since: before)
                        try await store.expectPrecondition(isUnchanged, true, "before another record", context)
                        try await store.put("Event", [[.integer(number), other]])
                        try await store.expectPrecondition(
                            isUnchanged, false, "once another record has the instant", context)
                    }
                }
            }
        },
    ]

    private static func items(_ rows: [[Value]]) -> WriteOperation {
        .put(entity: "Item", rows: RowBuffer(rows: rows), mode: .upsert)
    }

    /// Prefixes of one and of two values, with and without nulls, and the keys under each.
    private static func prefixes(of rows: [[Value]]) -> [IndexPrefix] {
        let (title, rank) = (Value.text("a"), Value.integer(1))
        let prefixes = [
            IndexPrefix("byTitle", [title]), IndexPrefix("byTitle", [.null]), IndexPrefix("byTitle", [.text("none")]),
            IndexPrefix("byTitleAndRank", [title]), IndexPrefix("byTitleAndRank", [title, rank]),
            IndexPrefix("byTitleAndRank", [title, .null]), IndexPrefix("byTitleAndRank", [.null, rank]),
            IndexPrefix("byTitleAndRank", [.null, .null]), IndexPrefix("byRank", [rank]),
        ]
        return prefixes.map { prefix in
            var prefix = prefix
            prefix.keys = rows.filter { IndexChange.has($0, prefix) }.map { RecordKey([$0[0]]) }
            return prefix
        }
    }
}

/// A commit that changes one item among others, and what the items are then.
private struct IndexChange {
    let name: String
    let operations: [WriteOperation]
    let after: [[Value]]
    /// The item as it was and as it became, where it had or has these values.
    let touched: [[Value]]

    static let before = [
        Items.row(0, rank: 1, title: "a"), Items.row(1, title: "a"), Items.row(2, rank: 1), Items.row(3),
        Items.row(4, rank: 2, title: "b"), Items.row(5, rank: 2, title: "b"),
    ]

    static let all: [IndexChange] =
        [
            IndexChange("replaced by the same", 0, Items.row(0, rank: 1, title: "a")),
            IndexChange("replaced by the same, without a rank,", 1, Items.row(1, title: "a")),
            IndexChange("created", 6, Items.row(6, rank: 1, title: "a")),
            IndexChange("created without values", 6, Items.row(6)),
            IndexChange("deleted", 0, nil), IndexChange("deleted, without a rank,", 1, nil),
            IndexChange("deleted, without values,", 3, nil),
            IndexChange("moved in", 4, Items.row(4, rank: 1, title: "a")),
            IndexChange("moved in without values", 5, Items.row(5)),
            IndexChange("moved out", 0, Items.row(0, rank: 2, title: "b")),
            IndexChange("moved out, without values,", 3, Items.row(3, rank: 2, title: "b")),
            IndexChange("moved out of the second value", 0, Items.row(0, rank: 2, title: "a")),
            IndexChange("given a second value", 1, Items.row(1, rank: 1, title: "a")),
            IndexChange("deleted and created again", 0, Items.row(0, rank: 1, title: "a"), deletesFirst: true),
        ] + [exchanged, cleared]

    /// The number of records stays what it was.
    private static let exchanged: IndexChange = {
        let rows = [Items.row(0, rank: 2, title: "b"), Items.row(4, rank: 1, title: "a")]
        return IndexChange(
            name: "exchanged for another", operations: [put(rows)],
            after: [rows[0]] + before[1...3] + [rows[1], before[5]], touched: rows + [before[0], before[4]])
    }()

    private static let cleared = IndexChange(
        name: "cleared with all others", operations: [.clear(entity: "Item")], after: [], touched: before)

    private init(name: String, operations: [WriteOperation], after: [[Value]], touched: [[Value]]) {
        (self.name, self.operations, self.after, self.touched) = (name, operations, after, touched)
    }

    private init(_ name: String, _ number: Int, _ row: [Value]?, deletesFirst: Bool = false) {
        let id = Value.text(Items.id(number))
        let deletion = WriteOperation.delete(entity: "Item", keys: [Items.key(number)])
        let others = Self.before.filter { $0[0] != id }
        self.init(
            name: name,
            operations: (row == nil || deletesFirst ? [deletion] : []) + (row.map { [Self.put([$0])] } ?? []),
            after: others + (row.map { [$0] } ?? []),
            touched: Self.before.filter { $0[0] == id } + (row.map { [$0] } ?? []))
    }

    private static func put(_ rows: [[Value]]) -> WriteOperation {
        .put(entity: "Item", rows: RowBuffer(rows: rows), mode: .upsert)
    }

    /// Whether the item has the values of a prefix, before or after.
    func touches(_ prefix: IndexPrefix) -> Bool { touched.contains { Self.has($0, prefix) } }

    /// Whether an item has the values of a prefix.
    static func has(_ row: [Value], _ prefix: IndexPrefix) -> Bool {
        prefix.predicate(of: .items(indexed: true))?.matches(row) ?? false
    }
}

extension TestStore {
    fileprivate func expectPrecondition(
        _ prefix: IndexPrefix, since: UInt64, _ holds: Bool, _ when: String, _ context: ClauseContext
    ) async throws {
        try await expectPrecondition(
            .unchanged(KeyRange("Item", under: prefix), since: since), holds, when, context)
    }
}
