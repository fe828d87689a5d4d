import Foundation
import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Testing

struct MinimalAdapterTests {
    /// Decision 1 says so; change it with this number.
    @Test func minimalAdapterHasAboutAHundredAndFortyLines() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "HoldfastTestSupport/MinimalAdapter.swift")
        let lines = try String(contentsOf: path, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect((130...150).contains(lines.count - 1))
    }

    @Test func minimalAdapterAgreesWithTheReference() async throws {
        try await DifferentialRun.check(
            seeds: 0..<40, configuration: DifferentialConfiguration(hasUniqueIndexes: false)
        ) { schema in
            try await Store.open(MinimalAdapter(), schema: schema)
        }
    }
}
