import Foundation
import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Testing

/// The same histories on all adapters: they must agree with the reference and with each other, step by step.
struct SameAnswersTests {
    @Test(.enabled(if: TestedAdapter.local.count > 1, "this build has one adapter only"), arguments: 0..<4)
    func allAdaptersAnswerAlike(part: UInt64) async throws {
        try await check(part * 10..<part * 10 + 10, TestedAdapter.local)
    }

    @Test(.enabled(if: PostgreSQLServer.url != nil, "\(PostgreSQLServer.absence)"), arguments: 0..<4)
    func allAdaptersAnswerAlikeWithAServer(part: UInt64) async throws {
        try #require(TestedAdapter(rawValue: "postgresql") != nil)
        try await check(part * 10..<part * 10 + 10, TestedAdapter.shipped)
    }

    private func check(_ seeds: Range<UInt64>, _ adapters: [TestedAdapter]) async throws {
        var comparedCount = 0
        let seeds = DifferentialRun.seeds(seeds, ProcessInfo.processInfo.environment)
        for seed in seeds {
            let history = try DifferentialCase.random(seed: seed)
            var answers: [(adapter: TestedAdapter, DifferentialAnswers)] = []
            for adapter in adapters {
                let location = TestLocation(adapter)
                let run = DifferentialRun(seed: seed) { schema in try await Store.open(location.make(), schema: schema)
                }
                let own = try await run.answers(to: history)
                if let mismatch = own.mismatch {
                    Issue.record("\(adapter) and the reference, HOLDFAST_SEED=\(seed): \(mismatch)")
                }
                for (other, others) in answers {
                    if let difference = others.firstDifference(from: own) {
                        Issue.record("\(other) and \(adapter), HOLDFAST_SEED=\(seed): \(difference)")
                    }
                    comparedCount += others.comparableCount(with: own)
                }
                answers.append((adapter, own))
            }
        }
        // Of 40 steps most have an answer, for every pair of adapters.
        let pairCount = adapters.count * (adapters.count - 1) / 2
        #expect(comparedCount > seeds.count * pairCount * 20)
    }

    /// Stores that differ in one commit agree with the reference each, and not with each other.
    @Test func aDifferenceIsFound() async throws {
        let whole = try DifferentialCase.random(seed: 1)
        var lacking = whole
        lacking.steps[0] = .commit(CommitRequest())
        let run = DifferentialRun(seed: 1) { schema in
            try await Store.open(TestLocation(.memory).make(), schema: schema)
        }
        let answers = [try await run.answers(to: whole), try await run.answers(to: lacking)]
        #expect(answers.allSatisfy { $0.mismatch == nil })
        #expect(answers[0].firstDifference(from: answers[0]) == nil)
        #expect(answers[0].firstDifference(from: answers[1])?.step == 0)
    }
}
