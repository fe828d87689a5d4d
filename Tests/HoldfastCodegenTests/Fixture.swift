import Foundation
import HoldfastCodegen
import HoldfastGraphQL
import Testing

/// The files beside the tests.
enum Fixture {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    /// Whether files with expected results are written again: `HOLDFAST_RECORD=1 swift test`.
    static let isRecording = ProcessInfo.processInfo.environment["HOLDFAST_RECORD"] == "1"

    /// The golden schemas that make one module together, since no two of them have a type of the same name.
    static let groups: [String: [String]] = [
        "Data": [
            "enums-embedded", "keys-indexes", "many-to-many", "older-directives", "plain", "plurals",
            "relations-by-reference", "relations-explicit", "relations-implicit", "scalars", "spellings",
        ],
        "Access": ["auth-multi", "auth"],
    ]

    static func source(_ name: String, index: Int = 0) throws -> Source {
        let url = folder.appendingPathComponent("Schemas/\(name).graphql")
        return Source(bytes: Array(try Data(contentsOf: url)), name: name + ".graphql", index: UInt32(index))
    }

    static func sources(of group: String) throws -> [Source] {
        try (groups[group] ?? []).enumerated().map { try source($0.element, index: $0.offset) }
    }

    /// Compares a text with the file that has the expected one.
    ///
    /// A file that is not there is written, and the test fails.
    static func expect(_ text: String, is path: String) throws {
        let url = folder.appendingPathComponent(path)
        let expected = (try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) }
        if expected == text { return }
        if expected == nil || isRecording {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        let first = zip(expected?.split(separator: "\n") ?? [], text.split(separator: "\n")).first { $0 != $1 }
        Issue.record("\(path) is \(expected == nil ? "new" : "different"); first line: \(first?.1 ?? "")")
    }
}
