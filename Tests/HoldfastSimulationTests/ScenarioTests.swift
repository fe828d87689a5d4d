import Foundation
import Testing

@testable import HoldfastSimulation

@Suite struct ScenarioTests {
    @Test func aSeedGivesOneScenario() throws {
        let generator = ScenarioGenerator()
        #expect(generator.scenario(seed: 7) == generator.scenario(seed: 7))
        #expect(generator.scenario(seed: 7) != generator.scenario(seed: 8))
    }

    @Test func aScenarioIsData() throws {
        for seed in 1...20 {
            let scenario = ScenarioGenerator().scenario(seed: UInt64(seed))
            let data = try JSONEncoder().encode(scenario)
            #expect(try JSONDecoder().decode(Scenario.self, from: data) == scenario)
        }
    }

    @Test func everyKindOfFaultComesAbout() {
        var found: Set<String> = []
        for seed in 1...200 {
            for step in ScenarioGenerator().scenario(seed: UInt64(seed)).steps where step.action.isFault {
                found.insert(String("\(step.action)".prefix { $0 != "(" }))
                if case .requests(_, let fault, _) = step.action { found.insert(fault.rawValue) }
                if case .commits(_, let fault, _) = step.action { found.insert(fault.rawValue) }
                if case .serverCommits(_, let fault, _) = step.action { found.insert("server \(fault.rawValue)") }
                if case .sockets(_, let fault) = step.action { found.insert(fault.rawValue) }
            }
        }
        let faults =
            Scenario.RequestFault.allCases.map(\.rawValue) + Scenario.CommitFault.allCases.map(\.rawValue)
            + Scenario.SocketFault.allCases.map(\.rawValue)
            + Scenario.CommitFault.allCases.map { "server \($0.rawValue)" }
            + ["network", "requests", "sockets", "death", "commits", "clock", "serverDeath", "serverClock", "purge"]
        #expect(Set(faults).subtracting(found) == [])
    }

    @Test func theShrinkerKeepsWhatAFailureNeeds() {
        let scenario = ScenarioGenerator().scenario(seed: 3)
        let needed: Set<Int> = [5, scenario.steps.count - 2]
        let small = Shrinker { needed.isSubset(of: $0.steps.map(\.id)) }.shrunk(scenario)
        #expect(Set(small.steps.map(\.id)) == needed)
        #expect(small.servers == 1)
    }

    @Test func theShrinkerLeavesAScenarioThatNothingCanBeLeftOutOf() {
        let scenario = ScenarioGenerator().scenario(seed: 3)
        #expect(Shrinker { $0 == scenario }.shrunk(scenario) == scenario)
    }
}
