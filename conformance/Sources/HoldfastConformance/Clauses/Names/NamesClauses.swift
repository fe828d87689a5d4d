import HoldfastStorage

extension Clause {
    /// Names of entities, fields and indexes.
    static let names: [Clause] = [
        Clause(
            "NAM-001", "A field may have any name of 1 to 255 bytes: it is stored, selected, sorted and projected by.",
            catches:
                "Names pasted into SQL without quotes: reserved words, spaces, quotes, dots, parameters, rowid, xmin.",
            witness: "values of fields with every kind of name", protectsData: true
        ) { context in
            let names = SampleName.nasty + SampleName.system
            let entity = EntitySchema(
                "Thing", fields: [FieldSchema("id", .id)] + names.map { FieldSchema($0, .string) })
            var store = try await ComparedStore(context, entity)
            let rows: [[Value]] = ["a", "b", "c"].map { id in [.text(id)] + names.map { .text("\(id) \($0)") } }
            try await store.put("Thing", rows + [[.text("d")] + names.map { _ in .null }])
            try await store.expectHolds("Thing")
            for name in names {
                context.witness(
                    try await store.expectAgrees("Thing", .compare(name, .equal, .text("b \(name)"))))
                try await store.expectAgrees(
                    QueryPlan("Thing", sort: [SortKey(name, .descending)], projection: [name, "id"]))
                let smallest = try await store.store.store.withSnapshot {
                    try await $0.aggregate(AggregatePlan("Thing", [.minimum(name)]))
                }
                try context.expectEqual(smallest, [.text("a \(name)")], "the smallest value of field '\(name)'")
            }
        },
        Clause(
            "NAM-002", "An entity may have any name of 1 to 255 bytes, also one that the back end uses itself.",
            catches: "Tables called sqlite_master, order or \"a.b\": refused, misread, or the back end's own.",
            witness: "entities of every kind of name, each with its own records", protectsData: true
        ) { context in
            let names = SampleName.nasty + SampleName.system
            let entities = names.map { EntitySchema($0, fields: EntitySchema.texts.fields) }
            var store = try await context.open(StorageSchema(entities: entities))
            for name in names { try await store.put(name, [[.text("a"), .text(name)]]) }
            for round in ["by name", "after reopening"] {
                for name in names {
                    let rows: [[Value]] = [[.text("a"), .text(name)]]
                    try context.expectEqual(try await store.everything(in: name), rows, "'\(name)' \(round)")
                    try context.expectEqual(
                        try await store.rows(QueryPlan(name)), rows, "a query of '\(name)' \(round)")
                    context.witness()
                }
                if store.isPersistent { store = try await store.reopen() }
            }
            for name in names {
                try await store.commit([.clear(entity: name)])
                try context.expectEqual(
                    try await store.everything(in: name).count, 0, "the records of '\(name)', cleared")
            }
        },
        Clause(
            "NAM-003", "Names that differ in case only are different names, of entities and of fields.",
            catches: "Case-insensitive identifiers: `Name` and `name` are one column, `Post` and `post` one table.",
            witness: "entities and fields that differ in case only", protectsData: true
        ) { context in
            try await expectApart(
                context, ["Post", "post", "POST", "pOST", "\u{C9}t\u{E9}", "\u{E9}t\u{E9}", "\u{DF}", "SS"])
        },
        Clause(
            "NAM-004", "Long names count in all their 255 bytes.",
            catches: "PostgreSQL cuts names at 63 bytes: two tables become one, two columns collide.",
            witness: "entities and fields that differ beyond 63 bytes", protectsData: true
        ) { context in
            for length in [30, 31, 59, 62, 63, 64, 127, 128, 254] {
                let long = String(repeating: "n", count: length)
                try await expectApart(context, [long + "1", long + "2", long])
            }
            // 127 letters of two bytes and one of one byte.
            let letters = String(repeating: "\u{E9}", count: 127)
            try await expectApart(context, [letters + "1", letters + "2"])
        },
        Clause(
            "NAM-005", "Names made by adding to others collide with none: companions of columns, tables and indexes.",
            catches: "A helper column `created_tail` beside a field of that name; an index called like a table.",
            witness: "fields, entities and indexes whose names could be made from each other", protectsData: true
        ) { context in
            let suffixes = ["", "_tail", "_offset", "$tail", "_version", "_1", "_2", "_id", "_index", "_key", "0", " "]
            let names = suffixes.map { "at" + $0 }
            let fields =
                [FieldSchema("id", .id)] + names.enumerated().map { FieldSchema($1, $0 == 0 ? .dateTime : .string) }
                + [FieldSchema("version", .int), FieldSchema("holdfast_version", .int), FieldSchema("_version", .int)]
            let indexes = [
                IndexSchema("at", on: ["at"]), IndexSchema("id", on: ["at_tail"]),
                IndexSchema("Thing", on: ["version"]),
                IndexSchema("index", on: ["at", "version"]),
            ]
            let entities = ["Thing", "Thing_at", "at", "Thing_index", "Thing_id"].map {
                EntitySchema($0, fields: fields, indexes: indexes)
            }
            let store = try await context.open(StorageSchema(entities: entities))
            let instant = try FieldType.dateTime.canonical(.text("2024-01-01T00:00:00.50+05:45"))
            for (number, entity) in entities.enumerated() {
                let texts = names.dropFirst().map { Value.text("\(entity.name) \($0)") }
                let numbers = [7, 8, 9].map { Value.integer(Int64($0 * 10 + number)) }
                try await store.put(entity.name, [[.text("a"), instant] + texts + numbers])
            }
            var again = store
            for (number, entity) in entities.enumerated() {
                let texts = names.dropFirst().map { Value.text("\(entity.name) \($0)") }
                let numbers = [7, 8, 9].map { Value.integer(Int64($0 * 10 + number)) }
                again = try await again.expectHolds(entity.name, [[.text("a"), instant] + texts + numbers])
                context.witness()
            }
        },
        Clause(
            "NAM-006", "Indexes of several entities may have the same name, and each does its work.",
            requires: .feature(.uniqueIndexes),
            catches: "Index names are global in many databases: the second is taken for made already.",
            witness: "unique indexes of one name, each enforced", protectsData: true
        ) { context in
            let names = ["byText", "select", "a\"b", "with space", "dot.ted"]
            let entities = names.map { name in
                EntitySchema(
                    "On \(name)", fields: EntitySchema.texts.fields,
                    indexes: [
                        IndexSchema("same", on: ["text"], isUnique: true), IndexSchema(name, on: ["text", "id"]),
                    ])
            }
            var store = try await context.open(StorageSchema(entities: entities))
            for _ in 0..<2 {
                for entity in entities {
                    try await store.put(entity.name, [[.text("a"), .text("x")]])
                    try await context.expectError(.uniqueViolation, from: "a second record in '\(entity.name)'") {
                        try await store.put(entity.name, [[.text("b"), .text("x")]])
                    }
                    context.witness()
                }
                if store.isPersistent { store = try await store.reopen() }
            }
        },
        Clause(
            "NAM-007", "A text that looks like a name or like SQL is a text, as a value, an operand and a needle.",
            catches:
                "SQLite takes \"text\" in double quotes for a column, or an unknown column for a text; quotes end early.",
            witness: "operands that are names of fields or pieces of SQL", protectsData: true
        ) { context in
            let entity = EntitySchema(
                "Post", fields: ["id", "text", "title", "x"].map { FieldSchema($0, .string) },
                indexes: [IndexSchema("byTitle", on: ["title"])])
            let texts = [
                "text", "title", "id", "x", "\"text\"", "Post", "rowid", "'", "''", "' OR '1'='1", "' OR 1=1 --",
                "\" OR 1=1 --",
                "'; DROP TABLE \"Post\"; --", "x'); DELETE FROM \"Post\"; --", "NULL", "1=1", "?", "?1", ":text", "$1",
                "@x", "/*",
                "*/", "--", "\\'", "%' --", "(SELECT 1)", "\u{2019}", "title' || 'x",
            ].sorted { Value.text($0).isBefore(.text($1)) }
            var store = try await ComparedStore(context, entity)
            try await store.put("Post", texts.map { [.text($0), .text("title"), .text($0), .text("x")] })
            try await store.expectHolds("Post")
            for text in texts {
                let value = Value.text(text)
                for condition: Predicate in [
                    .compare("title", .equal, value), .compare("text", .equal, value), .compare("x", .notEqual, value),
                    .isIn("title", [value, .text("id")]), .contains("title", value), .beginsWith("title", text),
                    .compare("id", .lessOrEqual, value), .between("text", value, value),
                ] { context.witness(try await store.expectAgrees("Post", condition)) }
                try await store.commit([.delete(entity: "Post", keys: [RecordKey(text)])])
                try await store.put("Post", [[value, .text("title"), value, .text("x")]])
            }
            try await store.expectHolds("Post")
        },
        Clause(
            "NAM-008", "Names that the schema does not have are refused with `schemaMismatch` before anything happens.",
            catches: "SQLite takes an unknown column in double quotes for a text: every record matches, or none.",
            witness: "refusals of unknown entities and fields", protectsData: true
        ) { context in
            let store = try await context.open(.texts)
            let kept: [[Value]] = [[.text("a"), .text("nosuch")]]
            try await store.put("Text", kept)
            let plans = ["nosuch", "Text", "TEXT", "text ", "rowid", "", "\"text\""].flatMap { name in
                [
                    QueryPlan("Text", where: .compare(name, .equal, .text("nosuch"))),
                    QueryPlan("Text", where: .not(.isIn(name, []))),
                    QueryPlan("Text", where: .contains(name, .text(""))),
                    QueryPlan("Text", sort: [SortKey(name)]), QueryPlan("Text", projection: ["id", name]),
                    QueryPlan("nosuch"), QueryPlan(name),
                ].filter { $0.entity != "Text" || $0 != QueryPlan("Text") }
            }
            for plan in plans where plan != QueryPlan("Text") {
                try await context.expectError(.schemaMismatch, from: "a query with an unknown name") {
                    _ = try await store.rows(plan)
                }
                context.witness()
            }
            for operation: WriteOperation in [
                .clear(entity: "text"), .delete(entity: "nosuch", keys: [RecordKey("a")]),
                .put(entity: "TEXT", rows: RowBuffer(rows: kept), mode: .upsert),
                .put(entity: "Text", rows: RowBuffer(rows: [[.text("b")]]), mode: .upsert),
            ] {
                try await context.expectError(.schemaMismatch, from: "a commit with an unknown name") {
                    try await store.commit([.clear(entity: "Text"), operation])
                }
                context.witness()
            }
            try await store.expectHolds("Text", kept)
        },
        Clause(
            "NAM-009", "Cells keep the order of the schema's fields, and keys that of the primary key.",
            catches: "Columns in alphabetical order, keys in the order in which their fields are declared.",
            witness: "records of an entity whose key is declared last and in reverse", protectsData: true
        ) { context in
            let entity = EntitySchema(
                "Mixed",
                fields: [
                    FieldSchema("z", .string), FieldSchema("second", .int), FieldSchema("m", .string),
                    FieldSchema("first", .int),
                    FieldSchema("a", .string),
                ], primaryKey: ["first", "second"])
            var store = try await ComparedStore(context, entity)
            var rows: [[Value]] = []
            for first in 0..<4 {
                for second in 0..<4 {
                    rows.append([
                        .text("z\(second)"), .integer(Int64(second)), .text("m\(first)"), .integer(Int64(first)),
                        .text("a"),
                    ])
                }
            }
            try await store.put("Mixed", rows.reversed())
            try await store.expectHolds("Mixed")
            let row = try await store.store.row("Mixed", RecordKey([.integer(1), .integer(2)]))
            try context.expectEqual(row, rows[6], "the record of the key (1, 2)")
            context.witness(try await store.expectAgrees(QueryPlan("Mixed", projection: ["a", "first", "z"])))
            context.witness(try await store.expectAgrees("Mixed", .compare("first", .equal, .integer(3))))
            context.witness(try await store.expectAgrees("Mixed", .compare("second", .equal, .integer(3))))
            try await store.commit([.delete(entity: "Mixed", keys: [RecordKey([.integer(3), .integer(0)])])])
            try await store.expectHolds("Mixed")
        },
    ]

    /// Entities and fields of these names, each with values of its own.
    private static func expectApart(_ context: ClauseContext, _ names: [String]) async throws {
        let fields = [FieldSchema("id", .id)] + names.map { FieldSchema($0, .string) }
        let indexes = names.map { IndexSchema($0, on: [$0]) }
        let schema = try StorageSchema(entities: names.map { EntitySchema($0, fields: fields, indexes: indexes) })
        let store = try await context.open(schema)
        let rows = names.map { entity in
            [Value.text("a")] + names.indices.map { .text("\(entity.utf8.count) \(entity.suffix(3)) \($0)") }
        }
        for (name, row) in zip(names, rows) { try await store.put(name, [row]) }
        var again = store
        for (name, row) in zip(names, rows) {
            again = try await again.expectHolds(name, [row])
            for (position, field) in names.enumerated() {
                let plan = QueryPlan(name, where: .compare(field, .equal, row[position + 1]), projection: [field])
                try context.expectEqual(
                    try await again.rows(plan), [[row[position + 1]]], "the record found by field \(position)")
                context.witness()
            }
        }
    }
}

/// Names that checks share.
enum SampleName {
    /// Names that need quoting, or that quoting gets wrong.
    static let nasty = [
        "select", "SELECT", "table", "order", "group", "index", "primary", "from", "where", "values", "default", "null",
        "true",
        "user", "end", "check", "with space", " leading", "trailing ", "double\"quote", "\"", "\"\"", "single'quote",
        "back`tick",
        "[bracket]", "dot.ted", "a.b.c", "per%cent", "quest?ion", "?1", ":colon", "$dollar", "@at", "#hash",
        "semi;colon",
        "new\nline", "tab\t", "-dash", "--comment", "/*comment*/", "1digit", "0", "\u{E9}\u{E8}", "\u{65E5}\u{672C}",
        "\u{1F600}", "back\\slash", "*", "(paren)", "a,b", "=", "<>", "&", "|", "{}", "~", "\u{200B}", "\u{FEFF}mark",
        "_", "__",
        "%s", "%(name)s", "'; DROP TABLE x; --",
    ]

    /// Names that back ends and adapters use themselves.
    static let system = [
        "rowid", "oid", "_rowid_", "ROWID", "ctid", "xmin", "xmax", "cmin", "tableoid", "sqlite_master",
        "sqlite_sequence",
        "sqlite_stat1", "sqlite_schema", "sqlite_", "pg_class", "pg_catalog", "information_schema", "public", "temp",
        "main",
        "holdfast", "holdfast_store", "holdfast_entity", "holdfast_field", "holdfast_index", "holdfast_version",
        "holdfast_log",
        "key", "version", "value", "sequence", "meta", "schema", "data", "_id", "__proto__", "constructor",
        "excluded",
    ]
}
