import HoldfastStorage

extension Clause {
    /// Limits hold as declared: the limit itself works, one more is refused.
    static let declaredLimits: [Clause] = [
        Clause(
            "LIM-001",
            "Keys of as many bytes as declared are stored and distinguished; one byte more is `limitExceeded`.",
            catches:
                "A key just below the declared limit fails in the back end, or is cut so that two keys become one.",
            witness: "keys of the limit and of one byte less, refusals of one byte more", protectsData: true
        ) { context in
            let text = EntitySchema("Text", fields: [FieldSchema("id", .string), FieldSchema("note", .int)])
            let blob = EntitySchema("Blob", fields: [FieldSchema("id", .bytes), FieldSchema("note", .int)])
            let pair = EntitySchema(
                "Pair",
                fields: [FieldSchema("left", .string), FieldSchema("right", .string), FieldSchema("note", .int)],
                primaryKey: ["left", "right"], indexes: [IndexSchema("byRight", on: ["right", "note"])])
            var store = try await ComparedStore(context, text, blob, pair)
            let limit = min(store.store.store.capabilities.limits.keyByteCount, 1 << 20)
            let isWhole = limit == store.store.store.capabilities.limits.keyByteCount
            let keys = { (length: Int) -> [(String, [Value])] in
                let long = String(repeating: "k", count: length - 1)
                return [
                    ("Text", [.text(long + "a")]), ("Text", [.text(long + "b")]), ("Text", [.text("z" + long)]),
                    ("Blob", [.bytes(Array(repeating: 0xFF, count: length))]),
                    ("Blob", [.bytes(Array(repeating: 0, count: length))]),
                    ("Blob", [.bytes(Array(repeating: 0, count: length - 1) + [1])]),
                    ("Pair", [.text(long), .text("a")]), ("Pair", [.text("a"), .text(long)]),
                    ("Pair", [.text(""), .text(long + "a")]),
                ]
            }
            for length in [limit - 1, limit] {
                for (entity, key) in keys(length) { try await store.put(entity, [key + [.integer(1)]]) }
            }
            // Characters of two bytes count as two.
            try await store.put("Text", [[.text(String(repeating: "\u{E9}", count: limit / 2)), .integer(2)]])
            for entity in ["Text", "Blob", "Pair"] {
                try await store.expectHolds(entity)
                context.witness(store.rows(of: entity).count)
            }
            for (entity, key) in keys(limit) {
                let rows = store.rows(of: entity).filter { Array($0.prefix(key.count)) == key }
                try context.expectEqual(
                    try await store.store.store.records([RecordKey(key)], of: entity).map(\.cells), rows,
                    "a record of the longest key")
            }
            guard isWhole else { return }
            for (entity, key) in keys(limit + 1) {
                try await context.expectError(.limitExceeded, from: "a put of a key of \(limit + 1) bytes") {
                    try await store.store.put(entity, [key + [.integer(1)]])
                }
                try await context.expectError(.limitExceeded, from: "a read of a key of \(limit + 1) bytes") {
                    _ = try await store.store.row(entity, RecordKey(key))
                }
                context.witness()
            }
            for entity in ["Text", "Blob", "Pair"] { try await store.expectHolds(entity) }
        },
        Clause(
            "LIM-002",
            "Cells of as many bytes as declared, up to 64 MiB, come back whole; one byte more is `limitExceeded`.",
            catches: "Values cut at 16 MiB; a page or a message that the back end cannot hold.",
            witness: "cells at and below the limit, a refusal above it", protectsData: true
        ) { context in
            var store = try await context.open(.items)
            let declared = store.store.capabilities.limits.cellByteCount
            let limit = min(declared, 64 << 20)
            for length in [limit - 1, limit] {
                let bytes = SampleSize.bytes(length)
                try await store.put("Item", [[.integer(0), .integer(Int64(length)), .bytes(bytes)]])
                for when in ["", " after reopening"] {
                    guard case .bytes(let read)? = try await store.row("Item", RecordKey([.integer(0)]))?[2] else {
                        throw ClauseFailure("a cell of \(length) bytes\(when): expected bytes, got none")
                    }
                    try context.expect(
                        read == bytes, "a cell of \(length) bytes\(when): got \(read.count) bytes, or others")
                    context.witness()
                    guard store.isPersistent, when.isEmpty, length == limit else { break }
                    store = try await store.reopen()
                }
            }
            guard declared == limit else { return }
            let refused = store
            try await context.expectError(.limitExceeded, from: "a put of a cell of \(limit + 1) bytes") {
                try await refused.put(
                    "Item",
                    [
                        [.integer(1), .null, .null],
                        [.integer(0), .null, .bytes(Array(repeating: 1, count: limit + 1))],
                    ])
            }
            let rows = try await store.rows(QueryPlan("Item", projection: ["id", "number"]))
            try context.expectEqual(rows, [[.integer(0), .integer(Int64(limit))]], "the records after the refusal")
            context.witness()
        },
        Clause(
            "LIM-003",
            "A commit of as many rows as declared is applied whole; one more is `limitExceeded` and nothing changes.",
            catches: "Rows after the 1,000th or the 65,535th dropped; a declared 1,000 that is 999.",
            witness: "commits at the limit, or of 66,000 rows if it is above, and a refusal", protectsData: true
        ) { context in
            let entity = EntitySchema("Item", fields: [FieldSchema("id", .int)])
            let store = try await context.open(entity)
            let limit = store.store.capabilities.limits.commitRowCount
            let count = min(limit, 66_000)
            let rows = RowBuffer(rows: (0..<count).map { [.integer(Int64($0))] })
            let receipt = try await store.commit([.put(entity: "Item", rows: rows, mode: .insert)])
            try context.expectEqual(receipt.putCount, count, "the rows put")
            let all = try await store.everything(in: "Item")
            try context.expect(
                all == (0..<count).map { [.integer(Int64($0))] }, "expected \(count) records in order, got \(all.count)"
            )
            context.witness()
            // Rows and keys of all operations count together.
            let piece = RowBuffer(rows: [[.integer(-1)]])
            var operations = Array(
                repeating: WriteOperation.put(entity: "Item", rows: rows, mode: .upsert), count: limit / count)
            operations.append(
                .delete(entity: "Item", keys: (0..<(limit % count)).map { RecordKey([.integer(Int64($0))]) }))
            operations.append(.put(entity: "Item", rows: piece, mode: .upsert))
            try await context.expectError(.limitExceeded, from: "a commit of \(limit + 1) rows") {
                try await store.commit(operations)
            }
            let count2 = try await store.store.withSnapshot { try await $0.count("Item") }
            try context.expectEqual(count2, count, "the records after the refusal")
            let deleted = try await store.delete("Item", (0..<count).map { RecordKey([.integer(Int64($0))]) })
            try context.expectEqual(deleted.deletedCount, count, "the records deleted in one commit")
            try context.expectEqual(
                try await store.everything(in: "Item").count, 0, "the records after all were deleted")
            context.witness()
        },
        Clause(
            "LIM-004", "Conditions nested as deep as declared are evaluated; one level more is `limitExceeded`.",
            level: .query,
            catches: "The back end's parser has a lower limit, or a recursive translation overflows the stack.",
            witness: "conditions of the greatest depth, and refusals beyond"
        ) { context in
            var store = try await ComparedStore(context, .items)
            try await store.put("Item", SampleSize.items(0..<20))
            let limit = min(store.store.store.capabilities.limits.predicateDepth, 10_000)
            let isWhole = limit == store.store.store.capabilities.limits.predicateDepth
            let leaf = Predicate.compare("id", .equal, .integer(3))
            let other = Predicate.compare("number", .notEqual, .integer(100))
            let shapes: [(String, (Predicate, Int) -> Predicate)] = [
                ("NOT", { inner, _ in .not(inner) }), ("AND", { inner, _ in .and([other, inner]) }),
                ("OR", { inner, _ in .or([inner, .constant(false)]) }),
                (
                    "AND and OR",
                    { inner, level in level % 2 == 0 ? .and([inner, other]) : .or([.constant(false), inner]) }
                ),
                ("NOT and AND", { inner, level in level % 2 == 0 ? .not(inner) : .and([inner]) }),
            ]
            for (name, wrap) in shapes {
                // One level is the leaf; the terms beside it may add one more.
                for depth in Set([1, 2, 31, 32, 33, 63, 64, 65, 99, 100, 101, limit - 2, limit - 1, limit]).sorted()
                where depth <= limit {
                    let nested = (1..<depth).reduce(leaf, wrap)
                    context.witness(try await store.expectAgrees(QueryPlan("Item", where: nested)))
                }
                guard isWhole else { continue }
                let tooDeep = (1..<(limit + 1)).reduce(leaf, wrap)
                try await context.expectError(.limitExceeded, from: "a condition of \(name) nested \(limit + 1) deep") {
                    _ = try await store.store.rows(QueryPlan("Item", where: tooDeep))
                }
                context.witness()
            }
        },
        Clause(
            "LIM-005", "Conditions of as many parts as declared are evaluated; one part more is `limitExceeded`.",
            level: .query,
            catches: "Parameters of a statement end before the declared limit.",
            witness: "conditions of as many parts as declared, and refusals beyond"
        ) { context in
            var store = try await ComparedStore(context, .items)
            try await store.put("Item", SampleSize.items(0..<20))
            let limit = min(store.store.store.capabilities.limits.predicateNodeCount, 200_000)
            let isWhole = limit == store.store.store.capabilities.limits.predicateNodeCount
            let values = (0...limit).map { Value.integer(Int64($0) - Int64(limit) + 10) }
            // The last value is one beyond the count, so that each list ends where it decides.
            for count in [limit - 2, limit - 1] {
                let list = Predicate.isIn("number", Array(values.suffix(count)))
                context.witness(try await store.expectAgrees(QueryPlan("Item", where: list)))
                let first = Predicate.isIn("id", [.integer(3)] + values.prefix(count - 1).map { _ in .integer(1_000) })
                context.witness(try await store.expectAgrees(QueryPlan("Item", where: first)))
            }
            let wide = min(limit, 11_000)
            let terms = (1..<wide).map { Predicate.compare("id", .equal, .integer(Int64(5 - wide + $0 + 1))) }
            context.witness(try await store.expectAgrees(QueryPlan("Item", where: .or(terms))))
            context.witness(
                try await store.expectAgrees(
                    QueryPlan("Item", where: .and(terms.prefix(wide / 2 - 1).map(Predicate.not)))))
            // An adapter may bind many lists in another way than many other values.
            let tags = FieldSchema("tags", .list(of: .int, elementsAreRequired: false))
            var tagged = try await ComparedStore(
                context, EntitySchema("Tagged", fields: [FieldSchema("id", .int), tags]))
            try await tagged.put("Tagged", (0..<20).map { [.integer(Int64($0)), .list([.integer(Int64($0))])] })
            let lists = values.suffix(limit - 1).map { Value.list([$0]) }
            context.witness(try await tagged.expectAgrees(QueryPlan("Tagged", where: .isIn("tags", lists))))
            guard isWhole else { return }
            for condition: Predicate in [
                .isIn("number", Array(values.prefix(limit))), .or(Array(repeating: .constant(false), count: limit)),
            ] {
                try await context.expectError(.limitExceeded, from: "a condition of \(limit + 1) parts") {
                    _ = try await store.store.rows(QueryPlan("Item", where: condition))
                }
                context.witness()
            }
        },
    ]
}
