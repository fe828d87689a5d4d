#if os(Linux) || os(macOS)
    import Foundation

    /// Another process that a test watches and may end at any instant; ended with this object.
    ///
    /// Its executable stands beside the test's, where the package manager has built both.
    package final class ChildProcess: Sendable {
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()
        private let exit = Gate()
        private let lines: AsyncStream<String>

        /// Starts a process.
        ///
        /// - Parameters:
        ///   - executable: The name of an executable target.
        ///   - arguments: Its arguments.
        package init(_ executable: String, _ arguments: [String]) throws {
            let (lines, line) = AsyncStream<String>.makeStream()
            self.lines = lines
            process.executableURL = Self.buildDirectory.appendingPathComponent(executable)
            process.arguments = arguments
            process.standardInput = input
            process.standardOutput = output
            process.terminationHandler = { [exit] _ in exit.open() }
            try process.run()
            // Reading blocks, which only a thread of its own may do.
            Thread.detachNewThread { [file = output.fileHandleForReading] in
                Self.read(file) { line.yield($0) }
                line.finish()
            }
        }

        private static func read(_ file: FileHandle, _ found: (String) -> Void) {
            var line: [UInt8] = []
            while let byte = try? file.read(upToCount: 1)?.first {
                if byte != UInt8(ascii: "\n") {
                    line.append(byte)
                    continue
                }
                found(String(decoding: line, as: UTF8.self))
                line = []
            }
        }

        deinit { if process.isRunning { end() } }

        /// The next line of its output without the line's end, or `nil` once it has ended.
        package func readLine() async -> String? {
            for await line in lines { return line }
            return nil
        }

        /// All lines that are still to come, once it has ended.
        package func readLines() async -> [String] {
            var rest: [String] = []
            for await line in lines { rest.append(line) }
            return rest
        }

        /// Lets it go on where it waits for a line of input.
        package func resume() { try? input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

        /// Ends it at once, without a chance to clean up.
        package func end() { kill(process.processIdentifier, SIGKILL) }

        /// Waits for its end.
        package func wait() async { await exit.wait() }

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
