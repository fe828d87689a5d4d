import HoldfastStorage

extension Clause {
    /// Commits and reads by key of many sizes.
    static let sizesOfWrites: [Clause] = [
        Clause(
            "WRT-015", "A put writes all its rows, whatever their number.",
            catches:
                "Rows are bound in chunks (999 or 32,766 parameters), and one at the border is lost or written twice.",
            witness: "puts of many sizes", protectsData: true
        ) { context in
            var store = try await context.open(.items(), .items("Indexed", indexed: true))
            for entity in ["Item", "Indexed"] {
                for (round, size) in Sizes.boundaries.enumerated() {
                    let rows = (0..<size).map { Items.row($0, rank: round) }
                    let receipt = try await store.commit([
                        .clear(entity: entity),
                        .put(entity: entity, rows: RowBuffer(rows: rows), mode: round % 2 == 0 ? .insert : .upsert),
                    ])
                    try context.expectEqual(receipt.putCount, size, "rows put of \(size)")
                    let found = try await store.everything(in: entity)
                    try context.expect(
                        found == rows, "\(entity) after a put of \(size) rows: \(SwiftText.difference(found, rows))")
                    let indexed = try await store.aggregates(
                        entity, where: .compare("rank", .equal, .integer(Int64(round))), [.count])
                    try context.expectEqual(indexed, [.integer(Int64(size))], "\(size) rows of \(entity) by rank")
                    context.witness()
                }
                let last = (0..<(Sizes.boundaries.last ?? 0)).map { Items.row($0, rank: Sizes.boundaries.count - 1) }
                store = try await store.expectHolds(entity, last)
            }
        },
        Clause(
            "WRT-016", "A delete removes all its keys, and an update replaces all its rows, whatever their number.",
            catches: "`IN (?, ?, …)` in chunks loses the keys at a border.",
            witness: "deletes and updates of many sizes", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            for entity in ["Item", "Indexed"] {
                for size in Sizes.boundaries where size <= 1_100 {
                    let rows = Items.numbered(0..<(size + 2))
                    let updated = (0..<size).map { Items.row($0, rank: -$0) }
                    try await store.commit([
                        .clear(entity: entity), .put(entity: entity, rows: RowBuffer(rows: rows), mode: .upsert),
                        .put(entity: entity, rows: RowBuffer(rows: updated), mode: .update),
                    ])
                    let after = try await store.everything(in: entity)
                    let expected = updated + rows[size...]
                    try context.expect(
                        after == expected,
                        "\(entity) after an update of \(size): \(SwiftText.difference(after, expected))")
                    let receipt = try await store.delete(
                        entity, (0..<size).map { Items.key($0) } + [Items.key(size + 5)])
                    try context.expectEqual(receipt.deletedCount, size, "records deleted of \(size)")
                    let left = try await store.everything(in: entity)
                    try context.expectEqual(left, Array(rows[size...]), "\(entity) after a delete of \(size)")
                    context.witness()
                }
            }
        },
        Clause(
            "WRT-017", "A commit may have very many operations; all are applied.",
            catches: "Operations are sent in groups, and a group is lost or becomes a commit of its own.",
            witness: "operations of one commit", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .pairs)
            for count in [31, 32, 33, 100, 999, 1_000, 1_001, 2_500] {
                var operations: [WriteOperation] = [.clear(entity: "Item"), .clear(entity: "Pair")]
                for number in 0..<count {
                    operations.append(
                        .put(entity: "Item", rows: RowBuffer(row: Items.row(number, rank: number)), mode: .insert))
                    if number % 3 == 0 {
                        operations.append(
                            .put(
                                entity: "Pair", rows: RowBuffer(row: [.null, .text("p"), .integer(Int64(number))]),
                                mode: .upsert))
                    }
                    if number % 5 == 4 { operations.append(.delete(entity: "Item", keys: [Items.key(number - 1)])) }
                }
                let receipt = try await store.commit(operations)
                let rows = (0..<count).filter { $0 % 5 != 3 || $0 == count - 1 }.map { Items.row($0, rank: $0) }
                let found = try await store.store.rows(QueryPlan("Item"))
                try context.expect(
                    found.map(\.cells) == rows,
                    "the records of \(operations.count) operations: \(SwiftText.difference(found.map(\.cells), rows))")
                try context.expect(
                    found.allSatisfy { $0.version == receipt.sequence },
                    "all \(operations.count) operations of one commit give one version")
                let pairs = try await store.everything(in: "Pair").count
                try context.expectEqual(
                    pairs, (count + 2) / 3, "records of the other entity after \(operations.count) operations")
                context.witness(operations.count)
            }
        },
        Clause(
            "WRT-018",
            "Reading by key gives one row per key, in the order asked: a key asked for twice comes twice, a missing record "
                + "is a row of nulls with version 0.",
            catches: "Rows come in key order, once each, and missing ones are left out; chunks of keys lose some.",
            witness: "reads of many sizes by key", protectsData: true
        ) { context in
            let store = try await context.open(.items(), .pairs)
            let rows = Items.numbered(0..<1_300)
            try await store.put("Item", rows)
            try await store.delete("Item", (0..<1_300).filter { $0 % 7 == 3 }.map(Items.key))
            try await store.put("Pair", [[.text("t"), .text("a"), .integer(1)]])
            var random = SplitMix64(seed: context.seed)
            let nulls: [Value] = Array(repeating: .null, count: 5)
            for size in Sizes.boundaries where size <= 1_100 {
                for isRandom in [false, true] {
                    let numbers = (0..<size).map { isRandom ? random.below(1_320) : $0 }
                    let expected = numbers.map { $0 % 7 == 3 || $0 >= 1_300 ? nulls : rows[$0] }
                    let keys = numbers.map { Items.key($0) }
                    let direct = try await store.store.records(keys, of: "Item")
                    let seen = try await store.store.withSnapshot { try await $0.records(keys, of: "Item") }
                    for (name, found) in [("the store", direct), ("a snapshot", seen)] {
                        let cells = found.map(\.cells)
                        try context.expect(
                            cells == expected,
                            "\(size) keys read from \(name): \(SwiftText.difference(cells, expected))")
                        try context.expect(
                            found.allSatisfy { ($0.version == 0) == $0.cells[0].isNull },
                            "\(size) keys read from \(name): version 0 stands for a missing record, and for nothing else"
                        )
                    }
                    context.witness()
                }
            }
            let pairs = try await store.store.records(
                [RecordKey([.text("a"), .integer(2)]), RecordKey([.text("a"), .integer(1)])], of: "Pair")
            try context.expectEqual(pairs.map { $0.version > 0 }, [false, true], "records by keys of two parts")
        },
    ]
}
