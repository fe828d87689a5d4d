#if CLI
import ArgumentParser
import Foundation
import HoldfastCodegen
import HoldfastGraphQL
import HoldfastSchema

/// Reads schemas and reports what is wrong with them.
enum SchemaFiles {
    /// The sources at paths; a directory stands for the GraphQL files in it.
    static func sources(at paths: [String]) throws -> [Source] {
        try files(at: paths).enumerated().map { index, path in
            let url = URL(fileURLWithPath: path)
            guard let data = try? Data(contentsOf: url) else { throw ValidationError("'\(path)' cannot be read.") }
            return Source(bytes: Array(data), name: path, index: UInt32(index))
        }
    }

    /// The files at paths, by name.
    static func files(at paths: [String]) throws -> [String] {
        try paths.flatMap { path in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw ValidationError("'\(path)' does not exist.")
            }
            guard isFolder.boolValue else { return [path] }
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            let found = names.filter { $0.hasSuffix(".graphql") }.sorted().map { path + "/" + $0 }
            if found.isEmpty { throw ValidationError("'\(path)' has no .graphql file.") }
            return found
        }
    }
}

/// Writes to the terminal.
enum Output {
    static func error(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    /// Prints something as JSON with sorted keys.
    static func json(_ value: some Encodable) throws { print(try jsonText(value)) }

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

/// A problem as JSON.
struct ProblemRecord: Encodable {
    let file: String
    let line: UInt32
    let column: UInt32
    let message: String
    let hint: String?

    init(_ problem: SchemaProblem) {
        file = problem.source
        line = problem.location.line
        column = problem.location.column
        message = problem.message
        hint = problem.hint
    }
}

/// A change as JSON.
struct ChangeRecord: Encodable {
    let kind: String
    let path: String
    let message: String

    init(_ change: SchemaDifference) {
        kind = change.kind.rawValue
        path = change.path
        message = change.message
    }
}
#endif
