import HoldfastAdapterKit
import HoldfastEngine
import HoldfastInMemory
public import HoldfastStorage

/// Runs one scenario.
///
/// ```swift
/// let scenario = ScenarioGenerator().scenario(seed: 42)
/// let report = SimulationRun(scenario, keepsTimeline: true).report()
/// let failures = report.violations  // empty if every promise was kept
/// ```
public struct SimulationRun: Sendable {
    /// Makes the adapter of a client, not yet open; a second call for the same name finds what the first one stored.
    public typealias MakeAdapter = @Sendable (_ storage: String, _ name: String) throws -> any StorageAdapter

    /// How long clients may take to synchronize once there are no more faults.
    static let settlingTimeout = Duration.seconds(3_600)

    private let scenario: Scenario
    private let schema: SimulatedSchema
    private let make: MakeAdapter
    private let keepsTimeline: Bool

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - scenario: The scenario to run.
    ///   - schema: The schema of the records; the one of ``ScenarioGenerator`` by default.
    ///   - keepsTimeline: Whether the report contains everything that happened.
    ///   - make: Makes adapters other than the one in memory; refuses them by default.
    public init(
        _ scenario: Scenario, of schema: SimulatedSchema = .standard, keepsTimeline: Bool = false,
        make: @escaping MakeAdapter = { storage, _ in
            throw StorageError(.unsupported, "Nothing makes adapters for '\(storage)'.")
        }
    ) {
        self.scenario = scenario
        self.schema = schema
        self.keepsTimeline = keepsTimeline
        self.make = make
    }

    /// Runs it on this thread, until it is over.
    ///
    /// Clients on other storages than memory need a process that does nothing else: their work is done on the threads
    /// that ask for it, in the whole process and from then on.
    public func report() -> RunReport {
        let simulator = Simulator(seed: scenario.seed)
        simulator.schemas = schema.placedSchemas
        if scenario.clients.contains(where: { $0.storage != Scenario.memory }) { WorkQueue.runOnCallers() }
        let notes = RunNotes(simulator, keepsTimeline: keepsTimeline)
        var report = RunReport(seed: scenario.seed)
        do throws(Simulator.Stop) {
            report = try simulator.run { await world(simulator, notes) }
        } catch {
            notes.violation("the run ended early: \(error)")
        }
        report.violations = notes.violations
        report.timeline = notes.timeline
        report.marks = notes.marks
        report.messages = notes.messages
        report.trace = simulator.trace
        report.jobs = simulator.jobCount
        report.virtualMicroseconds = simulator.now
        report.faults = scenario.steps.count { $0.action.isFault }
        return report
    }

    private func world(_ simulator: Simulator, _ notes: RunNotes) async -> RunReport {
        if let problem = scenario.problem(in: schema) {
            notes.violation("the scenario does not fit: \(problem)")
            return RunReport(seed: scenario.seed)
        }
        do {
            let world = try SimulatedWorld(
                scenario, of: schema, simulator: simulator, notes: notes, make: make)
            try await world.open()
            await world.play()
            await world.settle()
            await world.judge()
            let report = world.report
            await world.end()
            return report
        } catch {
            notes.violation("the world cannot begin: \(error)")
            return RunReport(seed: scenario.seed)
        }
    }
}
