#if CLI
import ArgumentParser
import Foundation
import HoldfastGraphQL

/// Finds and reads the files of schemas.
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
#endif
