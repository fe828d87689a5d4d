import HoldfastStorage
import HoldfastTestSupport
import Testing

struct DifferentialRunTests {
    private static let configuration = DifferentialConfiguration(hasUniqueIndexes: false)

    private func firstFailure(of defect: Defect, seeds: Range<UInt64>) async throws -> DifferentialFailure? {
        for seed in seeds {
            let run = DifferentialRun(seed: seed, configuration: Self.configuration) { schema in
                try await Store.open(FaultyAdapter(defect: defect), schema: schema)
            }
            if let failure = try await run.run() { return failure }
        }
        return nil
    }

    @Test(arguments: Defect.allCases)
    func seededDefectIsFoundAndShrunk(_ defect: Defect) async throws {
        let failure = try #require(try await firstFailure(of: defect, seeds: 0..<150))
        print(defect, failure.seed, failure.tries, failure.shrunk.steps.count)
        print(failure)
        #expect(failure.shrunk.steps.count <= 5)
    }
}
