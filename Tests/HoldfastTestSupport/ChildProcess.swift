#if os(Linux) || os(macOS)
import Foundation
import HoldfastConformance

/// Another process that a test watches and may end at any instant; ended with this object.
///
/// Its executable is beside the test's, where the package manager has built both.
package final class ChildProcess: Sendable {
    private let process: WorkerProcess

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - executable: The name of an executable target.
    ///   - arguments: Its arguments.
    /// - Throws: ``HarnessFailure`` if the process cannot be started.
    package init(_ executable: String, _ arguments: [String]) throws {
        process = try WorkerProcess(
            executable: Self.buildDirectory.appendingPathComponent(executable).path, arguments: arguments,
            takesInput: true)
    }

    deinit { process.kill() }

    /// The next line of its output without the line's end, or `nil` once it has ended.
    package func readLine() async -> String? {
        for await line in process.lines { return line }
        return nil
    }

    /// All lines that are still to come, once it has ended.
    package func readLines() async -> [String] {
        var rest: [String] = []
        for await line in process.lines { rest.append(line) }
        return rest
    }

    /// Lets it continue where it waits for a line of input.
    package func resume() { process.write("\n") }

    /// Ends it at once, without a chance to clean up.
    package func end() { process.kill() }

    /// Waits for its end.
    package func wait() async { _ = await process.end() }

    private static var buildDirectory: URL {
        #if os(macOS)
        for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
            return bundle.bundleURL.deletingLastPathComponent()
        }
        #endif
        return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    }
}
#endif
