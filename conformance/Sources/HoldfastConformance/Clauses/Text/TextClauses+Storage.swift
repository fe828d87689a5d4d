import HoldfastStorage

extension Clause {
    /// Text comes back as it was written.
    static let textStorage: [Clause] = [
        Clause(
            "TXT-001", "Text is what its UTF-8 bytes are; it is never normalized, neither stored nor compared.",
            catches: "Swift's `==` and some bridges treat composed and decomposed é as equal.",
            witness: "pairs that differ only in normalization, both stored and distinguished", protectsData: true
        ) { context in
            let texts = SampleText.normalForms.flatMap { [$0, $1] }.filter { !$0.isEmpty }
            let keyed: [[Value]] = Set(texts.map(Value.text)).sorted { ValueOrder.compare($0, $1) == .ascending }
                .map { [$0, $0, .list([$0])] }
            var store = try await ComparedStore(context, .lines)
            try await store.put("Line", keyed)
            try await store.expectHolds("Line")
            for row in keyed {
                let conditions: [Predicate] = [
                    .compare("text", .equal, row[1]), .isIn("text", [row[1]]), .compare("id", .equal, row[0]),
                    .contains("tags", row[1]), .compare("tags", .equal, row[2]),
                    .and([.compare("text", .greaterOrEqual, row[1]), .compare("text", .lessOrEqual, row[1])]),
                ]
                for condition in conditions {
                    let count = try await store.expectAgrees("Line", condition)
                    try context.expectEqual(count, 1, "the records where \(SwiftText.predicate(condition))")
                    context.witness()
                }
            }
        },
        Clause(
            "TXT-002", "Every text without NUL comes back byte for byte, as a key, as a field and as a list element.",
            catches:
                "Bridges drop byte order marks, drivers replace what is unassigned, escapes are undone once too often.",
            witness: "naughty texts read back in every place", protectsData: true
        ) { context in
            let rows: [[Value]] = SampleText.naughty.map(Value.text)
                .sorted { ValueOrder.compare($0, $1) == .ascending }.map { [$0, $0, .list([$0, .text(""), $0])] }
            var store = try await ComparedStore(context, .lines)
            try await store.put("Line", rows)
            try await store.expectHolds("Line")
            for row in rows {
                for condition: Predicate in [.compare("text", .equal, row[1]), .contains("tags", row[1])] {
                    let count = try await store.expectAgrees(QueryPlan("Line", where: condition))
                    try context.expectEqual(count, 1, "the records where \(SwiftText.predicate(condition))")
                    context.witness()
                }
            }
        },
        Clause(
            "TXT-003",
            "A record that is replaced has the new text byte for byte, in whatever way it differs from the old.",
            catches: "A write is skipped because the new text seems equal to the old one.",
            witness: "records replaced by almost equal ones", protectsData: true
        ) { context in
            var store = try await ComparedStore(context, .texts)
            let pairs =
                SampleText.normalForms + [
                    ("a", "A"), ("a", "a "), ("a", ""), ("", "a"), ("\u{FEFF}a", "a"), ("1", "1.0"), ("\r\n", "\n"),
                    ("a\u{AD}b", "ab"), ("x", "x\u{200B}"),
                ]
            for (old, new) in pairs {
                for (before, after) in [(old, new), (new, old)] {
                    try await store.put("Text", [[.text("a"), .text(before)]])
                    try await store.put("Text", [[.text("a"), .text(after)]])
                    let row = try await store.store.row("Text", RecordKey("a"))
                    try context.expectEqual(row, [.text("a"), .text(after)], "a record that was replaced")
                    context.witness()
                }
            }
            try await store.expectHolds("Text")
        },
        Clause(
            "TXT-004", "White space is significant at the beginning, at the end and inside, stored and compared.",
            catches: "Padded character columns and trimming drivers treat \"a\" and \"a \" as equal; CRLF becomes LF.",
            witness: "texts that differ only in white space, distinguished", protectsData: true
        ) { context in
            let rows: [[Value]] = SampleText.spaced.map(Value.text)
                .sorted { ValueOrder.compare($0, $1) == .ascending }.map { [$0, $0, .list([$0])] }
            var store = try await ComparedStore(context, .lines)
            try await store.put("Line", rows)
            try await store.expectHolds("Line")
            for row in rows {
                for condition: Predicate in [
                    .compare("text", .equal, row[1]), .compare("id", .equal, row[0]), .isIn("text", [row[1]]),
                    .contains("tags", row[1]), .compare("text", .less, row[1]), .beginsWith("text", row[1].sampleText),
                    .contains("text", row[1]),
                ] { context.witness(try await store.expectAgrees("Line", condition)) }
            }
        },
        Clause(
            "TXT-005", "The empty text is a text: not null, and not the absence of a record.",
            catches: "Key-value encodings and some databases keep no empty value, or keep it as null.",
            witness: "records with the empty text and with null, distinguished", protectsData: true
        ) { context in
            var store = try await ComparedStore(context, .lines)
            try await store.put(
                "Line",
                [
                    [.text(""), .text(""), .list([.text("")])], [.text("a"), .text(""), .list([.null])],
                    [.text("b"), .null, .list([])], [.text("c"), .text(" "), .null],
                ])
            try await store.expectHolds("Line")
            context.witness(try await store.expect("Line", .compare("text", .equal, .text("")), selects: ["", "a"]))
            context.witness(try await store.expect("Line", .compare("text", .equal, .null), selects: ["b"]))
            context.witness(try await store.expect("Line", .isIn("text", [.null]), selects: ["b"]))
            context.witness(try await store.expect("Line", .isIn("text", [.text("")]), selects: ["", "a"]))
            context.witness(try await store.expect("Line", .contains("tags", .text("")), selects: [""]))
            context.witness(try await store.expect("Line", .contains("tags", .null), selects: ["a"]))
            context.witness(try await store.expect("Line", .compare("id", .equal, .text("")), selects: [""]))
            try await store.put("Line", [[.text("a"), .null, .null], [.text("b"), .text(""), .list([.text("")])]])
            try await store.expectHolds("Line")
        },
        Clause(
            "TXT-006", "Length is counted in bytes and nothing is cut, whatever the length up to the declared limit.",
            catches: "Columns that cut at 255 characters, 1 KiB, 4 KiB or 64 KiB silently.",
            witness: "texts of every length around the usual bounds", protectsData: true
        ) { context in
            let lengths =
                Array(0...34)
                + [
                    48, 49, 50, 51, 63, 64, 65, 99, 100, 101, 127, 128, 129, 254, 255, 256, 257, 511, 512, 513, 999,
                    1_000,
                ]
                + [1_001, 1_023, 1_024, 1_025, 2_047, 2_048, 2_049, 3_999, 4_000, 4_001, 4_095, 4_096, 4_097, 8_191]
                + [
                    8_192, 8_193, 16_383, 16_384, 16_385, 32_767, 32_768, 32_769, 65_533, 65_534, 65_535, 65_536,
                    65_537,
                ]
            let texts = lengths.flatMap { length in
                // The last byte counts: a cut is seen, and so is a comparison of beginnings.
                [
                    String(repeating: "x", count: length) + "!",
                    "\u{E9}" + String(repeating: "\u{1F600}", count: length / 4),
                ]
            }
            var store = try await ComparedStore(context, .texts)
            try await store.put("Text", SampleText.rows(texts))
            try await store.expectHolds("Text")
            for (index, length) in lengths.enumerated() {
                let text = String(repeating: "x", count: length)
                let key = SampleText.key(2 * index)
                let itself = Predicate.compare("id", .equal, .text(key))
                for (condition, expected): (Predicate, Int) in [
                    (.compare("text", .equal, .text(text + "!")), 1), (.compare("text", .equal, .text(text + "?")), 0),
                    (.isIn("text", [.text(text + "!"), .text(text + "?")]), 1),
                    (.and([itself, .contains("text", .text("!"))]), 1),
                    (.and([itself, .contains("text", .text("?"))]), 0),
                ] {
                    let rows = try await store.store.rows(QueryPlan("Text", where: condition, projection: ["id"]))
                    try context.expectEqual(
                        rows, expected == 1 ? [[.text(key)]] : [],
                        "the records with a text of \(length) bytes and a mark")
                    context.witness()
                }
            }
        },
        Clause(
            "TXT-007", "Text with NUL is refused with `unrepresentable` wherever it is given, and nothing changes.",
            catches:
                "SQLite stores it and then matches only what lies before it; PostgreSQL refuses it; others keep it.",
            witness: "refusals in every place", protectsData: true
        ) { context in
            let kept: [[Value]] = [[.text("a"), .text("kept"), .list([.text("kept")])]]
            let store = try await context.open(.lines)
            try await store.put("Line", kept)
            let bad = Value.text("a\u{0}b")
            let rows: [[Value]] = [
                [bad, .null, .null], [.text("a"), bad, .null], [.text("a"), .null, .list([.text(""), bad])],
            ]
            for row in rows {
                try await context.expectError(.unrepresentable, from: "a put of text with NUL") {
                    try await store.put("Line", [[.text("b"), .null, .null], row])
                }
                context.witness()
            }
            try await context.expectError(.unrepresentable, from: "a delete of a key with NUL") {
                try await store.delete("Line", [RecordKey([bad])])
            }
            for condition: Predicate in [
                .compare("text", .equal, bad), .isIn("text", [.text("kept"), bad]), .contains("text", bad),
                .beginsWith("text", "a\u{0}"), .contains("tags", bad), .between("text", .text("a"), bad),
            ] {
                try await context.expectError(.unrepresentable, from: "a query for text with NUL") {
                    _ = try await store.rows(QueryPlan("Line", where: condition))
                }
                context.witness()
            }
            try await store.expectHolds("Line", kept)
        },
    ]
}

extension Value {
    /// The text of a text cell; empty for others.
    package var sampleText: String { if case .text(let text) = self { text } else { "" } }
}
