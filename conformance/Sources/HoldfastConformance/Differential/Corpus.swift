import HoldfastStorage

/// The cases that are replayed before any random one.
enum Corpus {
    static let cases: [CorpusCase] = seeds + literals

    /// Random histories that are always the same, whatever the seed of the run.
    private static let seeds: [CorpusCase] = [
        CorpusCase(name: "seed 0", source: .seed(0, steps: 40)),
        CorpusCase(name: "seed 3", source: .seed(3, steps: 40)),
        CorpusCase(name: "seed 7", source: .seed(7, steps: 40)),
        CorpusCase(name: "seed 11", source: .seed(11, steps: 60)),
        CorpusCase(name: "seed 18", source: .seed(18, steps: 40)),
        CorpusCase(name: "seed 29", source: .seed(29, steps: 60)),
    ]

    private static let note = EntitySchema(
        "Note",
        fields: [
            FieldSchema("id", .string), FieldSchema("number", .int), FieldSchema("at", .dateTime),
            FieldSchema("tags", .list(of: .string, elementsAreRequired: false)),
        ], indexes: [IndexSchema("byNumber", on: ["number"]), IndexSchema("byAt", on: ["at"])])

    private static func put(_ rows: [[Value]], _ mode: WriteOperation.PutMode = .upsert) -> WriteOperation {
        .put(entity: "Note", rows: RowBuffer(rows: rows), mode: mode)
    }

    private static func row(_ id: String, _ number: Value = .null, at: Value = .null, tags: Value = .null) -> [Value] {
        [.text(id), number, at, tags]
    }

    private static func literal(_ name: String, _ steps: [DifferentialStep]) -> CorpusCase {
        CorpusCase(name: name, source: .literal(DifferentialCase(entities: [note], steps: steps)))
    }

    private static func commit(
        _ operations: [WriteOperation], if preconditions: [Precondition] = []
    ) -> DifferentialStep {
        .commit(CommitRequest(preconditions: preconditions, operations: operations))
    }

    private static let instant = Value.timestamp(
        Timestamp(secondsSinceEpoch: 0, nanoseconds: 1_000, tail: WrittenForm(offset: 3_600, fractionDigits: 6)))

    private static let literals: [CorpusCase] = [
        literal(
            "an empty list beside none and one of null",
            [
                commit([
                    put([row("a", tags: .list([])), row("b"), row("c", tags: .list([.null]))])
                ]),
                .query(QueryPlan("Note", where: .compare("tags", .equal, .null)), batch: 1, from: nil),
            ]),
        literal(
            "an instant keeps its offset and its digits",
            [
                commit([put([row("a", at: instant)])]),
                .query(QueryPlan("Note", where: .compare("at", .equal, instant)), batch: 100, from: nil),
                .get("Note", [RecordKey("a")], from: nil),
            ]),
        literal(
            "an index follows a record through update, delete and return, under a held snapshot",
            [
                commit([put([row("a", .integer(1)), row("b", .integer(1)), row("c", .integer(2))])]), .open(1),
                commit([put([row("a", .integer(2))], .update), .delete(entity: "Note", keys: [RecordKey("b")])]),
                commit([put([row("b", .integer(2))], .insert)]),
                .query(QueryPlan("Note", where: .compare("number", .equal, .integer(1))), batch: 1, from: 1),
                .query(QueryPlan("Note", where: .compare("number", .equal, .integer(2))), batch: 1, from: nil),
                .get("Note", [RecordKey("b"), RecordKey("a")], from: 1),
                .aggregate(AggregatePlan("Note", [.count, .sum("number")]), from: 1),
            ]),
        literal(
            "a page begins after a null",
            [
                commit([put([row("a"), row("b", .integer(1)), row("c"), row("d", .integer(.min))])]),
                .readPages(QueryPlan("Note", sort: [SortKey("number", .descending)]), page: 1, from: nil),
                .readPages(QueryPlan("Note", sort: [SortKey("number")]), page: 2, from: nil),
            ]),
        literal(
            "a commit that fails at its last step leaves nothing, and names that step",
            [
                commit([put([row("a", .integer(1))])]),
                commit([
                    put([row("b", .integer(2))]), .delete(entity: "Note", keys: [RecordKey("a")]),
                    put([row("c")], .update),
                ]),
                .query(
                    QueryPlan("Note", where: .compare("number", .greaterOrEqual, .integer(1))), batch: 100, from: nil),
            ]),
        literal(
            "deleted and cleared records count as changed",
            [
                commit([put([row("a"), row("b")])]), commit([.delete(entity: "Note", keys: [RecordKey("a")])]),
                commit([], if: [.unchanged(KeyRange("Note", to: .included([.text("a")])), since: 1)]),
                commit([.clear(entity: "Note")]), commit([], if: [.unchanged(KeyRange("Note"), since: 2)]),
                commit([put([row("a")])], if: [.absent(entity: "Note", key: RecordKey("a"))]),
                commit([], if: [.version(entity: "Note", key: RecordKey("a"), 1)]),
            ]),
        literal(
            "a percent sign is a letter",
            [
                commit([put([row("a%"), row("b"), row("_")])]),
                .query(QueryPlan("Note", where: .contains("id", .text("%"))), batch: 100, from: nil),
                .query(QueryPlan("Note", where: .contains("id", .text("_"))), batch: 100, from: nil),
            ]),
        literal(
            "one record put, deleted and put again in one commit",
            [
                commit([put([row("a", .integer(1))])]),
                commit([
                    put([row("a", .integer(2)), row("a", .integer(3))]),
                    .delete(entity: "Note", keys: [RecordKey("a"), RecordKey("a"), RecordKey("z")]),
                    put([row("a", .integer(4))], .insert),
                ]),
                .query(QueryPlan("Note", sort: [SortKey("number")]), batch: 100, from: nil),
            ]),
    ]
}
