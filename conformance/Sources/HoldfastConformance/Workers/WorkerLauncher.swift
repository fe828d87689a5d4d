import Foundation

/// Starts child processes of the suite's executable.
public struct WorkerLauncher: Sendable {
    /// The executable, which hands its arguments to ``ConformanceCommand``.
    public let executable: String
    /// Arguments before those of the suite.
    public let arguments: [String]
    /// The mutant that the children make of their adapter; `nil` for none.
    var mutant: String?
    /// How long a check may take in a child.
    var timeout = Watchdog.timeout

    /// Creates a launcher.
    public init(executable: String, arguments: [String] = []) {
        self.executable = executable
        self.arguments = arguments
    }

    /// Starts a job at a location, in a process of its own.
    ///
    /// - Throws: ``HarnessFailure`` if the executable cannot be started.
    func start(
        _ job: WorkerJob, adapter: String, address: String, _ parameters: [String] = [],
        environment: [String: String] = [:], takesInput: Bool = false
    ) throws -> WorkerProcess {
        try launch(["--worker", job.rawValue, adapter, address], ["--"] + parameters, environment, takesInput)
    }

    /// Checks a clause in a process of its own, with the harness of the same name there.
    ///
    /// - Parameters:
    ///   - clause: The clause to check.
    ///   - harness: The harness, which the child finds by its name.
    ///   - seed: Decides every random choice.
    ///   - environment: Variables to add to those of this process; none by default.
    /// - Returns: What the child found, before waivers; the harness's mutant fires here if it fired there.
    func check(
        _ clause: Clause, _ harness: any AdapterHarness, seed: UInt64, environment: [String: String] = [:]
    ) async -> ClauseResult {
        do {
            let worker = try launch(
                ["--check", clause.id, harness.name, "\(seed)", "\(timeout.components.seconds)"], [], environment)
            // The child has a watchdog of its own; this one is for a child that cannot even say so.
            let watchdog = Watchdog(timeout * 2 + .seconds(60)) { worker.kill() }
            defer { watchdog.stop() }
            var result: ClauseResult?
            for await line in worker.lines {
                if line == "mutant fired" { (harness as? MutantHarness)?.trigger.fire() }
                if let found = ClauseCommand.result(in: line) { result = found }
            }
            let end = await worker.end()
            if let result { return result }
            return clause.result(.nonConformant, reason: "The process of the check ended before its time: \(end).")
        } catch {
            return clause.result(.harnessError, reason: "\(error)")
        }
    }

    /// Starts a part of a run.
    ///
    /// - Throws: ``HarnessFailure`` if the executable cannot be started.
    func batch(_ command: [String], environment: [String: String]) throws -> WorkerProcess {
        try launch(command, [], environment)
    }

    private func launch(
        _ command: [String], _ parameters: [String] = [], _ environment: [String: String] = [:],
        _ takesInput: Bool = false
    ) throws -> WorkerProcess {
        let mutant = mutant.map { ["--mutant", $0] } ?? []
        do {
            return try WorkerProcess(
                executable: executable, arguments: arguments + command + mutant + parameters, environment: environment,
                takesInput: takesInput)
        } catch {
            throw HarnessFailure("The worker \(executable) cannot be started: \(error)")
        }
    }
}
