import Foundation
import HoldfastCodegen
import HoldfastGraphQL

/// A module of golden files: the models of the schemas of a group in one style, with one file for each schema.
struct GoldenModule {
    let group: String
    let style: ModelStyle

    /// The folder, from the folder of the tests.
    var path: String { "Golden/\(group)\(style == .lazy ? "Lazy" : "Eager")" }

    /// The files that should be there: the models of each schema, and the registration of all of them.
    func files(command: String) throws -> [GeneratedFile] {
        let options = GenerationOptions(style: style, command: command, fileExtension: "generated.swift")
        let registration = "AmplifyModels.generated.swift"
        var files = try generateModels(try Fixture.sources(of: group), options: options)
            .filter { $0.path == registration }
        for schema in Fixture.groups[group] ?? [] {
            let parts = try generateModels([try Fixture.source(schema)], options: options)
                .filter { $0.path != registration }
            files.append(GeneratedFile(path: schema + ".generated.swift", contents: Self.joined(parts.map(\.contents))))
        }
        return files
    }

    func namesOnDisk() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Fixture.folder.appendingPathComponent(path).path).sorted()
    }

    /// The files as one, whose head has each import once.
    private static func joined(_ files: [String]) -> String {
        var heads: Set<Substring> = []
        var bodies: [Substring] = []
        for file in files {
            let end = file.range(of: "\n\n")
            heads.formUnion(file[..<(end?.lowerBound ?? file.startIndex)].split(separator: "\n"))
            bodies.append(file[(end?.upperBound ?? file.startIndex)...])
        }
        return heads.sorted().joined(separator: "\n") + "\n\n" + bodies.joined(separator: "\n")
    }
}
