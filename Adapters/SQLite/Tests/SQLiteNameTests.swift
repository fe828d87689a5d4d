#if SQLite
import CSQLite
import HoldfastAdapterTestSupport
import HoldfastSQLite
import HoldfastSQLiteTestSupport
import HoldfastStorage
import Testing

@Suite struct SQLiteNameTests {
    static let nasty = [
        "a\"b", "a.b", "?", "?1", ":x", "@x", "$x", "rowid", "oid", "_rowid_", "ROWID", "select", "table", "order",
        "a b", " ", "a'b", "a`b", "[a]", "a]b", "%", "--", "/*", ";", "\n", "\t", "NULL", "null", "Null", "é",

        "日本", "😀", "holdfast_version", "HOLDFAST_VERSION", "holdfast_version_2", "at", "at_tail", "AT_TAIL",
        "excluded",
        "holdfast_target", "sqlite_x", "SQLite_X", "holdfast_store", "true", "1", "0x1", "\\", "value", "key",
        String(repeating: "n", count: 255), String(repeating: "N", count: 255), "Name", "name", "NAME",
    ]

    @Test func fieldsOfAnyNameAreKeptApart() async throws {
        let fields =
            [
                FieldSchema("id", .id), FieldSchema("ID", .string), FieldSchema("At", .dateTime),
                FieldSchema("aT", .dateTime),
            ]
            + Self.nasty.map { FieldSchema($0, .string) }
        let names = fields.map(\.name)
        let entity = EntitySchema(
            "Nasty", fields: fields, primaryKey: ["id", "?"],
            indexes: names.filter { $0 != "id" }.map { IndexSchema($0, on: [$0], isUnique: true) })
        let directory = TemporaryDirectory()
        var store = try await Store.open(directory.file(), entity)
        let stamp = TypeSamples.stamp("2024-01-01T00:00:00.50+02:00")
        let row: [Value] = names.map { $0.lowercased() == "at" && $0 != "at" ? stamp : .text("v:" + $0) }
        try await store.put("Nasty", [row])
        try await store.put("Nasty", [row], mode: .update)
        try await store.put("Nasty", [row])
        try await store.close()
        store = try await Store.open(directory.file(), entity)
        #expect(try await store.rows(QueryPlan("Nasty")) == [row])
        for (name, value) in zip(names, row) {
            let plan = QueryPlan(
                "Nasty", where: .compare(name, .equal, value), sort: [SortKey(name, .descending)],
                projection: [name])
            #expect(try await store.rows(plan) == [[value]], "\(name)")
            if name == "id" || name == "?" { continue }
            var other = row
            other[0] = .text("another")
            for index in names.indices where index > 0 && names[index] != name { other[index] = .null }
            other[try #require(names.firstIndex(of: "?"))] = .text("another")
            let error = await storageError { try await store.put("Nasty", [other], mode: .insert) }
            #expect(error?.message.contains("'\(name)'") == true, "\(name)")
        }
        #expect(try await store.verify() == [])
        try await store.close()
    }

    @Test func entitiesOfAnyNameAreKeptApart() async throws {
        let names =
            Self.nasty + [
                "Post", "post", "POST", "Post_byText", "post_2", "entity_sqlite_x", "sqlite_schema",
                "holdfast_entity", "json_each", "JSON_Each", "pragma_table_info", "PRAGMA_table_info",
            ]
        let entities = names.map {
            EntitySchema(
                $0, fields: [FieldSchema("id", .id), FieldSchema("text", .string)],
                indexes: [IndexSchema("byText", on: ["text"])])
        }
        let directory = TemporaryDirectory()
        let schema = try StorageSchema(entities: entities)
        var store = try await Store.open(SQLiteAdapter(path: directory.file()), schema: schema)
        for name in names { try await store.put(name, [[.text("1"), .text(name)]]) }
        try await store.close()
        store = try await Store.open(SQLiteAdapter(path: directory.file()), schema: schema)
        for name in names {
            try await store.put(name, [[.text("1"), .text(name)]])
            let plan = QueryPlan(name, where: .compare("text", .equal, .text(name)))
            #expect(try await store.rows(plan) == [[.text("1"), .text(name)]], "\(name)")
            let long = Predicate.isIn("text", (0..<40).map { Value.text("none \($0)") } + [.text(name)])
            #expect(try await store.rows(QueryPlan(name, where: long)) == [[.text("1"), .text(name)]], "\(name)")
        }
        #expect(try await store.verify() == [])
        try await store.close()
    }

    /// Swift takes both forms for one name, and SQLite compares bytes.
    @Test func deletionsAreNoticedUnderAnyUnicodeFormOfAName() async throws {
        let directory = TemporaryDirectory()
        let names = ["caf\u{E9}", "cafe\u{301}"]
        var stores: [Store] = []
        for name in names {
            stores.append(try await Store.open(directory.file(), EntitySchema(name, fields: note.fields)))
        }
        for (writer, reader) in [(1, 0), (0, 1)] {
            try await stores[reader].put(names[reader], [noteRow("a"), noteRow("b")])
            let unchanged = Precondition.unchanged(
                KeyRange(names[reader]), since: try await stores[reader].snapshot().sequence)
            _ = try await stores[writer].commit(
                CommitRequest(operations: [.delete(entity: names[writer], keys: [RecordKey("a")])]))
            await expectFailure(.preconditionFailed) { [stores] in
                try await stores[reader].put(names[reader], [noteRow("c")], [unchanged])
            }
        }
        for store in stores { try await store.close() }
    }

    /// Such a store was made before names that begin like those of functions were reserved.
    @Test func aTableWithAReservedNameKeepsIt() async throws {
        let directory = TemporaryDirectory()
        let entity = EntitySchema("json_tree", fields: [FieldSchema("id", .id), FieldSchema("text", .string)])
        var store = try await Store.open(directory.file(), entity)
        try await store.put("json_tree", [[.text("1"), .text("text")]])
        try await store.close()
        let raw = RawDatabase(directory.file())
        #expect(raw.execute("ALTER TABLE entity_json_tree RENAME TO json_tree") == SQLITE_OK)
        #expect(raw.execute("UPDATE holdfast_entity SET native_table = 'json_tree'") == SQLITE_OK)
        raw.close()
        store = try await Store.open(directory.file(), entity)
        #expect(try await store.rows(QueryPlan("json_tree")) == [[.text("1"), .text("text")]])
        #expect(try await store.verify() == [])
        try await store.close()
        #expect(RawDatabase(directory.file()).rows("SELECT native_table FROM holdfast_entity") == ["json_tree"])
    }

    @Test func plainNamesStayPlain() async throws {
        let directory = TemporaryDirectory()
        let entity = EntitySchema(
            "Post", fields: [FieldSchema("id", .id), FieldSchema("at", .dateTime)],
            indexes: [IndexSchema("byAt", on: ["at"])])
        let store = try await Store.open(directory.file(), entity)
        try await store.put("Post", [[.text("1"), TypeSamples.stamp("2024-05-06T01:02:03.450+02:00")]])
        try await store.close()
        let raw = RawDatabase(directory.file())
        #expect(
            raw.rows("SELECT id, at, at_tail, holdfast_version FROM Post") == ["1|2024-05-05T23:02:03.45|3+02:00|1"]
        )
        #expect(
            raw.rows("SELECT name, type, native_column, tail_column FROM holdfast_field ORDER BY position") == [
                "id|text|id|NULL", "at|timestamp|at|at_tail",
            ])
        #expect(
            raw.rows(
                "SELECT name FROM sqlite_schema WHERE tbl_name = 'Post' AND type = 'index' AND sql IS NOT NULL")
                == ["Post_byAt"])
    }
}
#endif
