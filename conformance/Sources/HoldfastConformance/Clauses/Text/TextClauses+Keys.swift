import HoldfastStorage

extension Clause {
    /// Text in keys.
    static let textKeys: [Clause] = [
        Clause(
            "TXT-030",
            "Keys of several texts are distinguished component by component, whatever characters are in them.",
            catches: "Components joined with a separator: (\"a#b\", \"c\") and (\"a\", \"b#c\") become one record.",
            witness: "keys that any separator would confuse, all stored", protectsData: true
        ) { context in
            let separators = [
                "#", "/", ":", "|", ",", ";", " ", "_", "-", "\u{1}", "\u{1F}", "\u{7F}", "\u{FFFF}", "\u{10FFFF}", "'",
                "\"",
                "\\", "%", "&", "\t", "\n", "::", "\u{1}\u{1}", ".", "\u{80}", "\u{FF}",
            ]
            let keys = separators.flatMap { separator in
                [
                    ("a\(separator)b", "c"), ("a", "b\(separator)c"), ("a\(separator)", "c"), ("a", "\(separator)c"),
                    (separator, ""), ("", separator),
                ]
            }
            let all = keys + [("a", "bc"), ("ab", "c"), ("abc", ""), ("", "abc"), ("", ""), ("a", ""), ("", "a")]
            var store = try await ComparedStore(context, .textPairs)
            try await store.put("Pair", all.map { [.text($0), .text($1), .list([.text($0), .text($1)])] })
            try await store.expectHolds("Pair")
            context.witness(store.rows(of: "Pair").count)
            for (left, right) in all.filter({ $0.0.count + $0.1.count < 4 }) {
                let key = RecordKey([.text(left), .text(right)])
                try await store.commit([.delete(entity: "Pair", keys: [key])])
                let actual = try await store.store.everything(in: "Pair")
                try context.expectEqual(actual, store.rows(of: "Pair"), "the records left after a delete by key")
            }
            try await store.expectHolds("Pair")
        },
        Clause(
            "TXT-031", "Keys of several texts are ordered by their components, not by what they are when joined.",
            catches: "Joined keys order (\"a\", \"z\") after (\"a!\", \"b\").", witness: "composite keys read in order"
        ) { context in
            let parts = [
                "", "\u{1}", " ", "!", "a", "a\u{1}", "a!", "aa", "a\u{10FFFF}", "b", "\u{E9}", "\u{1F600}", "\u{FFFF}",
            ]
            var store = try await ComparedStore(context, .textPairs)
            try await store.put(
                "Pair", parts.flatMap { left in parts.map { [.text(left), .text($0), .null] } }.reversed())
            try await store.expectHolds("Pair")
            for direction: SortKey.Direction in [.ascending, .descending] {
                context.witness(
                    try await store.expectAgrees(QueryPlan("Pair", sort: [SortKey("left", direction)])))
                context.witness(
                    try await store.expectAgrees(
                        QueryPlan("Pair", sort: [SortKey("left", direction), SortKey("right", .descending)], limit: 40))
                )
            }
        },
        Clause(
            "TXT-032", "A range by the first component holds the records with exactly that component.",
            catches: "A prefix of the joined key: \"1\" finds \"10\" as well.",
            witness: "ranges by prefixes that are beginnings of others"
        ) { context in
            let parts = ["", "1", "10", "100", "1 ", "1\u{1}", "1/", "2", "1\u{10FFFF}", "\u{1}"]
            var store = try await ComparedStore(context, .textPairs)
            try await store.put("Pair", parts.flatMap { left in parts.map { [.text(left), .text($0), .null] } })
            let rows = store.rows(of: "Pair")
            let snapshot = try await store.store.adapter.snapshot()
            for part in parts.map(Value.text) {
                let ranges = [
                    KeyRange("Pair", from: .included([part]), to: .included([part])),
                    KeyRange("Pair", from: .excluded([part])), KeyRange("Pair", to: .excluded([part])),
                    KeyRange("Pair", from: .included([part, .text("1")]), to: .included([part])),
                    KeyRange("Pair", from: .excluded([part, .text("1")]), to: .excluded([part, .text("2")])),
                    KeyRange("Pair", from: .included([part]), to: .excluded([part])),
                ]
                for range in ranges {
                    let expected = rows.filter { range.contains(Array($0.prefix(2))) }
                    try context.expectEqual(
                        try await snapshot.allRows(range).map(\.cells), expected,
                        "the range \(ValueText.bound(range.lower)) to \(ValueText.bound(range.upper))")
                    context.witness()
                }
                let equal = Predicate.compare("left", .equal, part)
                context.witness(try await store.expectAgrees("Pair", equal))
                context.witness(
                    try await store.expectAgrees("Pair", .and([equal, .compare("right", .greater, .text("1"))])))
            }
            await snapshot.close()
        },
        Clause(
            "TXT-033",
            "Keys that differ in case, normal form or white space name different records, in every operation.",
            catches: "A key column under a collation: an upsert replaces the wrong record, a delete takes two.",
            witness: "almost equal keys written, replaced and deleted one by one", protectsData: true
        ) { context in
            let keys =
                [
                    "a", "A", "a ", " a", "\u{E9}", "e\u{301}", "\u{C9}", "e", "1", "01", "1.0", "", "\u{FEFF}a",
                    "a\u{AD}",
                ]
                + [String(repeating: "k", count: 200), String(repeating: "k", count: 200) + "x"]
            var store = try await ComparedStore(context, .texts)
            try await store.put("Text", keys.map { [.text($0), .text("first")] })
            for key in keys {
                try await store.put("Text", [[.text(key), .text("second")]])
                try context.expectEqual(
                    try await store.store.everything(in: "Text"), store.rows(of: "Text"), "the records after an upsert")
                context.witness()
            }
            // Upper case first: what a delete of "A" takes beside it is still there.
            for key in keys.sorted(by: { Value.text($0).isBefore(.text($1)) }) {
                try await store.commit([.delete(entity: "Text", keys: [RecordKey(key), RecordKey(key + "?")])])
                try context.expectEqual(
                    try await store.store.everything(in: "Text"), store.rows(of: "Text"), "the records after a delete")
                context.witness()
            }
        },
    ]
}

extension EntitySchema {
    /// `Pair(left, right, note)` with the key (left, right).
    static let textPairs = EntitySchema(
        "Pair",
        fields: [
            FieldSchema("left", .string), FieldSchema("right", .string),
            FieldSchema("note", .list(of: .string, elementsAreRequired: false)),
        ], primaryKey: ["left", "right"])
}
