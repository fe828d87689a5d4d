import HoldfastStorage

extension Clause {
    /// Conditions: nulls, logic, groups, ranges, indexes.
    static let predicates: [Clause] = predicateNulls + predicateLogic + predicatePlans + largePredicates
}

extension EntitySchema {
    /// `Thing(id, text, number, ratio, flag, tags)`, everything but the key optional, without indexes.
    static let things = EntitySchema("Thing", fields: thingFields)
    /// As ``things``, with indexes over single fields and pairs of them.
    static let indexedThings = EntitySchema(
        "Thing", fields: thingFields,
        indexes: [
            IndexSchema("byText", on: ["text"]), IndexSchema("byNumber", on: ["number"]),
            IndexSchema("byFlag", on: ["flag"]), IndexSchema("byTextAndNumber", on: ["text", "number"]),
            IndexSchema("byRatio", on: ["ratio", "id"]),
        ])

    private static let thingFields = [
        FieldSchema("id", .id), FieldSchema("text", .string), FieldSchema("number", .int), FieldSchema("ratio", .float),
        FieldSchema("flag", .boolean), FieldSchema("tags", .list(of: .string, elementsAreRequired: false)),
    ]
}

/// Rows that checks of conditions share.
enum SampleThing {
    /// Three records for every combination of null and two values: few enough to name, enough for every case.
    static let few: [[Value]] = [
        [.text("a"), .text("x"), .integer(1), .double(0.5), .boolean(true), .list([.text("p")])],
        [.text("b"), .text("y"), .integer(5), .double(2.5), .boolean(false), .list([])],
        [.text("c"), .null, .null, .null, .null, .null],
        [.text("d"), .text(""), .integer(9), .null, .boolean(true), .list([.null])],
        [.text("e"), .text("x"), .null, .double(-1), .null, .list([.text("p"), .text("q")])],
        [.text("f"), .null, .integer(5), .double(2.5), .boolean(false), .null],
    ]

    /// Random rows, of small sets of values so that they meet each other often.
    static func rows(_ count: Int, using random: inout SplitMix64) -> [[Value]] {
        (0..<count).map { number in
            [
                .text(SampleText.key(number)),
                random.pick([.null, .text(""), .text("x"), .text("y"), .text("X"), .text("x%"), .text("xy")]),
                random.pick([
                    .null, .integer(0), .integer(1), .integer(5), .integer(-5), .integer(.max), .integer(.min),
                ]),
                random.pick([.null, .double(0), .double(0.5), .double(2.5), .double(-1)]),
                random.pick([.null, .boolean(true), .boolean(false)]),
                random.pick([.null, .list([]), .list([.null]), .list([.text("p")]), .list([.text("q"), .text("p")])]),
            ]
        }
    }
}
