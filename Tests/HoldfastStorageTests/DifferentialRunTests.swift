import HoldfastStorage
import HoldfastTestSupport
import Synchronization
import Testing

struct DifferentialRunTests {
    @Test(arguments: Defect.allCases)
    func seededDefectIsFoundAndShrunkToAShortCase(_ defect: Defect) async throws {
        var found: DifferentialFailure?
        for seed in 0..<UInt64(120) where found == nil {
            let run = DifferentialRun(seed: seed) { schema in
                try await Store.open(FaultyAdapter(defect: defect), schema: schema)
            }
            found = try await run.run()
        }
        let failure = try #require(found)
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
        var descriptions: Set<String> = []
        for _ in 0..<2 {
            let run = DifferentialRun(seed: 4) { schema in
                try await Store.open(FaultyAdapter(defect: .notDropped), schema: schema)
            }
            descriptions.insert(try await run.run()?.description ?? "no failure")
        }
        #expect(descriptions.count == 1)
    }

    @Test func failureNamesItsSeedAndShowsBothAnswers() async throws {
        let run = DifferentialRun(seed: 0) { schema in
            try await Store.open(FaultyAdapter(defect: .preconditionIgnored), schema: schema)
        }
        let text = try #require(try await run.run()).description
        for part in ["HOLDFAST_SEED=0", "StorageSchema(entities:", "store.commit", "// expected:", "// got:"] {
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
