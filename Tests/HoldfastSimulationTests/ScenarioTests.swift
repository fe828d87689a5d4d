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

    @Test func aScriptIsAScenario() {
        let (phone, tablet) = (Device(0), Device(1))
        let scenario = Scenario(seed: 3, strategy: .optimistic, devices: 2) {
            for record in 1...2 { phone.save("Paper", record, "title", "body", in: 4) }
            Pause(.seconds(2))
            tablet.die(for: .seconds(1))
            Scenario.Action.purge
        }
        #expect(scenario.steps.map(\.at) == [0, 0, 0, 0, 2_000, 2_000])
        #expect(scenario.steps.map(\.id) == Array(0..<6))
        #expect(
            scenario.steps[3].action
                == .save(client: 0, model: "Paper", record: 2, fields: ["title", "body"], parent: 4))
        #expect(scenario.steps[4].action == .death(client: 1, commits: 0, isBefore: false, pause: 1_000))
        #expect(scenario.problem(in: .standard) == nil)
    }

    @Test func aScenarioThatDoesNotFitIsRefused() {
        func problem(_ line: ScriptLine) -> String? { Scenario(devices: 1) { line }.problem(in: .standard) }
        #expect(problem(Device(0).save("Post", 1)) == "the schema has no model 'Post'")
        #expect(problem(Device(0).delete("Post", 1)) == "the schema has no model 'Post'")
        #expect(problem(Device(0).move("Post", 1, to: 2)) == "the schema has no model 'Post'")
        #expect(problem(Device(0).deleteIf("Post", 1)) == "the schema has no model 'Post'")
        #expect(problem(Device(0).saveIf("Paper", 1, "text")) == "'Paper' has no field 'text' that edits can change")
        #expect(problem(Device(0).save("Paper", 1, "text")) == "'Paper' has no field 'text' that edits can change")
        #expect(problem(Device(1).stop()) == "step 1 names client 1, and there are 1")
        #expect(problem(Device(0).signIn(-1)) == "step 1 names user -1, and the first one is 0")
        #expect(
            problem(.happens(.serverDeath(server: -1, pause: 1)))
                == "step 1 names process -1 of the service, and the first one is 0")
        var scenario = Scenario(devices: 1) { Device(0).stop() }
        scenario.clients[0].user = -1
        #expect(scenario.problem(in: .standard) == "client 0 names user -1, and the first one is 0")
        // A smaller scenario may have fewer processes of the service than its steps name.
        #expect(problem(.happens(.serverDeath(server: 1, pause: 1))) == nil)
        let report = SimulationRun(Scenario(devices: 1) { Device(0).delete("Post", 1) }).report()
        #expect(report.violations == ["the scenario does not fit: the schema has no model 'Post'"])
    }

    /// What an answer that is lost or of no use leaves behind must heal without a new start.
    @Test func onlyRefusalsAndIncompletePagesNeedAnotherStart() {
        for fault in Scenario.RequestFault.allCases {
            let scenario = Scenario(devices: 2) { Device(1).requests(fault) }
            let isWaiting = [.status401, .status403, .partial, .damaged].contains(fault)
            #expect(scenario.clientsWaitingForStart == (isWaiting ? [1] : []), "\(fault)")
        }
    }

    /// What excuses one kind of dead letter must not excuse others.
    @Test func onlyWhatHidesTheFateOfARequestMisleadsAClient() {
        for fault in Scenario.RequestFault.allCases {
            let scenario = Scenario(devices: 2) { Device(1).requests(fault) }
            let isRefused = fault == .status401 || fault == .status403
            #expect(scenario.refusedClients == (isRefused ? [1] : []), "\(fault)")
            let isMisled = isRefused || fault == .late || fault == .twice
            #expect(scenario.misledClients == (isMisled ? [1] : []), "\(fault)")
        }
    }

    /// Often enough to be seen, and so rarely that they hide nothing else.
    @Test func rareOperationsComeAbout() {
        var found: [String: Int] = [:]
        for seed in 1...100 {
            for step in ScenarioGenerator().scenario(seed: UInt64(seed)).steps where !step.action.isFault {
                found[String("\(step.action)".prefix { $0 != "(" }), default: 0] += 1
            }
        }
        for name in ["saveIf", "deleteIf", "move", "letter"] {
            #expect(found[name] ?? 0 > 30, "\(name)")
            #expect(found[name] ?? 0 < 500, "\(name)")
        }
    }

    @Test func everyKindOfFaultComesAbout() {
        var found: Set<String> = []
        for seed in 1...200 {
            for step in ScenarioGenerator().scenario(seed: UInt64(seed)).steps where step.action.isFault {
                found.insert(String("\(step.action)".prefix { $0 != "(" }))
                if case .requests(_, let fault, _) = step.action { found.insert(fault.rawValue) }
                if case .provider(_, let fault, _) = step.action { found.insert(fault.rawValue) }
                if case .commits(_, let fault, _) = step.action { found.insert(fault.rawValue) }
                if case .serverCommits(_, let fault, _) = step.action { found.insert("server \(fault.rawValue)") }
                if case .sockets(_, let fault) = step.action { found.insert(fault.rawValue) }
            }
        }
        let faults =
            Scenario.RequestFault.allCases.map(\.rawValue) + Scenario.CommitFault.allCases.map(\.rawValue)
            + Scenario.SocketFault.allCases.map(\.rawValue) + Scenario.ProviderFault.allCases.map(\.rawValue)
            + Scenario.CommitFault.allCases.map { "server \($0.rawValue)" }
            + [
                "network", "requests", "provider", "sockets", "death", "commits", "clock", "serverDeath", "serverClock",
                "purge", "upgrade", "restore", "reads",
            ]
        #expect(Set(faults).subtracting(found) == [])
    }

    @Test func theShrinkerKeepsWhatAFailureNeeds() {
        let scenario = ScenarioGenerator().scenario(seed: 3)
        let needed: Set<Int> = [5, scenario.steps.count - 2]
        let small = Shrinker { needed.isSubset(of: $0.steps.map(\.id)) }.shrunk(scenario)
        #expect(Set(small.steps.map(\.id)) == needed)
        #expect(small.servers == 1)
    }

    @Test func theShrinkerFinishesLongScenarios() {
        var generator = ScenarioGenerator()
        generator.operations = 300
        let scenario = generator.scenario(seed: 3)
        let needed = Set(scenario.steps.map(\.id).filter { $0.isMultiple(of: 3) })
        let small = Shrinker { needed.isSubset(of: $0.steps.map(\.id)) }.shrunk(scenario)
        #expect(Set(small.steps.map(\.id)) == needed)
    }

    @Test func theShrinkerTriesOtherSeedsIfManyStepsAreLeft() {
        let scenario = Scenario(seed: 30, devices: 1) { for record in 1...40 { Device(0).save("Paper", record) } }
        // With its own seed nothing can be left out.
        let small = Shrinker { $0 == scenario || $0.seed > 30 && $0.steps.contains { $0.id == 7 } }.shrunk(scenario)
        #expect(small.steps.map(\.id) == [7])
        #expect(small.seed > 30)
    }

    @Test func theShrinkerLeavesAScenarioThatNothingCanBeLeftOutOf() {
        let scenario = ScenarioGenerator().scenario(seed: 3)
        #expect(Shrinker { $0 == scenario }.shrunk(scenario) == scenario)
    }
}
