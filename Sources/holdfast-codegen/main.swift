import Foundation
import HoldfastCodegen
import HoldfastGraphQL
import HoldfastSchema

// The tool behind the plug-ins. People use `holdfast codegen models`.

/// Prints and ends; the exit codes are those of the command line.
func fail(_ message: String, _ code: Int32) -> Never {
    try? FileHandle.standardError.write(contentsOf: Data((message + "\n").utf8))
    exit(code)
}

let usage = """
    usage: holdfast-codegen [--configuration FILE] [--style eager|lazy] [--import MODULE] [--command TEXT]
                            [--single-file NAME] --output DIR SCHEMA...
    """

var options = GenerationOptions(command: "holdfast-codegen")
var output: String?
var paths: [String] = []
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    guard argument.hasPrefix("--") else {
        paths.append(argument)
        continue
    }
    guard let value = arguments.popFirst() else { fail("\(argument) needs a value\n\(usage)", 64) }
    switch argument {
    case "--configuration":
        do {
            try Configuration(contentsOf: value).apply(to: &options)
        } catch {
            fail("\(value):1:1: error: \(error)", 1)
        }
    case "--style":
        guard let style = ModelStyle(rawValue: value) else { fail("--style is eager or lazy\n\(usage)", 64) }
        options.style = style
    case "--import": options.importedModule = value
    case "--command": options.command = value
    case "--single-file": options.singleFile = value
    case "--output": output = value
    default: fail("unknown option \(argument)\n\(usage)", 64)
    }
}
guard let output, !paths.isEmpty else { fail(usage, 64) }

do {
    let sources = try paths.enumerated().map { index, path in
        Source(bytes: Array(try Data(contentsOf: URL(fileURLWithPath: path))), name: path, index: UInt32(index))
    }
    let files = try generateModels(sources, options: options)
    let folder = URL(fileURLWithPath: output, isDirectory: true)
    func data(_ path: String) -> Data? { try? Data(contentsOf: folder.appendingPathComponent(path)) }
    if let path = files.firstConflict({ data($0).map { String(decoding: $0, as: UTF8.self) } }) {
        fail("error: '\(output)/\(path)' was not generated, and would be replaced", 1)
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in files {
        let contents = Data(file.contents.utf8)
        // A file that stays as it is keeps its date, so that nothing is built again.
        if data(file.path) != contents {
            try contents.write(to: folder.appendingPathComponent(file.path), options: .atomic)
        }
    }
} catch let error as SchemaError {
    fail(error.description, 1)
} catch {
    fail("error: \(error.localizedDescription)", 1)
}
