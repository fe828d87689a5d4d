import HoldfastConformance
import HoldfastConformanceMutants
import HoldfastStorage
import HoldfastTestSupport
import Testing

struct DifferentialRunTests {
    /// Mutants of histories that need no second session and no child.
    private static let mutants = Mutant.all.filter { $0.clause == "HIS-002" }.map(\.id)

    private func firstFailure(of id: String) async throws -> DifferentialFailure? {
        let mutant = try #require(Mutant.all.first { $0.id == id })
        guard case .adapter(let wrap) = mutant.insertion else { return nil }
        for seed in 0..<UInt64(40) {
            let run = DifferentialRun(seed: seed) { schema in
                try await Store.open(wrap(ReferenceAdapter(), MutantTrigger()), schema: schema)
            }
            if let failure = try await run.run() { return failure }
        }
        return nil
    }

    @Test(arguments: mutants)
    func aMutantIsFoundAndShrunkToAShortCase(_ mutant: String) async throws {
        let failure = try #require(try await firstFailure(of: mutant))
        #expect(failure.shrunk.steps.count <= 4)
        #expect(failure.shrunk.entities.count == 1)
        #expect(failure.tries <= 600)
        if mutant != "history-fifty-first-lost" { #expect(failure.description.utf8.count < 2_500, "\(failure)") }
    }

    @Test func adapterThatCountsCommitsInItsOwnWayAgrees() async throws {
        try await DifferentialRun.check(seeds: 0..<30) { schema in
            try await Store.open(GappedAdapter(base: ReferenceAdapter()), schema: schema)
        }
    }

    @Test func versionsThatAreNoSequencesOfReceiptsAreFound() async throws {
        await #expect(throws: DifferentialFailure.self) {
            try await DifferentialRun.check(seeds: 0..<10) { schema in
                try await Store.open(GappedAdapter(base: ReferenceAdapter(), versionShift: 1), schema: schema)
            }
        }
    }

    @Test func theReferenceAgreesWithItselfAfterReopening() async throws {
        let adapters = Mutex<[String: ReferenceAdapter]>([:])
        let configuration = DifferentialConfiguration { store, schema in
            try await store.close()
            let adapter = adapters.withLock { $0["current"] }
            return try await Store.open(#require(adapter), schema: schema)
        }
        try await DifferentialRun.check(seeds: 0..<40, configuration: configuration) { schema in
            let adapter = ReferenceAdapter()
            adapters.withLock { $0["current"] = adapter }
            return try await Store.open(adapter, schema: schema)
        }
    }

    @Test func storeThatLosesItsContentWhenReopenedIsFound() async throws {
        let configuration = DifferentialConfiguration { store, schema in
            try await store.close()
            return try await Store.open(ReferenceAdapter(), schema: schema)
        }
        await #expect(throws: DifferentialFailure.self) {
            try await DifferentialRun.check(seeds: 0..<20, configuration: configuration) { schema in
                try await Store.open(ReferenceAdapter(), schema: schema)
            }
        }
    }

    @Test func equalSeedsGiveEqualFailures() async throws {
        let first = try #require(try await firstFailure(of: "history-third-key-kept"))
        let second = try #require(try await firstFailure(of: "history-third-key-kept"))
        #expect(first.description == second.description)
    }

    @Test func failureNamesItsSeedAndShowsBothAnswers() async throws {
        let failure = try #require(try await firstFailure(of: "history-second-precondition-ignored"))
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

/// The reference with every third sequence only; an adapter may number commits as it chooses.
private struct GappedAdapter: StorageAdapter {
    let base: ReferenceAdapter
    /// Added to the versions of records read by key; 0 in a right adapter.
    var versionShift: UInt64 = 0

    var capabilities: Capabilities { base.capabilities }

    func open(_ request: OpenRequest) async throws(StorageError) { try await base.open(request) }

    func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        GappedSnapshot(base: try await base.snapshot(), versionShift: versionShift)
    }

    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        var request = request
        request.preconditions = request.preconditions.map { precondition in
            switch precondition {
            case .version(let entity, let key, let version):
                .version(entity: entity, key: key, version % 3 == 0 ? version / 3 : .max)
            case .unchanged(let range, let since): .unchanged(range, since: since / 3)
            default: precondition
            }
        }
        var receipt = try await base.commit(request)
        receipt.sequence *= 3
        return receipt
    }

    func close() async throws(StorageError) { try await base.close() }
}

private struct GappedSnapshot: AdapterSnapshot {
    let base: any AdapterSnapshot
    let versionShift: UInt64

    var sequence: UInt64 { base.sequence * 3 }

    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.get(request, into: &rows)
        rows = rows.gapped(by: versionShift)
    }

    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan {
        GappedScan(base: try await base.scan(range))
    }

    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
        GappedScan(base: try await base.query(query))
    }

    func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        try await base.aggregate(aggregate)
    }

    func close() async { await base.close() }
}

private struct GappedScan: AdapterScan {
    var base: any AdapterScan

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.next(maximumRowCount: maximumRowCount, into: &rows)
        rows = rows.gapped(by: 0)
    }

    mutating func close() async { await base.close() }
}

extension RowBuffer {
    fileprivate func gapped(by shift: UInt64) -> RowBuffer {
        var result = RowBuffer(columnCount: columnCount)
        for row in 0..<rowCount {
            result.append(self[row], version: versions[row] == 0 ? 0 : versions[row] * 3 + shift)
        }
        return result
    }
}
