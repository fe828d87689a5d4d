import HoldfastStorage

extension Clause {
    /// Preconditions and unique indexes.
    static let preconditions: [Clause] =
        conditions + uniqueness + failedPreconditions + indexPrefixes + preconditionsOfHandles

    private static let conditions: [Clause] = [
        Clause(
            "PRE-001",
            "'absent', 'present' and 'version' are judged by the record as last committed: never written, written, "
                + "replaced, deleted, created again.",
            catches: "A version is taken for a counter per record, so a record created again passes for the old one.",
            witness: "preconditions judged in every state of a record", protectsData: true
        ) { context in
            var store = try await context.open(.items(), .pairs)
            let key = Items.key(5)
            var versions: [UInt64] = [0]
            let states: [(String, [WriteOperation])] = [
                ("never written", []), ("written", [Self.put(5, rank: 1)]), ("replaced", [Self.put(5, rank: 2)]),
                ("replaced by the same", [Self.put(5, rank: 2)]),
                ("deleted", [.delete(entity: "Item", keys: [key])]), ("created again", [Self.put(5, rank: 1)]),
                ("cleared", [.clear(entity: "Item")]), ("created once more", [Self.put(5, rank: 1)]),
            ]
            for (round, (state, operations)) in states.enumerated() {
                if round % 3 == 2, store.isPersistent { store = try await store.reopen() }
                let receipt = operations.isEmpty ? nil : try await store.commit(operations)
                let exists = try await store.row("Item", key) != nil
                try await store.put("Pair", [[.null, .text("other"), .integer(Int64(round))]])
                try await store.expectPrecondition(.absent(entity: "Item", key: key), !exists, state, context)
                try await store.expectPrecondition(.present(entity: "Item", key: key), exists, state, context)
                if let receipt { versions.append(receipt.sequence) }
                for version in versions + [versions[versions.count - 1] + 1, .max] {
                    let holds = exists && version == receipt?.sequence
                    try await store.expectPrecondition(
                        .version(entity: "Item", key: key, version), holds, "\(state), version \(version)", context)
                }
                try await store.expectPrecondition(.absent(entity: "Item", key: Items.key(6)), true, state, context)
            }
            // Other versions whose last bytes are the same. Adapters count differently, so they are made up.
            let last = try await store.commit([Self.put(5, rank: 1)]).sequence
            for distance: UInt64 in [256, 1 << 16, 1 << 32] {
                for version in [last &- distance, last + distance] {
                    try await store.expectPrecondition(
                        .version(entity: "Item", key: key, version), false, "a version \(distance) away", context)
                }
            }
        },
        Clause(
            "PRE-002",
            "'unchanged' fails if a record of the range was created, replaced or deleted after the sequence, and holds if "
                + "nothing was committed after it.",
            catches: "A range only remembers what is in it now: inserts (phantoms) and deletes go unnoticed.",
            witness: "changes within ranges that were noticed", protectsData: true
        ) { context in
            var store = try await context.open(.pairs)
            let key = RecordKey([.text("b"), .integer(5)])
            let ranges = [
                KeyRange("Pair"), KeyRange("Pair", from: .included([.text("b")]), to: .included([.text("b")])),
                KeyRange(
                    "Pair", from: .included([.text("b"), .integer(5)]), to: .included([.text("b"), .integer(5)])),
                KeyRange("Pair", from: .excluded([.text("a")]), to: .excluded([.text("c")])),
                KeyRange("Pair", from: .excluded([.text("b"), .integer(4)])),
                KeyRange("Pair", to: .excluded([.text("b"), .integer(6)])),
                KeyRange(
                    "Pair", from: .included([.text("b"), .integer(-1)]), to: .included([.text("b"), .integer(5)])),
            ]
            let changes: [(String, [WriteOperation])] = [
                ("created", [Self.putPair("b", 5)]), ("replaced", [Self.putPair("b", 5)]),
                ("deleted", [.delete(entity: "Pair", keys: [key])]), ("created again", [Self.putPair("b", 5)]),
                ("cleared", [.clear(entity: "Pair")]),
                (
                    "created and deleted",
                    [Self.putPair("b", 5), .delete(entity: "Pair", keys: [key]), Self.putPair("b", 5)]
                ),
                ("replaced among others", (0..<40).map { Self.putPair("b", $0) }),
            ]
            for (round, (name, operations)) in changes.enumerated() {
                let before = try await store.commit([Self.putPair("z", Int64(round))]).sequence
                for range in ranges {
                    try await store.expectPrecondition(
                        .unchanged(range, since: before), true, "before \(name)", context)
                }
                let after = try await store.commit(operations).sequence
                if round % 2 == 1, store.isPersistent { store = try await store.reopen() }
                for range in ranges {
                    for since in [before, before - 1, 0] {
                        try await store.expectPrecondition(
                            .unchanged(range, since: since), false, "\(name), since \(since)", context)
                    }
                    try await store.expectPrecondition(.unchanged(range, since: after), true, "since \(name)", context)
                    try await store.expectPrecondition(
                        .unchanged(range, since: .max), true, "since the greatest sequence", context)
                }
                // Elsewhere or not at all: what was changed stays known for long.
                for other in 0..<5 { try await store.commit([Self.putPair("x", Int64(other))]) }
                for range in ranges {
                    try await store.expectPrecondition(
                        .unchanged(range, since: before), false, "\(name) a while ago", context)
                }
            }
        },
        Clause(
            "PRE-003", "Deletes are remembered: 'unchanged' notices one of many, and one made long ago.",
            catches: "The log of deletes is cut off, and what was cut off counts as never changed.",
            witness: "deletes noticed after thousands of others", protectsData: true
        ) { context in
            let store = try await context.open(.items())
            try await store.put("Item", Items.numbered(0..<3_000))
            let before = try await store.put("Item", [Items.row(5_000)]).sequence
            try await store.delete("Item", [Items.key(7)])
            for start in stride(from: 100, to: 3_000, by: 290) {
                try await store.delete("Item", (start..<(start + 290)).map(Items.key))
                let one = KeyRange("Item", from: .included([.text(Items.id(7))]), to: .included([.text(Items.id(7))]))
                try await store.expectPrecondition(.unchanged(one, since: before), false, "a delete long ago", context)
                let last = KeyRange(
                    "Item", from: .included([.text(Items.id(start + 289))]),
                    to: .excluded([.text(Items.id(start + 290))]))
                try await store.expectPrecondition(
                    .unchanged(last, since: before), false, "the last of many deletes", context)
            }
        },
        Clause(
            "PRE-004", "All preconditions are judged before the first operation, against what was committed before.",
            catches: "The commit's own writes make its preconditions fail, or hold.",
            witness: "commits that change what their preconditions are about", protectsData: true
        ) { context in
            let store = try await context.open(.items())
            let key = Items.key(1)
            let first = try await store.commit(
                [Self.put(1, rank: 1), Self.put(1, rank: 2)], if: [.absent(entity: "Item", key: key)])
            let second = try await store.commit(
                [
                    Self.put(1, rank: 3), .delete(entity: "Item", keys: [key]), Self.put(1, rank: 4),
                    Self.put(2, rank: 1),
                ],
                if: [
                    .version(entity: "Item", key: key, first.sequence), .present(entity: "Item", key: key),
                    .unchanged(KeyRange("Item"), since: first.sequence), .absent(entity: "Item", key: Items.key(2)),
                ])
            try await store.commit([.clear(entity: "Item")], if: [.present(entity: "Item", key: key)])
            try await context.expectError(.preconditionFailed, from: "'present' of a record that the commit creates") {
                try await store.commit([Self.put(1, rank: 5)], if: [.present(entity: "Item", key: key)])
            }
            try await context.expectError(.preconditionFailed, from: "a version that the commit will give") {
                try await store.commit(
                    [Self.put(1, rank: 5)], if: [.version(entity: "Item", key: key, second.sequence + 2)])
            }
            try await store.commit([Self.put(1, rank: 6)])
            try await context.expectError(.preconditionFailed, from: "'absent' of a record that the commit deletes") {
                try await store.commit([.delete(entity: "Item", keys: [key])], if: [.absent(entity: "Item", key: key)])
            }
            try await store.expectHolds("Item", [Items.row(1, rank: 6)])
            context.witness(6)
        },
        Clause(
            "PRE-005",
            "Every precondition counts, wherever it is; the error names the first that fails, before any operation, "
                + "and nothing is changed.",
            catches: "Only the first precondition is checked, or only those of the records that are written.",
            witness: "commits refused for one precondition among many", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .pairs)
            let since = try await store.put("Item", Items.numbered(0..<120)).sequence
            try await store.put("Pair", [[.null, .text("a"), .integer(1)]])
            let holding: [Precondition] = (0..<300).map { count in
                let number = count % 100
                return switch count % 4 {
                case 0: .present(entity: "Item", key: Items.key(number))
                case 1: .absent(entity: "Item", key: Items.key(1_000 + number))
                case 2: .version(entity: "Item", key: Items.key(number), since)
                default: .unchanged(KeyRange("Item"), since: since)
                }
            }
            let failing: [Precondition] = [
                .present(entity: "Item", key: Items.key(999)), .absent(entity: "Item", key: Items.key(3)),
                .version(entity: "Item", key: Items.key(3), since + 1), .unchanged(KeyRange("Pair"), since: since),
            ]
            for count in [0, 1, 2, 31, 32, 33, 99, 100, 254, 255, 256, 300] {
                for precondition in failing {
                    let preconditions = Array(holding[..<count]) + [precondition] + holding[count...] + failing
                    // The operation would fail, too.
                    let error = try await context.expectError(
                        .preconditionFailed, from: "a commit of \(preconditions.count) preconditions"
                    ) {
                        try await store.commit(
                            [
                                .clear(entity: "Pair"),
                                .put(entity: "Item", rows: RowBuffer(row: Items.row(1)), mode: .insert),
                            ],
                            if: preconditions)
                    }
                    try context.expectEqual(error.position, .precondition(count), "the position of the precondition")
                    context.witness()
                }
            }
            try await store.commit([Self.put(200, rank: 1)], if: holding)
            let again = try await store.expectHolds("Item", Items.numbered(0..<120) + [Items.row(200, rank: 1)])
            try await again.expectHolds("Pair", [[.null, .text("a"), .integer(1)]])
        },
        Clause(
            "PRE-006", "Preconditions without operations are judged, too: they ask whether something still holds.",
            catches: "A commit without operations is skipped before its preconditions are read.",
            witness: "commits of preconditions alone", protectsData: true
        ) { context in
            let store = try await context.open(.items())
            let version = try await store.put("Item", [Items.row(1)]).sequence
            let receipt = try await store.commit([], if: [.version(entity: "Item", key: Items.key(1), version)])
            try context.expectEqual(receipt.sequence, version, "the sequence of preconditions that hold")
            for precondition in [
                Precondition.absent(entity: "Item", key: Items.key(1)), .present(entity: "Item", key: Items.key(2)),
                .version(entity: "Item", key: Items.key(1), version + 1),
                .unchanged(KeyRange("Item"), since: version - 1),
            ] {
                let error = try await context.expectError(.preconditionFailed, from: "\(precondition) alone") {
                    try await store.commit([], if: [precondition])
                }
                try context.expectEqual(error.position, .precondition(0), "the position of a precondition alone")
                context.witness()
            }
            try await store.expectHolds("Item", [Items.row(1)])
        },
        Clause(
            "PRE-007",
            "Preconditions are judged in the commit itself: of many tasks that create the same record if it is absent, one "
                + "succeeds.",
            level: .transactional,
            catches: "Check and write are two steps, with a gap in which another writer gets in.",
            witness: "races for one record", protectsData: true
        ) { context in
            let store = try await context.open(.items())
            for round in 0..<12 {
                let winners = try await withThrowingTaskGroup(of: Int?.self) { group in
                    for task in 0..<8 {
                        group.addTask {
                            let row = Items.row(round, rank: task)
                            do {
                                if task % 2 == 0 {
                                    try await store.put("Item", [row], mode: .insert)
                                } else {
                                    try await store.commit(
                                        [.put(entity: "Item", rows: RowBuffer(row: row), mode: .upsert)],
                                        if: [.absent(entity: "Item", key: Items.key(round))])
                                }
                                return task
                            } catch let error as StorageError
                                where error.kind == .preconditionFailed || error.kind == .conflict
                            {
                                return nil
                            }
                        }
                    }
                    return try await group.reduce(into: [Int]()) { winners, task in if let task { winners.append(task) }
                    }
                }
                try context.expectEqual(winners.count, 1, "tasks that created record \(round)")
                try context.expectEqual(
                    try await store.row("Item", Items.key(round)), Items.row(round, rank: winners[0]),
                    "the record of the task that succeeded")
                context.witness()
            }
        },
    ]

    private static func put(_ number: Int, rank: Int) -> WriteOperation {
        .put(entity: "Item", rows: RowBuffer(row: Items.row(number, rank: rank)), mode: .upsert)
    }

    private static func putPair(_ a: String, _ b: Int64) -> WriteOperation {
        .put(entity: "Pair", rows: RowBuffer(row: [.null, .text(a), .integer(b)]), mode: .upsert)
    }
}

extension TestStore {
    /// Checks whether a precondition holds, with a commit that changes nothing and only asks.
    func expectPrecondition(
        _ precondition: Precondition, _ holds: Bool, _ when: String, _ context: ClauseContext
    ) async throws {
        do {
            try await commit([], if: [precondition])
        } catch let error as StorageError where error.kind == .preconditionFailed {
            try context.expect(!holds, "\(when): expected that \(precondition) holds, but it failed")
            context.witness()
            return
        }
        try context.expect(holds, "\(when): expected that \(precondition) fails, but it held")
        context.witness()
    }
}
