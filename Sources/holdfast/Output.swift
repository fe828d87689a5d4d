#if CLI
import ArgumentParser
import Foundation
import HoldfastSchema

/// Writes to the terminal.
enum Output {
    static func error(_ text: String, terminator: String = "\n") {
        // If it cannot be written, there is no place left to say so.
        try? FileHandle.standardError.write(contentsOf: Data((text + terminator).utf8))
    }

    /// Prints a result, at once even if the output is not a terminal.
    ///
    /// - Throws: `ExitCode` 1 after a message if it cannot be written, such as to a full disk. `print` does not report it.
    static func result(_ text: String, terminator: String = "\n") throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data((text + terminator).utf8))
        } catch {
            Self.error("The result cannot be written: \(error.localizedDescription)")
            throw ExitCode(1)
        }
    }

    /// Prints something as JSON with sorted keys.
    static func json(_ value: some Encodable) throws { try result(try jsonText(value)) }

    /// Something as JSON with sorted keys.
    static func jsonText(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Prints problems: as JSON on the standard output, or one per line as compilers do.
    static func problems(_ problems: [SchemaProblem], asJSON: Bool) throws {
        if asJSON {
            try json(["problems": problems.map(ProblemRecord.init)])
        } else {
            for problem in problems { error(problem.description) }
        }
    }
}
#endif
