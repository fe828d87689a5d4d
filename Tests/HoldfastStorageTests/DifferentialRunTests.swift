import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Synchronization
import Testing

struct DifferentialRunTests {
    private func firstFailure(of defect: ModelDefect) async throws -> DifferentialFailure? {
        for seed in 0..<UInt64(40) {
            let run = DifferentialRun(seed: seed) { schema in
                try await Store.open(FaultyAdapter(defect: defect), schema: schema)
            }
            if let failure = try await run.run() { return failure }
        }
        return nil
    }

    @Test(arguments: ModelDefect.allCases)
    func seededDefectIsFoundAndShrunkToAShortCase(_ defect: ModelDefect) async throws {
        let failure = try #require(try await firstFailure(of: defect))
        #expect(failure.shrunk.steps.count <= 4)
        #expect(failure.shrunk.entities.count == 1)
        #expect(failure.tries <= 600)
        if defect != .rowLostBeyondFifty { #expect(failure.description.utf8.count < 2_500, "\(failure)") }
    }

    @Test func modelAgreesWithItselfThroughReopening() async throws {
        let adapters = Mutex<[String: ModelAdapter]>([:])
        let configuration = DifferentialConfiguration { store, schema in
            try await store.close()
            let adapter = adapters.withLock { $0["current"] }
            return try await Store.open(#require(adapter), schema: schema)
        }
        try await DifferentialRun.check(seeds: 0..<40, configuration: configuration) { schema in
            let adapter = ModelAdapter()
            adapters.withLock { $0["current"] = adapter }
            return try await Store.open(adapter, schema: schema)
        }
    }

    @Test func storeThatLosesItsContentWhenReopenedIsFound() async throws {
        let configuration = DifferentialConfiguration { store, schema in
            try await store.close()
            return try await Store.open(ModelAdapter(), schema: schema)
        }
        await #expect(throws: DifferentialFailure.self) {
            try await DifferentialRun.check(seeds: 0..<20, configuration: configuration) { schema in
                try await Store.open(ModelAdapter(), schema: schema)
            }
        }
    }

    @Test func equalSeedsGiveEqualFailures() async throws {
        let first = try #require(try await firstFailure(of: .notDropped))
        let second = try #require(try await firstFailure(of: .notDropped))
        #expect(first.description == second.description)
    }

    @Test func failureNamesItsSeedAndShowsBothAnswers() async throws {
        let failure = try #require(try await firstFailure(of: .preconditionIgnored))
        let text = failure.description
        #expect(text.contains("HOLDFAST_SEED=\(failure.seed)"))
        for part in ["StorageSchema(entities:", "store.commit", "// expected:", "// got:"] {
            #expect(text.contains(part))
        }
    }

    @Test func environmentChoosesSeeds() {
        #expect(DifferentialRun.seeds(3..<9, [:]) == 3..<9)
        #expect(DifferentialRun.seeds(3..<9, ["HOLDFAST_SEED": "77"]) == 77..<78)
        #expect(DifferentialRun.seeds(3..<9, ["HOLDFAST_DIFFERENTIAL_RUNS": "500"]) == 3..<503)
        #expect(DifferentialRun.seeds(3..<9, ["HOLDFAST_SEED": "none"]) == 3..<9)
    }

    @Test func generatorOfNumbersIsTheSameEverywhere() {
        var random = SplitMix64(seed: 1_234_567)
        #expect(random.next() == 6_457_827_717_110_365_317)
        #expect(random.next() == 3_203_168_211_198_807_973)
    }
}
