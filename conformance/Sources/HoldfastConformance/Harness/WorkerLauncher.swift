/// Starts child processes of the suite's executable.
public struct WorkerLauncher: Sendable {
    /// The executable, which hands its arguments to the suite.
    public let executable: String
    /// Arguments before those of the suite.
    public let arguments: [String]

    /// Creates a launcher.
    public init(executable: String, arguments: [String] = []) {
        self.executable = executable
        self.arguments = arguments
    }
}
