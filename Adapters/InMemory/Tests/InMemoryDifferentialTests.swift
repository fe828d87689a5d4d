import HoldfastConformance
import HoldfastInMemory
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct InMemoryDifferentialTests {
    /// Random schemas, commits, queries and held snapshots, compared with the reference.
    @Test func agreesWithTheReference() async throws {
        try await DifferentialRun.check(seeds: 0..<40, steps: 40) { schema in
            try await Store.open(InMemoryAdapter(), schema: schema)
        }
    }
}
