#if SQLite
import Foundation
import HoldfastAdapterTestSupport
import HoldfastStorage
import Testing

@testable import HoldfastSQLite

@Suite struct SQLiteCommitterTests {
    /// Without any sync, the loss of power could take earlier commits with it once the log begins again at its start.
    @Test(arguments: [(Durability.none, Int64(1)), (.processCrash, 1), (.powerLoss, 2)])
    func theLogIsSyncedForEveryDurability(_ durability: Durability, synchronous: Int64) async throws {
        let directory = TemporaryDirectory()
        try await Store.open(directory.file(), note).close()
        let committer = SQLiteCommitter(
            path: directory.file(), configuration: SQLiteConfiguration(.file(directory.file())), tables: [:],
            migrationCount: 0, limits: .library, log: nil)
        try committer.begin(durability)
        #expect(try committer.openConnection().integer("PRAGMA synchronous") == synchronous)
        #expect(committer.commit([], durability).isEmpty)
        committer.close()
    }

    /// One of the snapshots is always older than the last commit: the log begins again only if the writer waits.
    @Test func theLogBeginsAgainWhileSnapshotsOverlap() async throws {
        let directory = TemporaryDirectory()
        var configuration = SQLiteConfiguration(.file(directory.file()), busyTimeout: .seconds(600))
        configuration.checkpointFrameCount = 64
        let store = try await Store.open(SQLiteAdapter(configuration), schema: try StorageSchema(entities: [note]))
        let commitCount = Mutex(0)
        let end = End()
        try await store.put("Note", [noteRow("k")])
        let restartCount = try Self.restartCount(directory)
        let reading = Task {
            var snapshot = try await store.snapshot()
            while !end.isReached.load() {
                let next = try await store.snapshot()
                // It is held while commits are made, or for a moment if the writer waits.
                let (count, start) = (commitCount.load(), ContinuousClock.now)
                while commitCount.load() < count + 5, ContinuousClock.now - start < .milliseconds(10) {
                    await Task.yield()
                }
                await snapshot.close()
                snapshot = next
            }
            await snapshot.close()
        }
        while try Self.restartCount(directory) == restartCount, commitCount.load() < 5_000 {
            try await store.put("Note", [noteRow("k")])
            commitCount.withLock { $0 += 1 }
        }
        end.isReached.store(true)
        try await reading.value
        #expect(try Self.restartCount(directory) > restartCount)
        try await store.close()
    }

    /// How often the log has begun again, which its header says.
    private static func restartCount(_ directory: TemporaryDirectory) throws -> Int {
        let log = try FileHandle(forReadingFrom: URL(fileURLWithPath: directory.file() + "-wal"))
        defer { try? log.close() }
        let header = try log.read(upToCount: 16) ?? Data()
        return header.dropFirst(12).reduce(0) { $0 << 8 | Int($1) }
    }
}
#endif
