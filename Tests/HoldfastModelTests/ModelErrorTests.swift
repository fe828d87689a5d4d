import Foundation
import HoldfastModel
import Testing

@Suite struct ModelErrorTests {
    @Test func everyKindIsExplainedInTheDocuments() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/errors.md")
        let headings = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("## model.") }.map { String($0.dropFirst(3)) }
        #expect(headings == ModelError.Kind.allCases.map(\.rawValue))
    }
}
