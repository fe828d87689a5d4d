import Foundation

/// Reads lines from the standard input without blocking the tasks of the app.
enum Terminal {
    /// The lines that the user types; ends with the input.
    static func lines() -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return lines
    }

    /// Prints a line at once, in place of the prompt, and then the prompt again.
    static func show(_ line: String, prompt: String) {
        let erase = isatty(STDOUT_FILENO) == 1 ? "\r\u{1B}[K" : "\n"
        FileHandle.standardOutput.write(Data("\(erase)\(line)\n\(prompt)> ".utf8))
    }
}
