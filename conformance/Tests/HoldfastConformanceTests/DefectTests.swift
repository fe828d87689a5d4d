import HoldfastConformance
import HoldfastConformanceTesting
import HoldfastStorage
import HoldfastTestSupport
import Synchronization
import Testing

/// The suite against the executable model behind the adapter contract, right and with every seeded defect.
///
/// One after the other: some clauses measure time or need tasks to run beside each other.
@Testing.Suite(.serialized) struct DefectTests {
    @Test(arguments: Suite.adapter.clauseIDs)
    func theModelConforms(_ clause: String) async throws {
        try await expectConformance(of: ModelHarness(), to: clause)
    }

    @Test(arguments: Suite.defects.map(\.id))
    func isKilledByItsClause(_ id: String) async throws {
        let defect = try #require(Suite.defects.first { $0.id == id })
        let run = DefectRun(ModelHarness(), suite: .adapter) { harness, suite in
            ConformanceRun(harness, suite: suite, today: "2026-01-01")
        }
        let fate = await run.fate(of: defect)
        #expect(!fate.isFailure, "\(fate)")
    }

    @Test func defectsHaveNamesOfTheirOwn() {
        #expect(Set(Suite.defects.map(\.id)).count == Suite.defects.count)
    }
}

struct ModelHarness: AdapterHarness {
    let name = "model"
    let levels: Set<Level> = [.core, .query, .transactional]

    private static let lastNumber = Atomic(0)

    func makeSite() async throws -> any StoreSite {
        ModelSite(address: "model-\(Self.lastNumber.add(1, ordering: .relaxed).newValue)")
    }
}

private struct ModelSite: StoreSite {
    let address: String
    func makeAdapter() throws -> any StorageAdapter { ModelAdapter() }
    func remove() async {}
}
