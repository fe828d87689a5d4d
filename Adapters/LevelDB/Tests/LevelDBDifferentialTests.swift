#if LevelDB
import HoldfastLevelDB
import HoldfastStorage
import HoldfastConformance
import HoldfastTestSupport
import Testing

@Suite struct LevelDBDifferentialTests {
    @Test(arguments: 0..<4)
    func randomHistoriesAgreeWithTheReference(part: UInt64) async throws {
        try await DifferentialRun.check(seeds: part * 20..<part * 20 + 20) { schema in
            try await Store.open(LevelDBAdapter(.temporary), schema: schema)
        }
    }
}
#endif
