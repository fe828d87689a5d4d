import Foundation
import HoldfastStorage
import Testing

@Suite struct TypeMappingDocumentTests {
    /// The page holds the table as the code has it; with `HOLDFAST_RECORD=1` the test writes it again.
    @Test func thePageHoldsTheTable() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/type-mapping.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let parts = text.components(separatedBy: "<!-- table -->\n")
        try #require(parts.count == 3)
        if ProcessInfo.processInfo.environment["HOLDFAST_RECORD"] == "1" {
            let written = [parts[0], TypeMapping.markdown + "\n", parts[2]].joined(separator: "<!-- table -->\n")
            try written.write(to: page, atomically: true, encoding: .utf8)
        }
        #expect(parts[1].trimmingCharacters(in: .newlines) == TypeMapping.markdown.trimmingCharacters(in: .newlines))
    }
}
