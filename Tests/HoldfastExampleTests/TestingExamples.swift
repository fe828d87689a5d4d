import HoldfastConformance
import HoldfastConformanceTesting
import HoldfastInMemory
import HoldfastSimulation
import HoldfastStorage
import Testing

/// The examples in the comments about the conformance suite and the simulation.
@Suite struct TestingExamples {
    /// Only some of the clauses, since other tests check all of them.
    private enum Suite {
        static let adapter = HoldfastConformance.Suite.adapter.filtered { $0.id.hasPrefix("TXT") }
        static let today = HoldfastConformance.Suite.today
    }

    @Test(arguments: Suite.adapter.clauseIDs)
    func conforms(_ clause: String) async throws { try await expectConformance(of: MyHarness(), to: clause) }

    @Test func aRun() async throws {
        let textOnly = Suite.adapter.filtered { $0.id.hasPrefix("TXT") }
        let report = await ConformanceRun(MyHarness(), suite: textOnly, today: Suite.today).run()
        let summary = report.summary  // "… passed, 0 failed, 0 skipped"
        #expect(report.failedCount == 0 && summary.contains("0 failed"))
    }

    #if os(Linux) || os(macOS)
    @Test func simulate() {
        let scenario = ScenarioGenerator().scenario(seed: 42)
        let report = SimulationRun(scenario, keepsTimeline: true).report()
        let failures = report.violations  // empty if every promise was kept
        #expect(failures == [])
    }

    @Test func schemas() throws {
        let schema = try SimulatedSchema(
            "type Task @model @auth(rules: [{ allow: owner }]) { title: String! isDone: Boolean }")
        var generator = ScenarioGenerator(schema)
        generator.clients = 5
        let report = SimulationRun(generator.scenario(seed: 42), of: schema).report()
        #expect(report.violations == [] && report.operations > 0)
    }

    @Test func scripts() throws {
        let schema = try SimulatedSchema(
            "type Task @model @auth(rules: [{ allow: public }]) { title: String! isDone: Boolean }")
        let (phone, tablet) = (Device(0), Device(1))
        let scenario = Scenario(devices: 2) {
            phone.save("Task", 1, "title")
            Pause(.seconds(10))
            tablet.goOffline()
            tablet.save("Task", 1, "isDone")
            phone.delete("Task", 1)
            Pause(.seconds(60))
            tablet.goOnline()
        }
        let report = SimulationRun(scenario, of: schema).report()
        let failures = report.violations  // empty if every promise was kept
        let lost = report.deadLetters  // 1: the change of the tablet, whose record the phone had deleted
        #expect(failures == [] && lost == 1 && report.operations == 3)
    }
    #endif

    @Test func scenarios() {
        var generator = ScenarioGenerator()
        generator.clients = 4
        generator.operations = 200
        let scenario = generator.scenario(seed: 42)  // the same in every run
        #expect(scenario == generator.scenario(seed: 42))
    }
}

struct MyHarness: AdapterHarness {
    let name = "mine"
    let levels: Set<Level> = [.core, .query]

    func makeLocation() async throws -> any StoreLocation { MyLocation() }
}

struct MyLocation: StoreLocation {
    let address = "memory \(UInt64.random(in: .min ... .max))"

    func makeAdapter() throws -> any StorageAdapter { InMemoryAdapter() }
    func remove() async {}
}
