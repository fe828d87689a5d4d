#if CLI
import ArgumentParser
import Foundation

/// A file of a project that is assessed.
struct ProjectFile {
    enum Kind {
        /// GraphQL with the directives of Amplify.
        case schema
        /// TypeScript of the second generation.
        case resource
        case swift
        /// `amplify_outputs.json`.
        case outputs
        /// `amplifyconfiguration.json`.
        case configuration
        /// `transform.conf.json`, which says how conflicts are resolved.
        case conflicts
        /// `backend-config.json`, which lists the categories.
        case backend
        /// What names the packages of the project.
        case manifest
        /// A template of a resolver.
        case resolver
        /// A function of the back end; its first file.
        case function
    }

    let kind: Kind
    /// Relative to the directory of the project.
    let name: String
    let text: String

    /// What holds the schema: the directory `schema` in which its files are, or the file alone, as Amplify has it.
    var schemaRoot: String {
        let parts = name.split(separator: "/")
        guard let directory = parts.dropLast().lastIndex(of: "schema") else { return name }
        return parts[...directory].joined(separator: "/")
    }
}

/// The files of a project that say what it uses of Amplify.
struct ProjectFiles {
    /// By name; those that cannot be read as text, or are larger than 4 MiB, are left out.
    let files: [ProjectFile]

    /// The files of each schema, by the name of what holds them.
    var schemas: [[ProjectFile]] {
        let byRoot = Dictionary(grouping: files.filter { $0.kind == .schema }, by: \.schemaRoot)
        return byRoot.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Directories of builds and of other people's code.
    private static let skipped: Set<String> = [
        ".build", ".git", ".swiftpm", "Build", "Carthage", "DerivedData", "Pods", "SourcePackages", "build",
        "node_modules", "#current-cloud-backend",
    ]

    /// Looks through a directory.
    ///
    /// - Throws: `ValidationError` if there is no such directory.
    init(below path: String) throws {
        var isDirectory: ObjCBool = false
        let root = URL(fileURLWithPath: path, isDirectory: true)
        guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isDirectory), isDirectory.boolValue else {
            throw ValidationError("'\(path)' is not a directory.")
        }
        var found: [ProjectFile] = []
        Self.search(root, "", &found)
        files = found
    }

    private static func search(_ directory: URL, _ prefix: String, _ found: inout [ProjectFile]) {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
        for name in names where !skipped.contains(name) {
            let url = directory.appendingPathComponent(name)
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
            switch attributes?[.type] as? FileAttributeType {
            // Links are not followed, so that no circle is.
            case .typeDirectory: search(url, prefix + name + "/", &found)
            case .typeRegular:
                guard let kind = kind(of: prefix + name), let size = (attributes?[.size] as? NSNumber)?.intValue,
                    size <= 4 << 20, let data = FileManager.default.contents(atPath: url.path),
                    let text = String(data: data, encoding: .utf8)
                else { continue }
                found.append(ProjectFile(kind: kind, name: prefix + name, text: text))
            default: continue
            }
        }
    }

    /// What a file is by its path; `nil` if it says nothing about Amplify.
    private static func kind(of path: String) -> ProjectFile.Kind? {
        let parts = path.split(separator: "/").map(String.init)
        guard let name = parts.last else { return nil }
        switch name {
        case "amplify_outputs.json": return .outputs
        case "amplifyconfiguration.json": return .configuration
        case "transform.conf.json": return .conflicts
        case "backend-config.json": return .backend
        case "Package.swift", "project.pbxproj", "Podfile": return .manifest
        default: break
        }
        if name.hasSuffix(".swift") { return .swift }
        guard let amplify = parts.lastIndex(of: "amplify") else { return name.hasSuffix(".graphql") ? .schema : nil }
        let below = parts[(amplify + 1)...]
        // amplify/backend/api/NAME/schema.graphql, or the files of a directory `schema`; nothing generated in `build`.
        if name.hasSuffix(".graphql") {
            return below.starts(with: ["backend", "api"]) && !below.contains("build") ? .schema : nil
        }
        if below.starts(with: ["backend", "api"]), name.hasSuffix(".vtl"), !below.contains("build") {
            return .resolver
        }
        if below.starts(with: ["backend", "function"]), name.hasSuffix("-cloudformation-template.json") {
            return .function
        }
        if name.hasSuffix(".ts"), below.first == "data" { return .resource }
        return nil
    }
}
#endif
