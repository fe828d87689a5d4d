import HoldfastStorage

extension Clause {
    /// Text: bytes, order, matching, keys.
    static let text: [Clause] = [
        Clause(
            "TXT-001", "Text is what its UTF-8 bytes are; it is never normalised, neither stored nor compared.",
            trap: "Swift's `==` and some bridges hold composed and decomposed é for equal.",
            witness: "two keys that differ only in normalisation, both stored", protectsData: true
        ) { context in
            let store = try await context.open(.texts)
            let rows: [[Value]] = ["cafe\u{301}", "caf\u{E9}"].map { [.text($0), .text($0)] }
            try await store.put("Text", rows)
            let again = try await store.expectHolds("Text", rows)
            for row in rows {
                let found = try await again.rows(QueryPlan("Text", where: .compare("text", .equal, row[1])))
                try context.expectEqual(found, [row], "records whose text equals one of two normal forms")
                context.witness(found.count)
            }
        }
    ]
}

extension EntitySchema {
    /// `Text(id, text)`: what most checks of text need.
    static let texts = EntitySchema("Text", fields: [FieldSchema("id", .id), FieldSchema("text", .string)])
}
