import Foundation
import HoldfastConformance
import HoldfastEngineConformance
import Testing

/// A failed clause can be found by searching the sources for its id.
struct ClauseSourceTests {
    /// Where clauses are written: in files with this word in their names.
    private static let sources: [String] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Sources")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? [])
            .filter { $0.pathExtension == "swift" && $0.lastPathComponent.contains("Clauses") }
            .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
    }()

    @Test func everyIdIsWrittenOnceInItsClause() {
        for id in Suite.complete.clauseIDs {
            let count = Self.sources.reduce(0) { $0 + $1.components(separatedBy: "\"\(id)\"").count - 1 }
            #expect(count == 1, "\"\(id)\" is written \(count) times in files of clauses")
        }
    }

    @Test func everyIdThatIsWrittenBelongsToAClause() {
        let ids = Set(Suite.complete.clauseIDs)
        let written = Self.sources.flatMap { source in source.matches(of: /"([A-Z]{3}-\d{3})"/).map { String($0.1) } }
        #expect(Set(written).subtracting(ids) == [])
    }
}
