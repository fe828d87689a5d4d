import Foundation

/// Starts child processes of the suite's executable.
public struct WorkerLauncher: Sendable {
    /// The executable, which hands its arguments to ``ConformanceCommand``.
    public let executable: String
    /// Arguments before those of the suite.
    public let arguments: [String]
    /// The defect that the children put into their adapter; `nil` for none.
    var defect: String?

    /// Creates a launcher.
    public init(executable: String, arguments: [String] = []) {
        self.executable = executable
        self.arguments = arguments
    }

    /// Starts a job at a site, in a process of its own.
    ///
    /// - Throws: ``HarnessFailure`` if the executable cannot be started.
    func start(
        _ job: WorkerJob, adapter: String, address: String, _ parameters: [String] = [],
        environment: [String: String] = [:]
    ) throws -> WorkerProcess {
        let defect = defect.map { ["--defect", $0] } ?? []
        do {
            return try WorkerProcess(
                executable: executable,
                arguments: arguments + ["--worker", job.rawValue, adapter, address] + defect + ["--"] + parameters,
                environment: environment)
        } catch {
            throw HarnessFailure("The worker \(executable) cannot be started: \(error)")
        }
    }
}
