/// Makes a scenario smaller that fails, by leaving out what the failure does not need.
public struct Shrinker {
    /// How many scenarios are tried at most; by default 200, and 5 more for each step, and four times as many with
    /// other seeds.
    public var limit: Int?
    /// Whether a scenario still fails.
    private let fails: (Scenario) -> Bool

    /// Creates a shrinker.
    ///
    /// - Parameter fails: Whether a scenario fails in the way that is looked for.
    public init(fails: @escaping (Scenario) -> Bool) { self.fails = fails }

    /// The smallest scenario found that fails; the given one if no smaller one does.
    public func shrunk(_ scenario: Scenario) -> Scenario {
        let limit = limit ?? 200 + 5 * scenario.steps.count
        let best = shrunk(scenario, limit: limit, seedCount: 1)
        // Without a step all later delays are others. Among those of several seeds some may lead to the failure again.
        return best.steps.count > 20 ? shrunk(best, limit: 4 * limit, seedCount: 8) : best
    }

    private func shrunk(_ scenario: Scenario, limit: Int, seedCount: UInt64) -> Scenario {
        var best = scenario
        var rest = limit
        func isBetter(_ candidate: Scenario) -> Bool {
            guard candidate != best else { return false }
            for number in 0..<seedCount where rest > 0 {
                var candidate = candidate
                candidate.seed &+= number
                rest -= 1
                guard fails(candidate) else { continue }
                best = candidate
                return true
            }
            return false
        }
        // First, because a simpler scenario also runs faster.
        for simpler in Self.simpler { _ = isBetter(simpler(best)) }
        var size = max(1, best.steps.count / 2)
        while rest > 0 {
            var start = 0
            var isSmaller = false
            while start < best.steps.count, rest > 0 {
                var candidate = best
                candidate.steps.removeSubrange(start..<min(start + size, candidate.steps.count))
                if isBetter(candidate) { isSmaller = true } else { start += size }
            }
            if size > 1 { size = max(1, size / 2) } else if !isSmaller { break }
        }
        if best.steps.count < scenario.steps.count {
            for simpler in Self.simpler { _ = isBetter(simpler(best)) }
        }
        for index in best.steps.indices {
            guard case .save(let client, let model, let record, let fields, _) = best.steps[index].action else {
                continue
            }
            for field in fields where fields.count > 1 {
                var candidate = best
                candidate.steps[index].action = .save(
                    client: client, model: model, record: record, fields: [field], parent: nil)
                if isBetter(candidate) { break }
            }
        }
        return best
    }

    /// Changes that make any scenario simpler.
    private static let simpler: [@Sendable (Scenario) -> Scenario] = [
        { scenario in
            var scenario = scenario
            for index in scenario.clients.indices { scenario.clients[index].storage = Scenario.memory }
            return scenario
        },
        { scenario in
            var scenario = scenario
            for index in scenario.clients.indices { scenario.clients[index].clockError = 0 }
            return scenario
        },
        { scenario in
            var scenario = scenario
            for index in scenario.clients.indices { scenario.clients[index].hasSecondHandle = nil }
            return scenario
        },
        { scenario in
            var scenario = scenario
            (scenario.storePause, scenario.hasExactBackups) = (nil, nil)
            return scenario
        },
        { scenario in
            var scenario = scenario
            scenario.strategies = nil
            return scenario
        },
        { scenario in
            var scenario = scenario
            scenario.servers = 1
            return scenario
        },
        { scenario in
            var scenario = scenario
            let used = scenario.steps.compactMap(\.action.client).max() ?? 0
            scenario.clients.removeLast(max(0, scenario.clients.count - used - 1))
            return scenario
        },
    ]
}
