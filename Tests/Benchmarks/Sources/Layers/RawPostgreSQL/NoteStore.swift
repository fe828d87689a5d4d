import HoldfastPostgreSQL
import HoldfastStorage

/// Small records that several tasks save and delete.
protocol NoteStore: Sendable {
    /// Saves notes in one commit; a task has a number of its own, from 0.
    func save(_ ids: [String], task: Int) async throws
    /// Deletes a note.
    func delete(_ id: String, task: Int) async throws
    /// Ends the use of the store.
    func close() async throws
}

/// The adapter.
struct AdapterNoteStore: NoteStore {
    private let store: Store

    init(schema: String, connectionCount: Int) async throws {
        let adapter = PostgreSQLAdapter(
            PostgreSQLConfiguration(
                ServiceAdapter.postgreSQLAddress, schema: schema, maximumConnectionCount: connectionCount))
        let note = EntitySchema("Note", fields: [FieldSchema("id", .id), FieldSchema("text", .string)])
        store = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
    }

    func save(_ ids: [String], task: Int) async throws {
        var rows = RowBuffer(columnCount: 2)
        for id in ids { rows.append([.text(id), .text("text")]) }
        _ = try await store.commit(CommitRequest(operations: [.put(entity: "Note", rows: rows, mode: .upsert)]))
    }

    func delete(_ id: String, task: Int) async throws {
        _ = try await store.commit(
            CommitRequest(operations: [.delete(entity: "Note", keys: [RecordKey([.text(id)])])]))
    }

    func close() async throws { try await store.close() }
}

/// libpq: a connection for each task, and the statements that a commit of a store needs.
struct RawNoteStore: NoteStore {
    private let connections: [RawPostgreSQLConnection]

    init(schema: String, connectionCount: Int) async throws {
        connections = try (0..<connectionCount).map { _ in
            try RawPostgreSQLConnection(url: ServiceAdapter.postgreSQLAddress)
        }
        try connections[0].execute(
            """
            set client_min_messages = warning;
            create schema \(schema);
            create table \(schema).note ("id" text collate "C" primary key, "text" text collate "C",
                "holdfast_version" bigint not null);
            \(RawPostgreSQLConnection.logTable(schema))
            """)
        for connection in connections {
            try connection.prepare(
                "save",
                #"insert into \#(schema).note values ($1, $2, $3) on conflict ("id") do update set "text" = "#
                    + #"excluded."text", "holdfast_version" = excluded."holdfast_version""#)
            try connection.prepare("delete", #"delete from \#(schema).note where "id" = $1"#)
            try connection.prepareCommits(schema)
        }
    }

    func save(_ ids: [String], task: Int) async throws {
        try await commit(ids.map { ("save", [$0, "text", "1"]) }, task: task)
    }

    func delete(_ id: String, task: Int) async throws { try await commit([("delete", [id])], task: task) }

    private func commit(_ statements: [(name: String, parameters: [String])], task: Int) async throws {
        try await connections[task].run { try $0.commit(statements) }
    }

    func close() async throws {}
}
