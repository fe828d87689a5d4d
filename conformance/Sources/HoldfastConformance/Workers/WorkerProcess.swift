import Foundation
import HoldfastStorage

/// A child process that reports in lines what it does.
///
/// Its output is read, and its end awaited, by a thread of its own, since both are calls that block.
package final class WorkerProcess: Sendable {
    /// How a child ended.
    package struct End: Sendable, Equatable {
        /// The signal that ended it, or `nil` if it ended by itself.
        package var signal: Int32?
        /// The exit code, if it ended by itself.
        package var code: Int32?
    }

    /// The lines the child writes, as they come; may be scanned once.
    package let lines: AsyncStream<String>
    private let process: pid_t
    private let input: Mutex<Int32?>
    private let hasEnded = Mutex(false)
    private let ending: AsyncStream<End>
    /// Held from the making of pipes until they are closed to other children, which would keep them open.
    private static let spawning = Mutex(())

    /// Starts a child.
    ///
    /// - Parameters:
    ///   - executable: The path of the executable.
    ///   - arguments: Its arguments, without its name.
    ///   - environment: Variables beside those of this process; none by default.
    ///   - takesInput: Whether it reads what ``write(_:)`` is given; nothing by default.
    /// - Throws: ``HarnessFailure`` if it cannot be started.
    package init(
        executable: String, arguments: [String], environment: [String: String] = [:], takesInput: Bool = false
    ) throws {
        let (process, reading, input) = try Self.spawning.withLock { _ in
            // The child's ends are closed here at any rate, ours only if it cannot be started.
            var (ours, theirs): ([Int32], [Int32]) = ([], [])
            defer { for end in theirs { close(end) } }
            do {
                let output = try Self.socketPair()
                (ours, theirs) = ([output.reading], [output.writing])
                let input = takesInput ? try Self.socketPair() : nil
                if let input { (ours, theirs) = (ours + [input.writing], theirs + [input.reading]) }
                let process = try Self.spawn(
                    executable, arguments, environment, input: input?.reading, output: output.writing)
                return (process, output.reading, input?.writing)
            } catch {
                for end in ours { close(end) }
                throw error
            }
        }
        self.process = process
        self.input = Mutex(input)
        let (lines, line) = AsyncStream<String>.makeStream()
        let (ending, end) = AsyncStream<End>.makeStream()
        self.lines = lines
        self.ending = ending
        Thread.detachNewThread { [self] in
            Self.read(reading) { line.yield($0) }
            line.finish()
            end.yield(wait())
            end.finish()
        }
    }

    deinit { closeInput() }

    /// Gives the child something to read; nothing if it has ended.
    package func write(_ text: String) {
        let bytes = Array(text.utf8)
        input.withLock { input in
            guard let input else { return }
            var count = 0
            while count < bytes.count {
                let written = bytes.withUnsafeBytes {
                    send(input, $0.baseAddress! + count, $0.count - count, Self.noSignal)
                }
                if written < 0 && errno != EINTR { return }
                count += max(0, written)
            }
        }
    }

    /// Lets the child find the end of its input.
    package func closeInput() {
        input.withLock { input in
            if let input { close(input) }
            input = nil
        }
    }

    /// Whether the child has not ended yet.
    package var isRunning: Bool { hasEnded.withLock { !$0 } }

    /// Ends the child at once; nothing if it has ended.
    package func kill() { hasEnded.withLock { if !$0 { Foundation.kill(process, SIGKILL) } } }

    /// Waits for the child to end.
    package func end() async -> End {
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

    /// Reads lines through one that is expected.
    ///
    /// - Throws: ``ClauseFailure`` with what the child said last, if it ends without that line.
    func wait(for expected: String, _ subject: String) async throws -> [String] {
        var said: [String] = []
        for await line in lines {
            said.append(line)
            if line == expected { return said }
        }
        throw ClauseFailure(
            "\(subject) ended with \(await end()) before '\(expected)': \(said.suffix(3).joined(separator: " / "))")
    }

    // A process that writes to a pipe that has no reader is ended by SIGPIPE, and only sockets can do without.
    private static func socketPair() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, streamType, 0, &ends) == 0 else {
            throw HarnessFailure("No sockets: errno \(errno).")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #if canImport(Darwin)
        var isOn: Int32 = 1
        setsockopt(ends[1], SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return (ends[0], ends[1])
    }

    #if canImport(Darwin)
    private static let streamType = SOCK_STREAM
    private static let noSignal: Int32 = 0
    #else
    private static let streamType = Int32(SOCK_STREAM.rawValue)
    private static let noSignal = Int32(MSG_NOSIGNAL)
    #endif

    private static func spawn(
        _ executable: String, _ arguments: [String], _ environment: [String: String], input: Int32?, output: Int32
    ) throws -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
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

    private func wait() -> End {
        // Known to have ended, but still there, so that no other process has its number.
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        var status: Int32 = 0
        hasEnded.withLock {
            $0 = true
            while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        }
        let signal = status & 0x7F
        return signal == 0 ? End(code: (status >> 8) & 0xFF) : End(signal: signal)
    }
}
