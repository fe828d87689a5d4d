/// What one store answered to the steps of a case, with the reference's sequences in place of its own.
///
/// Answers about which the contract leaves a choice are left out.
package struct DifferentialAnswers {
    /// The first disagreement with the reference.
    package internal(set) var mismatch: DifferentialMismatch?
    private var outcomes: [Int: DifferentialOutcome] = [:]
    private var step = 0
    /// The step at which the store refused a commit that others may accept; from there on it has a history of its own.
    private var partingStep = Int.max

    mutating func begin(_ step: Int) { self.step = step }

    mutating func add(_ outcome: DifferentialOutcome) { outcomes[step] = outcome }

    mutating func part() { partingStep = min(partingStep, step) }

    /// The steps whose answers can be compared.
    private func steps(with other: DifferentialAnswers) -> [Int] {
        let end = min(partingStep, other.partingStep)
        return outcomes.keys.filter { $0 < end }.sorted()
    }

    /// For tests: how many answers of two stores were given to the same question about the same history.
    package func comparableCount(with other: DifferentialAnswers) -> Int { steps(with: other).count }

    /// The first step at which two stores answer differently, as text; `nil` if there is none.
    package func firstDifference(from other: DifferentialAnswers) -> DifferentialMismatch? {
        for step in steps(with: other) {
            guard let own = outcomes[step] else { continue }
            guard let others = other.outcomes[step] else {
                return DifferentialMismatch(step: step, expected: own.text(around: 0), got: "no answer")
            }
            if own.agrees(with: others) { continue }
            let row = DifferentialOutcome.firstDifference(own, others)
            return DifferentialMismatch(step: step, expected: own.text(around: row), got: others.text(around: row))
        }
        return nil
    }
}
