import Foundation
import HoldfastGraphQL
import HoldfastSchema

/// A schema that cannot be simulated.
struct SchemaFailure: Error {
    var error: SchemaError
    /// Whether the problems are printed as JSON.
    var isJSON: Bool

    /// The problems as `holdfast schema check --json` prints them.
    private struct Record: Encodable {
        var file: String
        var line: UInt32
        var column: UInt32
        var message: String
        var hint: String?
    }

    /// Prints the problems.
    func show() throws {
        guard isJSON else { return FileHandle.standardError.write(Data("\(error.description)\n".utf8)) }
        let records = error.problems.map { problem in
            Record(
                file: problem.source, line: problem.location.line, column: problem.location.column,
                message: problem.message, hint: problem.hint)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(["problems": records]), as: UTF8.self))
    }
}
