package import HoldfastStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Compares a store with the reference over a random schema and a random history, and reports a disagreement
/// as the shortest case it can find.
///
/// All of a run follows from its seed. `HOLDFAST_SEED` replaces the seeds of every check by one;
/// `HOLDFAST_DIFFERENTIAL_RUNS` sets how many seeds are tried.
package struct DifferentialRun {
    /// Opens a new, empty store.
    package typealias MakeStore = (StorageSchema) async throws -> Store

    /// The seed.
    package let seed: UInt64
    private let configuration: DifferentialConfiguration
    private let makeStore: MakeStore

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - seed: Decides everything.
    ///   - configuration: What the adapter may be asked; everything by default.
    ///   - makeStore: Opens a new, empty store; called again and again while a case is shrunk.
    package init(
        seed: UInt64, configuration: DifferentialConfiguration = DifferentialConfiguration(),
        makeStore: @escaping MakeStore
    ) {
        self.seed = seed
        self.configuration = configuration
        self.makeStore = makeStore
    }

    /// Runs the case of the seed.
    ///
    /// - Returns: `nil` if store and reference agree, otherwise the shrunk disagreement.
    package func run() async throws -> DifferentialFailure? {
        let original = try DifferentialCase.random(seed: seed, configuration: configuration)
        return await shrunk(original)
    }

    /// Runs a case, and shrinks it if it fails.
    package func shrunk(_ original: DifferentialCase) async -> DifferentialFailure? {
        guard let first = await run(original) else { return nil }
        var shrinker = DifferentialShrinker(original, first, maximumTries: configuration.shrinkTries) { candidate in
            await run(candidate)
        }
        await shrinker.shrink()
        return DifferentialFailure(
            seed: seed, originalStepCount: original.steps.count, tries: shrinker.tries, shrunk: shrinker.best,
            mismatch: shrinker.mismatch)
    }

    /// Runs a case as it is; `nil` also for a case that is not valid.
    package func run(_ differentialCase: DifferentialCase) async -> DifferentialMismatch? {
        guard let schema = try? StorageSchema(entities: differentialCase.entities) else { return nil }
        do {
            let store = try await makeStore(schema)
            var executor = DifferentialExecutor(schema: schema, store: store, configuration: configuration)
            return await executor.run(differentialCase.steps)
        } catch {
            return DifferentialMismatch(step: 0, expected: "an open store", got: "\(error)")
        }
    }

    /// Runs a case and keeps what the store answers.
    ///
    /// - Throws: What opening the store throws.
    package func answers(to differentialCase: DifferentialCase) async throws -> DifferentialAnswers {
        let schema = try StorageSchema(entities: differentialCase.entities)
        var executor = DifferentialExecutor(
            schema: schema, store: try await makeStore(schema), configuration: configuration)
        let mismatch = await executor.run(differentialCase.steps)
        var answers = executor.answers
        answers.mismatch = mismatch
        return answers
    }

    /// Runs many seeds and throws the first disagreement.
    ///
    /// - Parameters:
    ///   - seeds: The seeds; overridden by the environment.
    ///   - steps: Steps of each run; 40 by default.
    ///   - configuration: What the adapter may be asked; its step count is replaced by `steps`.
    ///   - makeStore: Opens a new, empty store.
    /// - Throws: ``DifferentialFailure``, whose description is the shrunk case.
    package static func check(
        seeds: Range<UInt64>, steps: Int = 40, configuration: DifferentialConfiguration = DifferentialConfiguration(),
        makeStore: @escaping MakeStore
    ) async throws {
        var configuration = configuration
        configuration.stepCount = steps
        for seed in Self.seeds(seeds, ProcessInfo.processInfo.environment) {
            let run = DifferentialRun(seed: seed, configuration: configuration, makeStore: makeStore)
            if let failure = try await run.run() { throw failure }
        }
    }

    /// The seeds that the environment asks for, or else the given ones.
    package static func seeds(_ seeds: Range<UInt64>, _ environment: [String: String]) -> Range<UInt64> {
        if let seed = environment["HOLDFAST_SEED"].flatMap({ UInt64($0) }), seed < .max { return seed..<seed + 1 }
        guard let count = environment["HOLDFAST_DIFFERENTIAL_RUNS"].flatMap({ UInt64($0) }) else { return seeds }
        return seeds.lowerBound..<seeds.lowerBound + count
    }
}

/// A disagreement between a store and the reference, shrunk.
package struct DifferentialFailure: Error, CustomStringConvertible {
    /// The seed that shows it.
    package let seed: UInt64
    /// The steps before shrinking.
    package let originalStepCount: Int
    /// The runs that shrinking took.
    package let tries: Int
    /// The shortest failing case found.
    package let shrunk: DifferentialCase
    /// What differs.
    package let mismatch: DifferentialMismatch

    /// The case as Swift, and what differs.
    package var description: String {
        var lines = [
            "The store disagrees with the reference. Again: HOLDFAST_SEED=\(seed)",
            "// Shrunk from \(originalStepCount) steps to \(shrunk.steps.count) in \(tries) runs.",
            "let schema = try StorageSchema(entities: [",
            shrunk.entities.map(SwiftText.entity).joined(separator: ",\n"),
            "])",
            "let store = try await Store.open(adapter, schema: schema)",
        ]
        for (index, step) in shrunk.steps.enumerated() {
            lines.append(SwiftText.step(step))
            if index == mismatch.step { lines += differences }
        }
        if mismatch.step >= shrunk.steps.count { lines += differences }
        return lines.joined(separator: "\n")
    }

    private var differences: [String] {
        ["// expected: \(mismatch.expected)", "// got:      \(mismatch.got)"]
            .map { $0.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n// ") }
    }
}
