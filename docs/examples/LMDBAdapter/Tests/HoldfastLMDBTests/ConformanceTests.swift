import Foundation
import HoldfastConformance
import HoldfastConformanceTesting
import HoldfastEngineConformance
import LMDBHarness
import Testing

/// Every clause as a test of its own; the program beside the test bundle works in the other processes.
struct ConformanceTests {
    private static let workers: WorkerLauncher? = {
        let folder = Bundle.main.executableURL?.deletingLastPathComponent()
        let path = folder?.appendingPathComponent("lmdb-conformance").path ?? ""
        return FileManager.default.isExecutableFile(atPath: path) ? WorkerLauncher(executable: path) : nil
    }()

    @Test(arguments: Suite.complete.clauseIDs)
    func conforms(_ clause: String) async throws {
        try await expectConformance(of: LMDBHarness(), to: clause, of: .complete, workers: Self.workers)
    }
}
