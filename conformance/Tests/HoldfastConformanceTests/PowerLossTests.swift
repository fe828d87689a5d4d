#if SQLite
import Foundation
import HoldfastConformance
import HoldfastConformanceMutants
import Testing

@testable import holdfast_conformance

/// The two levels of crash clauses find different mistakes, and the simulated loss of power has an effect.
struct PowerLossTests {
    /// The executable that children are, built beside the tests.
    private static let workers = WorkerLauncher(
        executable: URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("holdfast-conformance").path)

    @Test(arguments: ["CRS-001", "CRS-002", "CRS-003", "CRS-004", "CRS-005"])
    func aCommitThatIsNotSyncedSurvivesTheProcess(_ clause: String) async throws {
        let fate = await fate("power-never-syncs", clause)
        // It never asks for durability powerLoss, or the mutant passes.
        #expect(fate == .survived("\(clause) passes.") || fate == .neverFired, "\(fate)")
    }

    @Test(.enabled(if: Self.isSimulated), arguments: ["power-never-syncs", "power-syncs-later"])
    func aCommitThatIsNotSyncedDoesNotSurviveTheLossOfPower(_ mutant: String) async throws {
        let fate = await fate(mutant, "PWR-001")
        guard case .killed = fate else {
            Issue.record("\(fate)")
            return
        }
    }

    @Test(.enabled(if: Self.isSimulated)) func commitsWithoutDurabilityAreLost() async throws {
        let suite = Suite.adapter.filtered { $0.id == "PWR-005" }
        let run = ConformanceRun(SQLiteHarness(), suite: suite, today: "2026-01-01", workers: Self.workers)
        let result = await run.run().results[0]
        #expect(result.verdict == .conformant, "\(result.reason ?? "")")
        #expect(result.witnessCount > 0)
    }

    private static var isSimulated: Bool {
        #if os(Linux)
        true
        #else
        false
        #endif
    }

    /// The outcome for a mutant when another clause than its own looks for it.
    private func fate(_ id: String, _ clause: String) async -> MutantRun.Fate {
        guard let mutant = Mutant.all.first(where: { $0.id == id }), case .adapter(let wrap) = mutant.insertion
        else { return .survived("There is no mutant \(id).") }
        let other = Mutant(id, mutant.summary, killedBy: clause, wrap: wrap)
        let run = MutantRun(SQLiteHarness(), suite: .adapter) { harness, suite in
            ConformanceRun(harness, suite: suite, today: "2026-01-01", workers: Self.workers)
        }
        return await run.fate(of: other)
    }
}
#endif
