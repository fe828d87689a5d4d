import HoldfastStorage

extension Clause {
    /// The steps of a commit, its wholeness, versions and receipts.
    static let orderOfWrites: [Clause] = [
        Clause(
            "WRT-009", "The operations of a commit are applied in order; a later one sees the earlier ones.",
            catches: "Deletes run before puts, puts of one key are merged, or checks see the state before the commit.",
            witness: "commits with several operations on one record", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let old = Items.row(1, rank: 1)
            let one = Items.row(1, rank: 10)
            let two = Items.row(1, rank: 20)
            let key = Items.key(1)
            for entity in ["Item", "Indexed"] {
                func put(_ row: [Value], _ mode: WriteOperation.PutMode = .upsert) -> WriteOperation {
                    .put(entity: entity, rows: RowBuffer(row: row), mode: mode)
                }
                func twice(_ mode: WriteOperation.PutMode) -> WriteOperation {
                    .put(entity: entity, rows: RowBuffer(rows: [one, two]), mode: mode)
                }
                let delete = WriteOperation.delete(entity: entity, keys: [key])
                let clear = WriteOperation.clear(entity: entity)
                // The operations on a store that holds `old`, the record afterwards, and what was counted.
                let cases: [(String, [WriteOperation], [Value]?, Int, Int)] = [
                    ("put, put", [put(one), put(two)], two, 2, 0), ("put of both", [twice(.upsert)], two, 2, 0),
                    ("update of both", [twice(.update)], two, 2, 0), ("put, delete", [put(one), delete], nil, 1, 1),
                    ("delete, put", [delete, put(one)], one, 1, 1),
                    ("delete, insert", [delete, put(one, .insert)], one, 1, 1),
                    ("delete, delete", [delete, delete], nil, 0, 1),
                    ("clear, insert", [clear, put(one, .insert)], one, 1, 1),
                    ("put, clear", [put(one), clear], nil, 1, 1),
                    ("put, delete, put", [put(one), delete, put(two)], two, 2, 1),
                    ("delete, insert, update", [delete, put(one, .insert), put(two, .update)], two, 2, 1),
                    ("clear, clear", [clear, clear], nil, 0, 1),
                ]
                for (name, operations, row, putCount, deletedCount) in cases {
                    try await store.put(entity, [old])
                    let receipt = try await store.commit(operations)
                    try context.expectEqual(try await store.row(entity, key), row, "\(entity) after \(name)")
                    let found = try await store.rows(QueryPlan(entity, where: .compare("rank", .greater, .integer(0))))
                    try context.expectEqual(found, row.map { [$0] } ?? [], "\(entity) by rank after \(name)")
                    try context.expectEqual(receipt.putCount, putCount, "records put by \(name)")
                    try context.expectEqual(receipt.deletedCount, deletedCount, "records deleted by \(name)")
                    context.witness()
                }
                for (name, operations) in [
                    ("delete, update", [delete, put(one, .update)]), ("put, insert", [put(one), put(two, .insert)]),
                    ("clear, update", [clear, put(one, .update)]),
                ] {
                    try await store.put(entity, [old])
                    let error = try await context.expectError(.preconditionFailed, from: name) {
                        try await store.commit(operations)
                    }
                    try context.expectEqual(error.position, .operation(1), "the position of the error of \(name)")
                    try context.expectEqual(
                        try await store.row(entity, key), old, "\(entity) after \(name), which failed")
                }
            }
        },
        Clause(
            "WRT-010", "A commit that fails at any of its operations has changed nothing.",
            catches: "The operations before the failed one stay; or the part of an operation before the failed row.",
            witness: "commits that failed at each of their operations", protectsData: true
        ) { context in
            var store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = Items.numbered(0..<40)
            try await store.put("Item", rows)
            try await store.put("Indexed", rows)
            for (round, index) in [0, 1, 2, 5, 6].enumerated() {
                var operations: [WriteOperation] = [
                    .put(
                        entity: "Item", rows: RowBuffer(rows: (0..<20).map { Items.row($0, rank: -1) }), mode: .update),
                    .put(entity: "Indexed", rows: RowBuffer(rows: (100..<140).map { Items.row($0) }), mode: .insert),
                    .delete(entity: "Item", keys: (20..<30).map(Items.key)), .clear(entity: "Indexed"),
                    .put(entity: "Indexed", rows: RowBuffer(row: Items.row(5, rank: 55)), mode: .upsert),
                    .delete(entity: "Indexed", keys: [Items.key(5)]),
                ]
                // Fails at its last row only.
                let failing = RowBuffer(rows: (200..<230).map { Items.row($0) } + [Items.row(900)])
                operations.insert(
                    round % 2 == 0
                        ? .put(entity: "Item", rows: RowBuffer(rows: [Items.row(900), Items.row(900)]), mode: .insert)
                        : .put(entity: "Item", rows: failing, mode: .update), at: index)
                let error = try await context.expectError(.preconditionFailed, from: "a commit that fails at \(index)")
                {
                    try await store.commit(operations)
                }
                try context.expectEqual(error.position, .operation(index), "the position of the error")
                context.witness()
                try await store.expectRows("Item", rows, context)
                try await store.expectRows("Indexed", rows, context)
            }
            store = try await store.expectHolds("Item", rows)
            store = try await store.expectHolds("Indexed", rows)
            try await store.put("Item", [Items.row(40, rank: 40)])
            try await store.expectHolds("Item", rows + [Items.row(40, rank: 40)])
        },
        Clause(
            "WRT-011", "Every record has as version the sequence of the commit that wrote it last; others keep theirs.",
            catches: "Versions count per record, stay when a record is replaced, or move for the whole table.",
            witness: "versions of written and of untouched records", protectsData: true
        ) { context in
            var store = try await context.open(.items(), .items("Indexed", indexed: true), .pairs)
            var versions: [Int: UInt64] = [:]
            var random = SplitMix64(seed: context.seed)
            for round in 0..<30 {
                let numbers = random.sample(Array(0..<12), 1 + round % 3)
                let deleted = round % 4 == 3 ? 11 - round % 12 : nil
                var operations: [WriteOperation] = [
                    .put(entity: "Item", rows: RowBuffer(rows: numbers.map { Items.row($0, rank: 1) }), mode: .upsert)
                ]
                if let deleted { operations.append(.delete(entity: "Item", keys: [Items.key(deleted)])) }
                let receipt = try await store.commit(operations)
                for number in numbers { versions[number] = receipt.sequence }
                if let deleted { versions[deleted] = nil }
                try await store.put("Pair", [[.null, .text("a"), .integer(Int64(round))]])
                let read = try await store.store.records((0..<12).map(Items.key), of: "Item").map(\.version)
                try context.expectEqual(read, (0..<12).map { versions[$0] ?? 0 }, "the versions after commit \(round)")
                let plans = [
                    QueryPlan("Item"), QueryPlan("Item", sort: [SortKey("rank")]),
                    QueryPlan("Item", where: .compare("rank", .equal, .integer(1)), projection: ["rank"]),
                ]
                for plan in plans {
                    let found = try await store.store.rows(plan).map(\.version)
                    try context.expectEqual(
                        found, (0..<12).compactMap { versions[$0] }, "the versions of \(SwiftText.query(plan))")
                    let inBatches = try await store.store.withSnapshot { try await $0.rows(plan, batch: 3) }
                    try context.expectEqual(
                        inBatches.map(\.version), found, "the versions of \(SwiftText.query(plan)), in batches of 3")
                }
                context.witness(numbers.count)
                if round == 14, store.isPersistent { store = try await store.reopen() }
            }
        },
        Clause(
            "WRT-012",
            "Sequences rise from commit to commit, also where a commit failed or the store was reopened; a commit without "
                + "operations changes nothing and returns the last one.",
            catches: "The sequence is a clock, is reused after an error, or starts again after reopening.",
            witness: "sequences that were compared", protectsData: true
        ) { context in
            var store = try await context.open(.items())
            let first = try await store.commit([])
            try context.expectEqual(first, CommitReceipt(sequence: 0), "an empty commit on a store never written")
            var last: UInt64 = 0
            for round in 0..<40 {
                let receipt: CommitReceipt
                switch round % 5 {
                case 0: receipt = try await store.put("Item", [Items.row(round)])
                case 1: receipt = try await store.put("Item", [Items.row(round - 1)])
                case 2: receipt = try await store.delete("Item", [Items.key(round - 2)])
                case 3:
                    try await context.expectError(.preconditionFailed, from: "an update of nothing") {
                        try await store.put("Item", [Items.row(777)], mode: .update)
                    }
                    receipt = try await store.commit([.clear(entity: "Item")])
                default:
                    if store.isPersistent { store = try await store.reopen() }
                    receipt = try await store.put("Item", [Items.row(round)])
                }
                try context.expect(
                    receipt.sequence > last,
                    "commit \(round): expected a sequence beyond \(last), got \(receipt.sequence)")
                last = receipt.sequence
                let empty = try await store.commit([])
                try context.expectEqual(empty, CommitReceipt(sequence: last), "a commit without operations")
                let seen = try await store.store.withSnapshot { $0.sequence }
                try context.expectEqual(seen, last, "the sequence of a snapshot after commit \(round)")
                context.witness()
            }
        },
        Clause(
            "WRT-013", "Writing a record as it already is counts as a write: it is counted, and it gets a new version.",
            catches: "Identical rows are skipped, so a version that others wait for never comes.",
            witness: "identical records written again"
        ) { context in
            let store = try await context.open(.items())
            let rows = Items.numbered(0..<3)
            var last = try await store.put("Item", rows).sequence
            for mode in [WriteOperation.PutMode.upsert, .update, .upsert] {
                let receipt = try await store.put("Item", [rows[1]], mode: mode)
                try context.expectEqual(receipt.putCount, 1, "records put that were so already")
                let record = try await store.store.records([Items.key(1)], of: "Item")
                try context.expectEqual(
                    record, [StoredRow(rows[1], version: receipt.sequence)], "a record written again as it was")
                try context.expect(receipt.sequence > last, "the sequence after writing a record as it was")
                last = receipt.sequence
                context.witness()
            }
        },
        Clause(
            "WRT-014", "Indexes follow every write: a query by an indexed field finds records by their new value only.",
            catches: "Old index entries stay after an update, a delete, or a put of the same key twice in one commit.",
            witness: "queries by index after writes", protectsData: true
        ) { context in
            var store = try await context.open(.items("Indexed", indexed: true))
            var random = SplitMix64(seed: context.seed)
            var model: [Int: [Value]] = [:]
            for round in 0..<60 {
                var operations: [WriteOperation] = []
                for _ in 0..<(1 + random.below(3)) {
                    let number = random.below(15)
                    if random.chance(25) {
                        operations.append(.delete(entity: "Indexed", keys: [Items.key(number)]))
                        model[number] = nil
                    } else {
                        let row = Items.row(
                            number, rank: random.chance(20) ? nil : random.below(4),
                            title: random.chance(20) ? nil : random.pick(["a", "b", ""]))
                        operations.append(.put(entity: "Indexed", rows: RowBuffer(row: row), mode: .upsert))
                        model[number] = row
                    }
                }
                try await store.commit(operations)
                if round == 30, store.isPersistent { store = try await store.reopen() }
                let rows = model.keys.sorted().compactMap { model[$0] }
                for rank in [Value.null] + (0..<4).map({ .integer($0) }) {
                    try await store.expectAnswer(QueryPlan("Indexed", where: .compare("rank", .equal, rank)), of: rows)
                }
                try await store.expectAnswer(QueryPlan("Indexed", sort: [SortKey("title"), SortKey("rank")]), of: rows)
                try await store.expectAnswer(
                    QueryPlan(
                        "Indexed", where: .isIn("title", [.text("a"), .null]), sort: [SortKey("rank", .descending)]),
                    of: rows)
                context.witness(rows.count)
            }
        },
    ]
}

extension TestStore {
    /// Compares what scan, query and a query by rank say with what an entity should hold; cheaper than `expectHolds`.
    func expectRows(_ entity: String, _ rows: [[Value]], _ context: ClauseContext) async throws {
        try context.expectEqual(try await everything(in: entity), rows, "\(entity) by scan")
        try await expectAnswer(QueryPlan(entity, where: .compare("rank", .greaterOrEqual, .integer(0))), of: rows)
        let count = try await store.withSnapshot { try await $0.count(entity) }
        try context.expectEqual(count, rows.count, "the count of \(entity)")
    }
}
