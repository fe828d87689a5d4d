import Foundation

/// The annotated schemas that the tests of code generation use, too.
enum GoldenSchema {
    /// The text of a schema.
    static func text(_ name: String) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try String(
            contentsOf: folder.appendingPathComponent("HoldfastCodegenTests/Schemas/\(name).graphql"), encoding: .utf8)
    }
}
