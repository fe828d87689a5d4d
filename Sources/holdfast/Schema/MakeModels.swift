#if CLI
public import ArgumentParser
import Foundation
public import HoldfastCodegen
import HoldfastGraphQL
import HoldfastSchema

extension ModelStyle: ExpressibleByArgument {}

/// `holdfast codegen models`.
struct MakeModels: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models",
        abstract: "Generates Swift models from a GraphQL schema.",
        discussion: """
            Examples:
              holdfast codegen models schema.graphql --output Sources/App/Models
              holdfast codegen models schema --output Models --style eager --import Amplify
              holdfast codegen models schema.graphql --output Models --watch

            Nothing is written if the schema has problems, or if a file would be replaced that neither this command nor \
            Amplify's generated. Exit codes: 0 done, 1 problems, 64 wrong usage.
            """)

    @ArgumentParser.Argument(help: "The schema: files, or directories with .graphql files.")
    var schema: [String] = ["schema.graphql"]

    @Option(help: "eager: models hold related records; lazy: models hold references that load them.")
    var style = ModelStyle.lazy

    @Option(help: "The directory for the files.")
    var output = "Models"

    @Option(name: .customLong("import"), help: "The module that the files import.")
    var importedModule = "HoldfastModel"

    @Flag(help: "Keeps running, and generates the models again whenever the schema changes.")
    var watch = false

    @Flag(help: "Prints the result as JSON.")
    var json = false

    func run() throws {
        // Before the first time, so that no change is missed.
        var last = state()
        let isDone = try make()
        guard watch else {
            if !isDone { throw ExitCode(1) }
            return
        }
        fflush(nil)
        Output.error("Watching \(schema.joined(separator: ", ")); press Control-C to end.")
        while true {
            Thread.sleep(forTimeInterval: 0.5)
            let now = state()
            guard now != last else { continue }
            last = now
            do { _ = try make() } catch { Output.error("\(error)") }
            // Where the output goes to a file or a pipe, it is read while this runs on.
            fflush(nil)
        }
    }

    /// Makes the models; `false` if the schema has problems.
    private func make() throws -> Bool {
        let options = GenerationOptions(
            style: style, importedModule: importedModule,
            command: "holdfast codegen models --style \(style.rawValue)")
        let files: [GeneratedFile]
        do {
            files = try generateModels(try SchemaFiles.sources(at: schema), options: options)
        } catch let error as SchemaError {
            try Output.problems(error.problems, asJSON: json)
            return false
        }
        let written = try write(files)
        if json {
            try Output.json(["files": files.map(\.path), "written": written])
        } else {
            try Output.result("\(files.count) files in \(output), \(written.count) of them new or changed.")
        }
        return true
    }

    /// Writes the files that are new or changed, and returns their paths.
    private func write(_ files: [GeneratedFile]) throws -> [String] {
        let folder = URL(fileURLWithPath: output, isDirectory: true)
        func data(_ path: String) -> Data? { try? Data(contentsOf: folder.appendingPathComponent(path)) }
        if let path = files.firstConflict({ data($0).map { String(decoding: $0, as: UTF8.self) } }) {
            throw ValidationError(
                "'\(output)/\(path)' was not generated, and would be replaced; move it, or choose another --output.")
        }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return try files.filter { file in
                let contents = Data(file.contents.utf8)
                if data(file.path) == contents { return false }
                try contents.write(to: folder.appendingPathComponent(file.path), options: .atomic)
                return true
            }.map(\.path)
        } catch {
            throw ValidationError("'\(output)' cannot be written: \(error.localizedDescription)")
        }
    }

    /// The dates of the schema's files.
    private func state() -> [String: Date] {
        var dates: [String: Date] = [:]
        for path in (try? SchemaFiles.files(at: schema)) ?? [] {
            dates[path] =
                (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
                ?? .distantPast
        }
        return dates
    }
}
#endif
