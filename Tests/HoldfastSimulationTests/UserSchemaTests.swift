#if os(Linux) || os(macOS)
import HoldfastGraphQL
import HoldfastServer
import HoldfastStorage
import Testing

@testable import HoldfastSimulation

/// Runs of schemas of applications, on the thread of the test.
@Suite struct UserSchemaTests {
    private static let rules = "{ allow: owner }, { allow: groups, groups: [\"Editors\"], operations: [read, update] }"

    private static func text(_ rules: String) -> String {
        """
        type Post @model @auth(rules: [\(rules)]) {
          title: String! rating: Int labels: [String] comments: [Comment] @hasMany
        }
        type Comment @model @auth(rules: [\(rules)]) { text: String! post: Post @belongsTo }
        """
    }

    private func violations(_ schema: SimulatedSchema, seeds: ClosedRange<UInt64>) -> [String] {
        var generator = ScenarioGenerator(schema)
        generator.operations = 30
        return seeds.flatMap { SimulationRun(generator.scenario(seed: $0), of: schema).report().violations }
    }

    @Test func rulesAndRelationsOfASchemaHold() throws {
        #expect(violations(try SimulatedSchema(Self.text(Self.rules)), seeds: 1...4) == [])
    }

    /// The service follows other rules than the schema that the clients and the oracle have.
    @Test(arguments: [
        "{ allow: private }", "{ allow: owner }, { allow: private, operations: [read] }",
        "{ allow: groups, groups: [\"Editors\"] }, { allow: owner, operations: [create, read] }",
    ])
    func aServiceThatFollowsOtherRulesIsFound(others: String) throws {
        var schema = try SimulatedSchema(Self.text(Self.rules))
        schema.served = ServerSchemas([Source(Self.text(others))])
        #expect(violations(schema, seeds: 1...6) != [])
    }

    @Test func nothingOfARunStaysInMemory() {
        final class Token: Sendable {}
        weak var token: Token?
        do {
            let made = Token()
            token = made
            let run = SimulationRun(ScenarioGenerator().scenario(seed: 1)) { _, _ in
                throw StorageError(.unsupported, "\(made)")
            }
            #expect(run.report().violations == [])
        }
        #expect(token == nil)
    }

    /// Two devices change different fields of one record, and the change of one of them arrives late.
    @Test func theStrategyOfAModelDecidesConflicts() throws {
        let schema = try SimulatedSchema(Self.text("{ allow: public }"))
        let (first, second) = (Device(0), Device(1))
        let scenario = Scenario(strategy: .automerge, devices: 2) {
            first.save("Post", 1)
            Pause(.seconds(20))
            second.requests(.slow)
            second.save("Post", 1, "rating")
            first.save("Post", 1, "title")
        }
        for strategy in Scenario.Strategy.allCases {
            var scenario = scenario
            scenario.strategies = ["Post": strategy]
            let report = SimulationRun(scenario, of: schema).report()
            #expect(report.violations == [])
            #expect(report.conflicts == (strategy == .optimistic ? 1 : 0))
            #expect(report.deadLetters == report.conflicts)
        }
    }
}
#endif
