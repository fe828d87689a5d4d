import HoldfastStorage

extension Clause {
    /// Lists, JSON and bytes.
    static let lists: [Clause] = [
        Clause(
            "LST-001", "The empty list, null, and lists of null or of empty text are all different.",
            catches: "A list kept as text or in rows of its own loses the difference between nothing and empty.",
            witness: "lists of nothing in every form, read back and distinguished", protectsData: true
        ) { context in
            var store = try await ComparedStore(context, .lines)
            let lists: [Value] = [
                .null, .list([]), .list([.null]), .list([.null, .null]), .list([.text("")]),
                .list([.text(""), .text("")]),
                .list([.text(""), .null]), .list([.null, .text("")]), .list([.text("null")]), .list([.text("[]")]),
                .list([.text("[null]")]),
            ]
            try await store.put("Line", lists.enumerated().map { [.text(SampleText.key($0)), .null, $1] })
            try await store.expectHolds("Line")
            for (index, list) in lists.enumerated() {
                context.witness(
                    try await store.expect("Line", .compare("tags", .equal, list), selects: [SampleText.key(index)]))
                context.witness(try await store.expect("Line", .isIn("tags", [list]), selects: [SampleText.key(index)]))
            }
            // Each form replaced by the next one.
            for round in 1..<3 {
                try await store.put(
                    "Line", lists.indices.map { [.text(SampleText.key($0)), .null, lists[($0 + round) % lists.count]] })
                try await store.expectHolds("Line")
            }
        },
        Clause(
            "LST-002", "Elements keep their order and their repetitions; lists of lists keep their shape.",
            catches: "Lists kept as sets, sorted, or flattened.", witness: "lists in unusual orders, read back",
            protectsData: true
        ) { context in
            let entity = EntitySchema(
                "Nest",
                fields: [
                    FieldSchema("id", .id), FieldSchema("flat", .list(of: .string, elementsAreRequired: false)),
                    FieldSchema(
                        "nested", .list(of: .list(of: .string, elementsAreRequired: false), elementsAreRequired: false)),
                ])
            var store = try await ComparedStore(context, entity)
            let flat: [[String]] = [
                ["b", "a"], ["a", "b"], ["a", "a"], ["a"], ["a", "b", "a"], ["b", "b", "a", "a"], ["", "a", ""],
                ["10", "9", "1"],
                ["a,b"], ["a", ",", "b"], ["\"", "\\", "'"], ["]", "["], ["\u{1F600}", "\u{E9}", "e\u{301}"],
            ]
            let nested: [Value] = [
                .list([]), .list([.list([])]), .list([.list([]), .list([])]), .list([.null]),
                .list([.null, .list([.null])]),
                .list([.list([.text("a")]), .list([.text("b")])]), .list([.list([.text("a"), .text("b")])]),
                .list([.list([.text("b")]), .list([.text("a")])]),
                .list([.list([.text("a")]), .list([.text("a")])]), .null, .list([.list([.text("[]")])]),
                .list([.list([.text("")])]), .list([.list([.null]), .null]),
            ]
            try await store.put(
                "Nest",
                zip(flat, nested).enumerated().map { [.text(SampleText.key($0)), .list($1.0.map(Value.text)), $1.1] })
            try await store.expectHolds("Nest")
            for (texts, list) in zip(flat, nested) {
                context.witness(
                    try await store.expectAgrees("Nest", .compare("flat", .equal, .list(texts.map(Value.text)))))
                context.witness(try await store.expectAgrees("Nest", .compare("nested", .notEqual, list)))
                if case .list(let elements) = list, let first = elements.first {
                    context.witness(try await store.expectAgrees("Nest", .contains("nested", first)))
                }
            }
        },
        Clause(
            "LST-003", "A list contains what equals one of its elements: no part of one, and no two together.",
            level: .query,
            catches: "A search in the list's text: \"1\" is found in [\"10\"], `a,b` in [\"a\", \"b\"].",
            witness: "needles that are parts, joins and escapes of elements"
        ) { context in
            var store = try await ComparedStore(context, .lines)
            let lists: [[Value]] = [
                ["10"], ["1"], ["1", "10"], ["a,b"], ["a", "b"], ["a\",\"b"], ["\""], ["\\"], ["\\\""], ["A"], ["a"],
                [""], ["null"],
                ["[\"a\"]"], ["%"], ["_"], ["\u{E9}"], ["e\u{301}"], ["\\u00e9"], ["a "], [" a"], ["\n"], ["\\n"],
                ["/"], ["\\/"], ["\u{1F600}"], ["\\ud83d\\ude00"],
            ].map { $0.map(Value.text) }
            let more: [Value] = [
                .null, .list([]), .list([.null]), .list([.text("x"), .null, .text("1")]),
                .list([.text("last"), .text("first")]),
            ]
            try await store.put(
                "Line", (lists.map(Value.list) + more).enumerated().map { [.text(SampleText.key($0)), .null, $1] })
            let needles =
                lists.flatMap { $0 }
                + ["0", ",", "b", "first", "last", "\"a\"", "[", "x\",\"1", "ull", "10,1", "1,10"].map(Value.text) + [
                    .null
                ]
            for needle in needles { context.witness(try await store.expectAgrees("Line", .contains("tags", needle))) }
            context.witness(
                try await store.expect(
                    "Line", .contains("tags", .text("1")),
                    selects: [SampleText.key(1), SampleText.key(2), SampleText.key(30)]))
            context.witness(
                try await store.expect(
                    "Line", .contains("tags", .null), selects: [SampleText.key(29), SampleText.key(30)]))
        },
        Clause(
            "LST-004", "Lists are equal if they have equal elements in the same order, and as many.", level: .query,
            catches: "Comparison as sets, or up to the end of the shorter list.",
            witness: "lists that differ in order, length or repetition"
        ) { context in
            var store = try await ComparedStore(context, .lines)
            let lists: [Value] =
                [
                    ["a"], ["a", "b"], ["b", "a"], ["a", "a"], ["a", "a", "b"], ["a", "b", "b"], ["A"], ["a", ""],
                    ["", "a"], ["ab"], ["a", "b", "c"], ["a,b"],
                    ["a ", "b"], ["\u{E9}"], ["e\u{301}"],
                ].map { .list($0.map(Value.text)) } + [.null, .list([]), .list([.null]), .list([.text("a"), .null])]
            try await store.put("Line", lists.enumerated().map { [.text(SampleText.key($0)), .null, $1] })
            for (index, list) in lists.enumerated() {
                let key = SampleText.key(index)
                context.witness(try await store.expect("Line", .compare("tags", .equal, list), selects: [key]))
                context.witness(try await store.expectAgrees("Line", .compare("tags", .notEqual, list)))
                let pair = [index, (index + 5) % lists.count].sorted()
                context.witness(
                    try await store.expect(
                        "Line", .isIn("tags", pair.map { lists[$0] }), selects: pair.map(SampleText.key)))
            }
        },
        Clause(
            "LST-005", "Elements of every type are as exact as fields of that type.",
            catches:
                "Lists kept as JSON: integers through doubles, 1.0 as 1, bytes as text, date-times without offset.",
            witness: "elements of every type, read back and found", protectsData: true
        ) { context in
            var random = SplitMix64(seed: context.seed)
            let types = ValuePool.elementTypes
            let entity = EntitySchema(
                "Every",
                fields: [FieldSchema("id", .id)]
                    + types.enumerated().map { FieldSchema("list\($0)", .list(of: $1, elementsAreRequired: false)) })
            var store = try await ComparedStore(context, entity)
            let whole: [[Value]] = [[.text("all")] + types.map { .list([.null] + ValuePool.values(of: $0) + [.null]) }]
            let single = (0..<24).map { row -> [Value] in
                [.text(SampleText.key(row))]
                    + types.map { type in
                        let values = ValuePool.values(of: type)
                        return .list([values[row % values.count], random.pick(values)])
                    }
            }
            try await store.put("Every", whole + single)
            try await store.expectHolds("Every")
            for (number, type) in types.enumerated() {
                for value in ValuePool.values(of: type) {
                    context.witness(
                        try await store.expectAgrees(QueryPlan("Every", where: .contains("list\(number)", value))))
                }
                let first = single[number % single.count][number + 1]
                context.witness(
                    try await store.expectAgrees(QueryPlan("Every", where: .compare("list\(number)", .equal, first))))
            }
        },
        Clause(
            "LST-006", "Lists of any length keep every element, and every element is found.",
            catches: "Lists cut at 255 or 1,000 elements, searches that end before the list does.",
            witness: "lists around every usual bound", protectsData: true
        ) { context in
            let lengths = [
                0, 1, 2, 31, 32, 33, 63, 64, 65, 99, 100, 101, 127, 128, 254, 255, 256, 257, 511, 512, 999, 1_000,
                1_001, 1_024, 4_096, 10_000,
            ]
            var store = try await ComparedStore(context, .integers)
            try await store.put(
                "Number",
                lengths.map { length in
                    [.integer(Int64(length)), .null, .list((0..<length).map { .integer(Int64($0)) })]
                })
            try await store.expectHolds("Number")
            for length in lengths where length > 0 {
                let rows = try await store.store.rows(
                    QueryPlan("Number", where: .contains("list", .integer(Int64(length - 1))), projection: ["id"]))
                let expected = lengths.filter { $0 >= length }.map { [Value.integer(Int64($0))] }
                try context.expectEqual(rows, expected, "the lists with the element \(length - 1)")
                context.witness(rows.count)
            }
        },
        Clause(
            "LST-007", "JSON comes back byte for byte: white space, order and repetition of names, digits and escapes.",
            catches: "Binary JSON types sort the names, drop repeated ones, and write 1e2 as 100.",
            witness: "JSON in unusual spellings, read back and distinguished", protectsData: true
        ) { context in
            let objects = [
                "{}", "{ }", "{\"a\":1}", "{ \"a\" : 1 }", "{\"a\":1,\"a\":2}", "{\"a\":2,\"a\":1}",
                "{\"b\":1,\"a\":2}", "{\"a\":2,\"b\":1}", "{\"a\":1e2}",
                "{\"a\":1E2}", "{\"a\":100}", "{\"a\":100.0}", "{\"a\":-0}", "{\"a\":-0.0}", "{\"a\":0}",
                "{\"a\":\"\\/\"}", "{\"a\":\"/\"}", "{\"a\":\"\\u00e9\"}",
                "{\"a\":\"\u{E9}\"}", "{\"a\":\"e\u{301}\"}", "{\"a\":\"\\u00E9\"}", "{\"a\":\"\\ud83d\\ude00\"}",
                "{\"a\":\"\u{1F600}\"}", "{\"a\":null}", "{\"a\":[]}",
                "{\"a\":[ ]}", "{\n\t\"a\": [1,\r\n2]\n}", "{\"\":\"\"}", "{\"a\":9223372036854775808}",
                "{\"a\":123456789012345678901234567890}", "{\"a\":1.10}",
                "{\"a\":0.1000000000000000055511151231257827}", "{\"a\":{\"a\":{\"a\":[[[[]]]]}}}",
                "{\"a\":\"\\n\\t\\\"\\\\\"}", "{\"a\":true,\"b\":false}", "{\"$\":\"'\"}",
                "{\"a\":1e400}", "{\"<\":\"&amp;\"}", "{\"a\":\"\\u2028\"}", " {\"a\":1}", "{\"a\":1}\n",
            ]
            let scalars = [
                "1", "1.0", "null", "true", "\"\"", "\"a\"", "[]", "[1,2]", "[ 1,2 ]", " 1", "1 ", "-0", "1e2",
                "\"\\u0061\"", "\"null\"",
            ]
            let entity = EntitySchema(
                "Doc",
                fields: [
                    FieldSchema("id", .id), FieldSchema("json", .json), FieldSchema("object", .embedded("Address")),
                    FieldSchema("documents", .list(of: .json, elementsAreRequired: false)),
                ])
            var store = try await ComparedStore(context, entity)
            let texts = objects + scalars
            try await store.put(
                "Doc",
                texts.enumerated().map { index, text in
                    let value = Value.text(text)
                    return [
                        .text(SampleText.key(index)), value, index < objects.count ? value : .null,
                        .list([value, .null]),
                    ]
                } + [[.text("n"), .null, .null, .null]])
            try await store.expectHolds("Doc")
            for (index, text) in texts.enumerated() {
                let value = Value.text(text)
                context.witness(
                    try await store.expect("Doc", .compare("json", .equal, value), selects: [SampleText.key(index)]))
                context.witness(try await store.expectAgrees(QueryPlan("Doc", where: .contains("documents", value))))
                context.witness(try await store.expectAgrees(QueryPlan("Doc", where: .compare("json", .less, value))))
            }
            for needle in ["\"a\"", "1", "\u{E9}", "\\", " ", "%"] {
                context.witness(try await store.expectAgrees("Doc", .contains("json", .text(needle))))
                context.witness(try await store.expectAgrees("Doc", .beginsWith("object", "{" + needle)))
            }
            context.witness(try await store.expect("Doc", .compare("json", .equal, .null), selects: ["n"]))
            context.witness(try await store.expectAgrees(QueryPlan("Doc", sort: [SortKey("json", .descending)])))
        },
        Clause(
            "LST-008", "Bytes come back byte for byte: with zeros, without being text, and empty but not null.",
            catches: "C strings end at zero, bytes go through UTF-8, no bytes become null.",
            witness: "bytes of every value and length", protectsData: true
        ) { context in
            let every = (0...255).map { [UInt8($0)] }
            let more: [[UInt8]] = [
                [], [0, 0], [0, 1], [1, 0], [0, 0, 0], Array(0...255), Array((0...255).reversed()), [0xC3],
                [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF8, 0x88],
                [0xEF, 0xBB, 0xBF], Array("text".utf8), Array("0x00".utf8), [0xFF, 0xFE],
                Array(repeating: 0, count: 1_000),
                Array(repeating: 0xFF, count: 1_000),
            ]
            var store = try await ComparedStore(context, .blobs)
            // Short enough to be a key everywhere.
            let rows: [[Value]] = (every + more).map { bytes in
                [.bytes(Array(bytes.prefix(200))), .bytes(bytes), .list([.bytes(bytes), .null, .bytes([])])]
            }
            try await store.put("Blob", rows)
            try await store.put(
                "Blob", [[.bytes([9, 9]), .null, .null], [.bytes([9, 9, 9]), .bytes([]), .list([])]])
            try await store.expectHolds("Blob")
            for bytes in more {
                context.witness(try await store.expectAgrees("Blob", .compare("value", .equal, .bytes(bytes))))
                context.witness(try await store.expectAgrees("Blob", .contains("list", .bytes(bytes))))
                context.witness(try await store.expectAgrees("Blob", .compare("id", .equal, .bytes(bytes))))
            }
            context.witness(try await store.expectAgrees("Blob", .compare("value", .equal, .null)))
        },
        Clause(
            "LST-009", "Bytes are ordered as unsigned numbers, the shorter first, in keys, sorts and ranges.",
            catches: "Signed bytes, length first, or the order of their Base64.", witness: "bytes read in order"
        ) { context in
            let strings: [[UInt8]] = [
                [], [0], [0, 0], [0, 0xFF], [0, 1], [1], [0x0A], [0x10], [0x3E], [0x3F], [0x61], [0x61, 0],
                [0x61, 0x61], [0x61, 0xFF], [0x7F], [0x7F, 0xFF], [0x80],
                [0x80, 0], [0xFB], [0xFE], [0xFF], [0xFF, 0], [0xFF, 0xFF], [0xFF, 0xFF, 0], [0xFF, 0xFF, 0xFF],
                Array(repeating: 7, count: 8), Array(repeating: 7, count: 9), Array(repeating: 7, count: 8) + [0x80],
                Array(repeating: 7, count: 7) + [0xFF],
            ]
            var store = try await ComparedStore(context, .blobs)
            try await store.put("Blob", strings.reversed().map { [.bytes($0), .bytes($0), .null] })
            try await store.expectHolds("Blob")
            for direction: SortKey.Direction in [.ascending, .descending] {
                context.witness(try await store.expectAgrees(QueryPlan("Blob", sort: [SortKey("value", direction)])))
            }
            let snapshot = try await store.store.adapter.snapshot()
            for bytes in strings.map(Value.bytes) {
                for comparison in Predicate.Comparison.allCases {
                    context.witness(
                        try await store.expectAgrees(QueryPlan("Blob", where: .compare("value", comparison, bytes))))
                    try await store.expectAgrees(QueryPlan("Blob", where: .compare("id", comparison, bytes)))
                }
                let range = KeyRange("Blob", from: .excluded([bytes]), to: .included([.bytes([0xFF])]))
                let expected = store.rows(of: "Blob").filter { range.contains([$0[0]]) }
                try context.expectEqual(try await snapshot.allRows(range).map(\.cells), expected, "a range of keys")
            }
            await snapshot.close()
        },
        Clause(
            "LST-010", "Keys of bytes and text are distinguished component by component, whatever bytes are in them.",
            catches: "Components joined at a zero or escaped wrongly: ([0], [0, 0]) and ([0, 0], [0]) become one.",
            witness: "composite keys of zeros and 0xFF, all stored in order", protectsData: true
        ) { context in
            let entity = EntitySchema(
                "Part",
                fields: [
                    FieldSchema("left", .bytes), FieldSchema("middle", .string), FieldSchema("right", .bytes),
                    FieldSchema("note", .int),
                ],
                primaryKey: ["left", "middle", "right"])
            let bytes: [[UInt8]] = [
                [], [0], [0, 0], [0, 1], [0, 0xFF], [1], [0xFF], [0xFF, 0], [0xFF, 0xFF], [1, 0],
            ]
            let texts = ["", "\u{1}", "a", "\u{7F}"]
            var store = try await ComparedStore(context, entity)
            let keys = bytes.flatMap { left in
                texts.flatMap { text in bytes.map { [.bytes(left), .text(text), .bytes($0)] as [Value] } }
            }
            try await store.put("Part", keys.enumerated().map { $1 + [.integer(Int64($0))] })
            try await store.expectHolds("Part")
            context.witness(keys.count)
            let gone = keys.enumerated().filter { $0.offset % 3 == 0 }.map { RecordKey($0.element) }
            try await store.commit([.delete(entity: "Part", keys: gone)])
            try await store.expectHolds("Part")
            for left in bytes {
                context.witness(try await store.expectAgrees("Part", .compare("left", .equal, .bytes(left))))
                context.witness(
                    try await store.expectAgrees(
                        QueryPlan(
                            "Part",
                            where: .and([
                                .compare("left", .equal, .bytes(left)), .compare("middle", .greater, .text("")),
                            ]))))
            }
        },
        Clause(
            "LST-011", "An unknown case of an enumeration is kept and found as the text it is.",
            catches: "Decoders drop or replace what a newer version of the app wrote.",
            witness: "unknown cases, read back", protectsData: true
        ) { context in
            let colour = FieldType.enumeration("Colour")
            let entity = EntitySchema(
                "Paint",
                fields: [
                    FieldSchema("id", colour), FieldSchema("colour", colour),
                    FieldSchema("all", .list(of: colour, elementsAreRequired: true)),
                ])
            var store = try await ComparedStore(context, entity)
            let cases = ["RED", "red", "Red", "NEW_CASE", "", "not a case", "null", "1", "\u{E9}"].map(Value.text)
            try await store.put(
                "Paint", cases.map { [$0, $0, .list([$0, .text("RED")])] } + [[.text("z"), .null, .list([])]])
            try await store.expectHolds("Paint")
            for value in cases {
                context.witness(try await store.expectAgrees("Paint", .compare("colour", .equal, value)))
                context.witness(try await store.expectAgrees("Paint", .contains("all", value)))
            }
        },
    ]
}

extension EntitySchema {
    /// `Blob(id, value, list)` of bytes, with an index.
    static let blobs = EntitySchema(
        "Blob",
        fields: [
            FieldSchema("id", .bytes), FieldSchema("value", .bytes),
            FieldSchema("list", .list(of: .bytes, elementsAreRequired: false)),
        ], indexes: [IndexSchema("byValue", on: ["value"])])
}
