import Foundation

/// A child process that tells by lines what it does.
///
/// Its output is read, and its end awaited, by a thread of its own, since both are calls that block.
final class WorkerProcess: Sendable {
    /// How a child ended.
    struct End: Sendable, Equatable {
        /// The signal that ended it, or `nil` if it ended by itself.
        var signal: Int32?
        /// The exit code, if it ended by itself.
        var code: Int32?
    }

    /// The lines the child writes, as they come; may be walked once.
    let lines: AsyncStream<String>
    private let process: pid_t
    private let ending: AsyncStream<End>

    /// Starts a child.
    ///
    /// - Parameters:
    ///   - executable: The path of the executable.
    ///   - arguments: Its arguments, without its name.
    ///   - environment: Variables beside those of this process; none by default.
    /// - Throws: ``HarnessFailure`` if it cannot be started.
    init(executable: String, arguments: [String], environment: [String: String] = [:]) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw HarnessFailure("No pipe: errno \(errno).") }
        // Or another child, started at the same time, would keep this pipe open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (reading, writing) = (ends[0], ends[1])
        do {
            process = try Self.spawn(executable, arguments, environment, output: writing)
        } catch {
            close(reading)
            close(writing)
            throw error
        }
        close(writing)
        let (lines, line) = AsyncStream<String>.makeStream()
        let (ending, end) = AsyncStream<End>.makeStream()
        self.lines = lines
        self.ending = ending
        Thread.detachNewThread { [process] in
            Self.read(reading) { line.yield($0) }
            line.finish()
            end.yield(Self.wait(for: process))
            end.finish()
        }
    }

    /// Ends the child at once.
    func kill() { Foundation.kill(process, SIGKILL) }

    /// Waits for the child to end.
    func end() async -> End {
        for await end in ending { return end }
        return End()
    }

    /// Reads all lines, waits for the end, and checks that it was by itself and without an error.
    ///
    /// - Throws: ``ClauseFailure`` with what the child said last.
    func finish(_ subject: String) async throws -> [String] {
        var said: [String] = []
        for await line in lines { said.append(line) }
        let end = await end()
        guard end.code == 0 else {
            throw ClauseFailure("\(subject) ended with \(end): \(said.suffix(3).joined(separator: " / "))")
        }
        return said
    }

    private static func spawn(
        _ executable: String, _ arguments: [String], _ environment: [String: String], output: Int32
    ) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        let variables = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        let words = ([executable] + arguments).map { strdup($0) } + [nil]
        let settings = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, executable, &actions, nil, words, settings)
        guard code == 0 else { throw HarnessFailure("errno \(code)") }
        return process
    }

    private static func read(_ file: Int32, _ line: (String) -> Void) {
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = Foundation.read(file, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { break }
            rest += buffer[..<count]
            var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = Array(parts.removeLast())
            for part in parts { line(String(decoding: part, as: UTF8.self)) }
        }
        close(file)
    }

    private static func wait(for process: pid_t) -> End {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? End(code: (status >> 8) & 0xFF) : End(signal: signal)
    }
}
