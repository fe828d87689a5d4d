#if CLI
import ArgumentParser
import Foundation

/// Hands the work over to another program of Holdfast.
enum OtherProgram {
    /// The path of a program beside this one; `nil` if there is none that can be run.
    static func beside(named name: String) -> String? {
        let path = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(name).path
        guard let path, FileManager.default.isExecutableFile(atPath: path) else { return nil }
        return path
    }

    /// Takes this process's place, so that signals, the terminal and the exit code are the program's.
    ///
    /// - Throws: `ExitCode` 69 if the program cannot be started.
    static func run(_ path: String, _ arguments: [String]) throws {
        var pointers = ([path] + arguments).map { strdup($0) } + [nil]
        execv(path, &pointers)
        Output.error("'\(path)' cannot be started: \(String(cString: strerror(errno)))")
        throw ExitCode(69)
    }
}
#endif
