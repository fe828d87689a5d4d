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

    /// Commits between the beginning of a new log by a compaction and the end of the compaction.
    ///
    /// - Returns: Whether the log before was still needed after the commit.
    private func commitDuringCompaction(_ path: String) async throws -> Bool {
        let adapter = LevelDBAdapter(
            LevelDBConfiguration(.directory(path), writeBufferByteCount: 64 << 20, compression: .none))
        let store = try await Store.open(adapter, schema: StorageSchema(entities: [note]))
        try await store.put("Note", [noteRow("first")], durability: .powerLoss)
        let text = String(repeating: "x", count: 10_000)
        try await store.put("Note", (0..<1_000).map { noteRow("k\($0)", text) }, durability: .processCrash)
        let log = try newestLog(in: path)
        let compaction = Task { try await adapter.compact() }
        while try newestLog(in: path) == log { await Task.yield() }
        // Fails if the end of the log is synced, which LevelDB does not do.
        let faults = DiskFaults(path: log)
        faults.fail(.sync, number: 1)
        var failure: StorageError?
        do throws(StorageError) {
            try await store.put("Note", [noteRow("last")], durability: .powerLoss)
        } catch {
            failure = error
        }
        let isNeeded = FileManager.default.fileExists(atPath: log)
        faults.heal()
        try await compaction.value
        try await store.close()
        if isNeeded { #expect(failure?.transaction == .outcomeUnknown) }
        return isNeeded
    }

    @Test func aDurableCommitSyncsTheEndOfTheLogBefore() async throws {
        let directory = TemporaryDirectory()
        for round in 0..<50 {
            if try await commitDuringCompaction(directory.file("store\(round)")) { return }
        }
        Issue.record("No compaction was still running after a commit.")
    }
}
#endif
