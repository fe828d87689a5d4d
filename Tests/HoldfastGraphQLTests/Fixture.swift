import Foundation
import HoldfastGraphQL

@testable import HoldfastFuzzer

/// The data files beside the tests, and the schemas of models and of APIs that the code generator's tests share.
enum Fixture {
    private static let files: [String: URL] = {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        var files: [String: URL] = [:]
        for folder in ["HoldfastGraphQLTests/Fixtures", "HoldfastCodegenTests/API", "HoldfastCodegenTests/Schemas"] {
            let folder = tests.appendingPathComponent(folder)
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
                files[name] = folder.appendingPathComponent(name)
            }
        }
        return files
    }()

    static let names = files.keys.filter { $0.hasSuffix(".graphql") || $0.hasSuffix(".sdl") }.sorted()

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: files[name] ?? URL(fileURLWithPath: name)))
    }

    static func text(_ name: String) throws -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }

    /// The schema of the examples in the specification, with a few things more.
    static var pets: GraphQLSchema { Pets.schema }
}
