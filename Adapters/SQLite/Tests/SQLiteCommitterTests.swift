#if SQLite
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
}
#endif
