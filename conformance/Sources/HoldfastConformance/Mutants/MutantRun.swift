/// Makes each mutant of an adapter and asks whether its clause finds it.
public struct MutantRun: Sendable {
    /// What became of a mutant.
    public enum Fate: Sendable, Hashable, Codable {
        /// The named clause found it.
        case killed(String)
        /// The named clause passed: the suite has a hole.
        case survived(String)
        /// The mutant never had an effect: it, or its clause, is wrong.
        case neverFired
        /// The adapter does not claim what the clause is about.
        case notApplicable(String)
        /// The check could not be carried out, which says nothing of the mutant.
        case harnessError(String)

        /// Whether the score suffers.
        public var isFailure: Bool {
            switch self {
            case .survived, .neverFired, .harnessError: true
            case .killed, .notApplicable: false
            }
        }
    }

    private let harness: any AdapterHarness
    private let suite: Suite
    private let run: @Sendable (any AdapterHarness, Suite) -> ConformanceRun

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - harness: The harness of an adapter that conforms.
    ///   - suite: Where the named clauses are found.
    ///   - run: Makes the run of one clause.
    public init(
        _ harness: any AdapterHarness, suite: Suite,
        run: @escaping @Sendable (any AdapterHarness, Suite) -> ConformanceRun
    ) {
        self.harness = harness
        self.suite = suite
        self.run = run
    }

    /// Tries the harness without a mutant, before the first one.
    ///
    /// - Throws: ``HarnessFailure`` that says what the harness does wrong.
    public func tryHarness() async throws { _ = try await HarnessSelfTest(harness).run() }

    /// Tries one mutant.
    public func fate(of mutant: Mutant) async -> Fate {
        guard let clause = suite.clauses.first(where: { $0.id == mutant.clause }) else {
            return .survived("There is no clause \(mutant.clause).")
        }
        let clauses = suite.filtered { $0.id == clause.id }
        guard harness.levels.contains(clause.level) else {
            return .notApplicable("The adapter does not claim the level \(clause.level.rawValue).")
        }
        let mutated = MutantHarness(base: harness, mutant: mutant)
        let result = await run(mutated, clauses).run().results[0]
        switch result.verdict {
        case .harnessError: return .harnessError(result.reason ?? "")
        case .nonConformant, .underDeclared:
            return mutated.trigger.fired ? .killed(result.reason ?? "") : .neverFired
        case .conformantWithout: return .notApplicable("The adapter declares that it lacks this.")
        case .skipped, .waived: return .notApplicable(result.reason ?? "")
        case .conformant, .vacuous:
            if mutated.trigger.fired { return .survived("\(clause.id) passes.") }
            return mutated.trigger.skipReason.map { .notApplicable($0) } ?? .neverFired
        }
    }
}
