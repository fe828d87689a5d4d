#if LevelDB && os(Linux)
import Foundation
import HoldfastAdapterTestSupport
import HoldfastLevelDB
import HoldfastStorage
import Testing

@testable import HoldfastConformance

/// What is durable while a compaction runs.
@Suite struct LevelDBCompactionTests {
    private func newestLog(in path: String) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        return path + "/" + (try #require(names.last { $0.hasSuffix(".log") }))
    }

    /// Puts a pipe where the next compaction creates its first table, so that it waits for a reader.
    ///
    /// A compaction takes the number after the newest log's for its own log, and the one after that for the table:
    /// https://github.com/google/leveldb/blob/1.23/db/db_impl.cc, `MakeRoomForWrite` and `WriteLevel0Table`.
    ///
    /// - Returns: The path of the table.
    private func hold(_ pipe: String, after log: String) throws -> String {
        let url = URL(fileURLWithPath: log)
        let number = try #require(Int(url.deletingPathExtension().lastPathComponent))
        let table = url.deletingLastPathComponent().path + "/" + String(format: "%06d.ldb", number + 2)
        try #require(mkfifo(pipe, 0o600) == 0 && link(pipe, table) == 0)
        return table
    }

    @Test func aDurableCommitSyncsTheEndOfTheLogBefore() async throws {
        let directory = TemporaryDirectory()
        let path = directory.file("store")
        let adapter = LevelDBAdapter(LevelDBConfiguration(.directory(path)))
        let store = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
        try await store.put("Note", [noteRow("first")], durability: .powerLoss)
        try await store.put("Note", [noteRow("second")], durability: .processCrash)
        let log = try newestLog(in: path)
        let pipe = directory.file("pipe")
        let table = try hold(pipe, after: log)
        let compaction = Task { try await adapter.compact() }
        while try newestLog(in: path) == log { try await Task.sleep(for: .milliseconds(1)) }

        // Fails if the end of the log is synced, which LevelDB does not do.
        let faults = DiskFaults(path: log)
        faults.fail(.sync, number: 1)
        let error = await #expect(throws: StorageError.self) {
            try await store.put("Note", [noteRow("last")], durability: .powerLoss)
        }
        #expect(error?.transaction == .outcomeUnknown)
        faults.heal()
        // Without a writer, the pipe cannot be opened.
        try #require(FileManager.default.fileExists(atPath: log), "The compaction did not wait.")
        // The compaction fails, since it does not find its table when it is written.
        try FileManager.default.removeItem(atPath: table)
        _ = try FileHandle(forReadingFrom: URL(fileURLWithPath: pipe)).readToEnd()
        try await compaction.value
        try await store.close()
    }
}
#endif
