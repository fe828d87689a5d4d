import HoldfastStorage

extension Clause {
    /// Sorting, pages, cursors and the delivery of results.
    static let order: [Clause] = sorting + orderOfPages + orderOfDelivery + orderOfPageSizes

    private static let sorting: [Clause] = [
        Clause(
            "ORD-001",
            "Records with equal sort fields come in ascending order of their primary key, also in a descending sort.",
            level: .query,
            catches:
                "Databases leave the order of ties open, and a descending sort is implemented as the mirror image.",
            witness: "records that tie, in both directions"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true), .pairs)
            let rows = (0..<70).map { Items.row($0, rank: $0 % 2, title: "same") }
            for entity in ["Item", "Indexed"] {
                try await store.putShuffled(entity, rows, seed: context.seed)
                for direction in [SortKey.Direction.ascending, .descending] {
                    let ties = try await store.rows(QueryPlan(entity, sort: [SortKey("title", direction)]))
                    try context.expectEqual(ties, rows, "\(entity) sorted by a title that all share, \(direction)")
                    let first = direction == .ascending ? 0 : 1
                    let halves =
                        rows.filter { $0[1] == .integer(Int64(first)) }
                        + rows.filter { $0[1] != .integer(Int64(first)) }
                    let ranked = try await store.rows(QueryPlan(entity, sort: [SortKey("rank", direction)]))
                    try context.expectEqual(ranked, halves, "\(entity) sorted by two ranks, \(direction)")
                    context.witness(ties.count)
                }
            }
            let pairs: [[Value]] = ["a", "b", "c"].flatMap { a in (0..<3).map { [.null, .text(a), .integer($0)] } }
            try await store.putShuffled("Pair", pairs, seed: context.seed)
            let byText = try await store.rows(QueryPlan("Pair", sort: [SortKey("text", .descending)]))
            try context.expectEqual(byText, pairs, "records of a two-part key, sorted by a text that all share")
            let byB = try await store.rows(QueryPlan("Pair", sort: [SortKey("b", .descending)]))
            let expected = (0..<3).reversed().flatMap { b in pairs.filter { $0[2] == .integer(Int64(b)) } }
            try context.expectEqual(byB, expected, "records of a two-part key, sorted by its second part, descending")
        },
        Clause(
            "ORD-002", "Without a sort, records come in primary key order, however they were written and rewritten.",
            catches: "Rows come in insertion, heap or hash order, which changes by itself after an update.",
            witness: "records delivered without a sort, written out of order"
        ) { context in
            var store = try await context.open(.items(), .items("Indexed", indexed: true), .pairs)
            for entity in ["Item", "Indexed"] {
                var rows = Items.mixed(140, seed: context.seed)
                try await store.putShuffled(entity, rows, seed: context.seed)
                rows.remove(at: 17)
                try await store.delete(entity, [Items.key(17)])
                for number in [3, 90, 138] {
                    rows[number][2] = .text("rewritten")
                    try await store.put(entity, [rows[number]], mode: .update)
                }
                try await store.put(entity, [Items.row(-1)])
                rows.insert(Items.row(-1), at: 0)
                context.witness(try await store.expectAnswer(QueryPlan(entity), of: rows))
                let filter = Predicate.compare("rank", .greaterOrEqual, .integer(0))
                try await store.expectAnswer(QueryPlan(entity, where: filter), of: rows, "by a field with an index")
                store = try await store.expectHolds(entity, rows)
            }
            let pairs: [[Value]] = ["", "a", "a#", "b"].flatMap { a in
                [-300, -1, 0, 1, 10, 300].map { [.text("t"), .text(a), .integer($0)] }
            }
            try await store.putShuffled("Pair", pairs, seed: context.seed &+ 2)
            try await store.expectHolds("Pair", pairs)
        },
        Clause(
            "ORD-003", "Null is the least value: first in an ascending sort, last in a descending one.", level: .query,
            catches: "PostgreSQL sorts nulls last ascending; sparse indexes leave them out.",
            witness: "records with null in a sorted field"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = (0..<40).map { Items.row($0, rank: $0 % 4 == 0 ? nil : $0, title: $0 % 3 == 0 ? nil : "t\($0)") }
            for entity in ["Item", "Indexed"] {
                try await store.putShuffled(entity, rows, seed: context.seed)
                for (field, position) in [("rank", 1), ("title", 2)] {
                    let nulls = rows.filter { $0[position].isNull }
                    let up = try await store.rows(QueryPlan(entity, sort: [SortKey(field)]))
                    try context.expectEqual(Array(up.prefix(nulls.count)), nulls, "the first of \(entity) by \(field)")
                    let down = try await store.rows(QueryPlan(entity, sort: [SortKey(field, .descending)]))
                    try context.expectEqual(
                        Array(down.suffix(nulls.count)), nulls, "the last of \(entity) by \(field), descending")
                    try context.expectEqual(up.count, rows.count, "sorted records of \(entity)")
                    try context.expectEqual(down.count, rows.count, "sorted records of \(entity), descending")
                    context.witness(nulls.count)
                }
            }
        },
        Clause(
            "ORD-004",
            "Several sort fields decide one after the other, each in its own direction, with or without an index.",
            level: .query,
            catches:
                "The second criterion is ignored, takes the direction of the first, or an index decides the order.",
            witness: "rows of every sort that agree with the definition of order"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = Items.mixed(160, seed: context.seed)
            for entity in ["Item", "Indexed"] {
                try await store.putShuffled(entity, rows, seed: context.seed)
                for sort in Items.sorts {
                    context.witness(try await store.expectAnswer(QueryPlan(entity, sort: sort), of: rows))
                    let filter = Predicate.compare("rank", .greaterOrEqual, .integer(0))
                    try await store.expectAnswer(QueryPlan(entity, where: filter, sort: sort), of: rows)
                }
            }
        },
        Clause(
            "ORD-005",
            "One comparison decides filters, sorts and ranges: a filter with a bound selects one end of the sort.",
            level: .query,
            catches: "The filter compares by another collation or number type than the sort, so pages skip records.",
            witness: "bounds whose two sides make up the sorted whole"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true))
            let rows = Items.mixed(120, seed: context.seed &+ 1)
            for entity in ["Item", "Indexed"] {
                try await store.putShuffled(entity, rows, seed: context.seed)
                for (position, field) in ["rank", "title", "price", "done"].enumerated().map({ ($0 + 1, $1) }) {
                    let sort = [SortKey(field)]
                    let sorted = try await store.rows(QueryPlan(entity, sort: sort)).filter { !$0[position].isNull }
                    for bound in Set(sorted.map { $0[position] }) {
                        let below = try await store.rows(
                            QueryPlan(entity, where: .compare(field, .less, bound), sort: sort))
                        let above = try await store.rows(
                            QueryPlan(entity, where: .compare(field, .greaterOrEqual, bound), sort: sort))
                        try context.expectEqual(
                            below + above, sorted, "\(entity) below and from \(SwiftText.value(bound)) by \(field)")
                        let index = sorted.firstIndex { $0[position] == bound }
                        try context.expectEqual(
                            below.count, index, "records of \(entity) below \(SwiftText.value(bound)) by \(field)")
                        context.witness()
                    }
                }
            }
        },
        Clause(
            "ORD-024",
            "Lists of values for several fields change no order, in whatever directions these fields are sorted.",
            level: .query,
            catches: "Each combination of the values is a range of an index, and ties are put in order range by range.",
            witness: "rows of queries with lists of values for two fields"
        ) { context in
            let store = try await context.open(.items(), .items("Indexed", indexed: true), .pairs)
            // 40 records for each title and rank, so that two ranges have more than adapters read ahead.
            let rows = (0..<360).map { Items.row($0, rank: $0 % 3, title: ["a", "b", "c"][$0 / 3 % 3]) }
            let items = Predicate.and([
                .isIn("title", [.text("a"), .text("b")]), .isIn("rank", [.integer(1), .integer(2)]),
            ])
            for entity in ["Item", "Indexed"] {
                try await store.putShuffled(entity, rows, seed: context.seed)
                for sort in Items.sorts {
                    for limit in [nil, 1, 90] {
                        let plan = QueryPlan(entity, where: items, sort: sort, limit: limit)
                        context.witness(try await store.expectAnswer(plan, of: rows))
                    }
                }
            }
            let pairs: [[Value]] = ["a", "b", "c"].flatMap { a in (0..<160).map { [.null, .text(a), .integer($0)] } }
            try await store.putShuffled("Pair", pairs, seed: context.seed)
            let keys = Predicate.and([
                .isIn("a", [.text("a"), .text("c")]), .isIn("b", (0..<80).map { Value.integer(2 * $0) }),
            ])
            for sort in [
                [SortKey("a", .descending)], [SortKey("a"), SortKey("b", .descending)],
                [SortKey("a", .descending), SortKey("b", .descending)], [SortKey("b", .descending)],
            ] {
                for limit in [nil, 1, 90] {
                    let plan = QueryPlan("Pair", where: keys, sort: sort, limit: limit)
                    context.witness(try await store.expectAnswer(plan, of: pairs))
                }
            }
        },
    ]
}
