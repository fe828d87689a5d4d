import HoldfastStorage

extension Clause {
    /// Equality, beginnings and parts of text.
    static let textMatching: [Clause] = [
        Clause(
            "TXT-020", "Upper and lower case are different texts, in every alphabet and every condition.",
            level: .query, catches: "Case-insensitive collations, and LIKE, which folds ASCII in some databases.",
            witness: "texts that differ only in case, distinguished"
        ) { context in
            let texts = [
                "abc", "ABC", "Abc", "aBC", "\u{E4}", "\u{C4}", "\u{3C3}", "\u{3C2}", "\u{3A3}", "ss", "\u{DF}",
                "\u{1E9E}",
                "i", "I", "\u{131}", "\u{130}", "k", "K", "\u{212A}", "s", "\u{17F}", "\u{434}", "\u{414}", "x\u{E4}y",
                "x\u{C4}y",
            ]
            var store = try await ComparedStore(context, .lines)
            try await store.put(
                "Line", texts.enumerated().map { [.text(SampleText.key($0)), .text($1), .list([.text($1), .null])] })
            for (index, text) in texts.enumerated() {
                let key = SampleText.key(index)
                let value = Value.text(text)
                context.witness(try await store.expect("Line", .compare("text", .equal, value), selects: [key]))
                context.witness(try await store.expect("Line", .isIn("text", [value, .text("?")]), selects: [key]))
                context.witness(try await store.expect("Line", .contains("tags", value), selects: [key]))
                for condition: Predicate in [
                    .beginsWith("text", text), .contains("text", value), .compare("text", .notEqual, value),
                    .between("text", value, value),
                ] { context.witness(try await store.expectAgrees("Line", condition)) }
            }
        },
        Clause(
            "TXT-021", "Every text that is not null contains and begins with the empty text.", level: .query,
            catches:
                "Swift's `contains(\"\")` is false; wrappers take an empty needle as no condition and return nulls too.",
            witness: "records selected by the empty needle, and those with null that are not"
        ) { context in
            var store = try await ComparedStore(context, .texts)
            try await store.put(
                "Text",
                [[.text("a"), .text("")], [.text("b"), .text("x")], [.text("c"), .null], [.text("d"), .text(" ")]])
            let found = ["a", "b", "d"]
            context.witness(try await store.expect("Text", .contains("text", .text("")), selects: found))
            context.witness(try await store.expect("Text", .beginsWith("text", ""), selects: found))
            let both = Predicate.and([.contains("text", .text("")), .beginsWith("text", "")])
            context.witness(try await store.expect("Text", both, selects: found))
            context.witness(try await store.expect("Text", .beginsWith("id", ""), selects: ["a", "b", "c", "d"]))
        },
        Clause(
            "TXT-022",
            "No character of a needle is special: `%`, `_`, `\\`, `*`, `?`, `[`, `^` and quotes mean themselves.",
            level: .query, catches: "Needles are pasted into LIKE, GLOB or a regular expression without escaping.",
            witness: "needles full of wildcards, in texts with and without them"
        ) { context in
            let texts = [
                "", "a", "ab", "axb", "a%b", "a_b", "a\\b", "a\\%b", "a\\_b", "%", "_", "\\", "%%", "100%", "100",
                "a*b",
                "a?b", "*", "?", "[a]", "[", "]", "^a", "a$", ".", "a.b", "(", ")", "|", "+", "{1}", "'", "''", "\"",
                "a'b",
                "a\\", "\\a", "%a", "_a", "a%", "a_", "\u{E9}", "\u{1F600}", "-", "a-z", "#", "~", "&", "\\\\",
                "\\\\\\",
            ]
            var store = try await ComparedStore(context, .texts)
            try await store.put("Text", SampleText.rows(texts) + [[.text("n"), .null]])
            let needles =
                texts + ["%b", "_b", "a%", "%a%", "a__b", "[a-z]", "a*", "?b", ".*", "\\%", "\\_", "' OR '1'='1", "%'"]
            for needle in needles {
                context.witness(try await store.expectAgrees("Text", .contains("text", .text(needle))))
                context.witness(try await store.expectAgrees("Text", .beginsWith("text", needle)))
            }
        },
        Clause(
            "TXT-023", "A needle is found among the bytes, also inside what is shown as one character.", level: .query,
            catches:
                "Swift compares characters: \"\\r\\n\" does not contain \"\\n\", a decomposed é does not begin with e.",
            witness: "needles that are a part of a character"
        ) { context in
            let texts = [
                "e\u{301}", "\u{E9}", "e", "\r\n", "\n", "\r", "\u{1F1E9}\u{1F1EA}", "\u{1F1E9}", "\u{1F1EA}\u{1F1E9}",
                "\u{1F468}\u{200D}\u{1F469}", "\u{1F468}", "\u{1F469}\u{1F3FD}", "\u{1F469}", "a\u{301}\u{323}",
                "\u{1100}\u{1161}",
                "\u{AC00}", "line\r\nnext", "caf\u{65}\u{301}s", "caf\u{E9}s", "\u{301}", "x\u{301}",
            ]
            let needles =
                texts + ["\u{200D}", "\u{323}", "\u{1161}", "\u{1F3FD}", "caf", "cafe", "\u{301}s", "\nnext", "line\r"]
            var store = try await ComparedStore(context, .texts)
            try await store.put("Text", SampleText.rows(texts))
            for needle in needles {
                context.witness(try await store.expectAgrees("Text", .contains("text", .text(needle))))
                context.witness(try await store.expectAgrees("Text", .beginsWith("text", needle)))
            }
        },
        Clause(
            "TXT-024",
            "A needle is found wherever it is: at the beginning, at the end, repeated or after false starts.",
            level: .query,
            catches: "A search that gives up after a partial match, or looks at the first kilobyte only.",
            witness: "needles at every place"
        ) { context in
            let long = String(repeating: "ab", count: 3_000)
            let texts = [
                "aaab", "aab", "abab", "ababab", "ababc", "abcab", "c", "cab", "abc", long, long + "c", "c" + long,
                String(repeating: "\u{1F600}", count: 400) + "c", String(repeating: "a", count: 255) + "c",
                String(repeating: "a", count: 256) + "c", String(repeating: "a", count: 65_536) + "c",
            ]
            var store = try await ComparedStore(context, .texts)
            try await store.put("Text", SampleText.rows(texts))
            for needle in [
                "aab", "ab", "abab", "ababc", "abc", "c", "bc", "ac", "\u{1F600}c", long + "c", "b" + long,
                "ababab",
            ] {
                context.witness(try await store.expectAgrees("Text", .contains("text", .text(needle))))
                context.witness(try await store.expectAgrees("Text", .beginsWith("text", needle)))
            }
        },
        Clause(
            "TXT-025", "A beginning selects all that begin with it, up to the last code point, and nothing after that.",
            level: .query, catches: "An upper bound made by adding U+FFFF, or by raising the last character, loses 😀.",
            witness: "beginnings followed by the highest code points, on a key and on an indexed field"
        ) { context in
            let indexed = EntitySchema(
                "Text", fields: EntitySchema.texts.fields, indexes: [IndexSchema("byText", on: ["text"])])
            let tails = [
                "", "\u{1}", "a", "z", "\u{7F}", "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}", "\u{10FFFF}\u{10FFFF}x",
            ]
            let beginnings = ["", "a", "az", "\u{7F}", "\u{7FF}", "\u{D7FF}", "\u{FFFF}", "\u{10FFFF}", "b"]
            let texts = beginnings.flatMap { beginning in tails.map { Value.text(beginning + $0) } }
            for entity in [EntitySchema.texts, indexed] {
                var store = try await ComparedStore(context, entity)
                try await store.put("Text", texts.map { [$0, $0] })
                for beginning in beginnings {
                    for field in ["id", "text"] {
                        context.witness(try await store.expectAgrees("Text", .beginsWith(field, beginning)))
                        let sorted = QueryPlan(
                            "Text", where: .beginsWith(field, beginning), sort: [SortKey("text", .descending)], limit: 5
                        )
                        context.witness(try await store.expectAgrees(sorted))
                    }
                }
            }
        },
    ]
}
