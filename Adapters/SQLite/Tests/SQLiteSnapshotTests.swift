#if SQLite
import CSQLite
import HoldfastAdapterKit
import HoldfastAdapterTestSupport
import HoldfastStorage
import Testing

@testable import HoldfastSQLite

@Suite struct SQLiteSnapshotTests {
    /// After such an error SQLite ends the transaction; the next read would begin another one, of a later state.
    @Test func aSnapshotThatTheDiskFailedIsNotReadAgain() async throws {
        let directory = TemporaryDirectory()
        let schema = try StorageSchema(entities: [note])
        // Closed, so that the record is in the file and not in a cache or in the log.
        let earlier = try await Store.open(directory.file(), note)
        try await earlier.put("Note", [noteRow("k0", "old")])
        try await earlier.close()
        let store = try SQLiteStore(SQLiteConfiguration(.file(directory.file())), OpenRequest(schema: schema))
        let connection = try store.readers.acquire()
        let snapshot = try SQLiteSnapshot(connection, store: store)
        let table = try store.table("Note")
        var rows = RowBuffer()
        try withFailingReads(of: connection) {
            #expect(throws: StorageError(.io, "")) {
                try snapshot.read([RecordKey("k0")], of: table, into: &rows)
            }
        }

        let put = WriteOperation.put(entity: "Note", rows: RowBuffer(row: noteRow("k0", "new")), mode: .upsert)
        let commits = try #require(store.commits)
        _ = try await commits.commit(CommitRequest(operations: [put], durability: Durability.none))
        // Some of the reads are made by the caller's thread, the others by another one.
        for count in [1, 100] {
            let request = GetRequest("Note", keys: (0..<count).map { RecordKey("k\($0)") })
            await expectFailure(.io) { try await snapshot.get(request, into: &rows) }
        }
        for limit in [10, 1_000] {
            var scan = try await snapshot.query(schema.bind(QueryPlan("Note", limit: limit)))
            await expectFailure(.io) { try await scan.next(maximumRowCount: 7, into: &rows) }
        }
        await snapshot.close()

        // The connection can be used again.
        let next = try await store.snapshot()
        try await next.get(GetRequest("Note", keys: [RecordKey("k0")]), into: &rows)
        #expect(Array(rows[0]) == noteRow("k0", "new"))
        await store.close()
    }

    /// Runs a closure while a connection cannot read from its file.
    private func withFailingReads(of connection: SQLiteConnection, _ body: () -> Void) throws {
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        let methods = try #require(file?.pointee.pMethods)
        var failing = methods.pointee
        failing.xRead = { _, _, _, _ in SQLITE_IOERR | 1 << 8 }
        withUnsafePointer(to: failing) { failing in
            file?.pointee.pMethods = failing
            body()
            file?.pointee.pMethods = methods
        }
    }
}
#endif
