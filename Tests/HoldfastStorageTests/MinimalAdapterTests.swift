import Foundation
import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Testing

struct MinimalAdapterTests {
    @Test func minimalAdapterHasFewerThanAHundredLines() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "HoldfastTestSupport/MinimalAdapter.swift")
        let lines = try String(contentsOf: path, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count - 1 < 100)
    }

    @Test func minimalAdapterAgreesWithTheModel() async throws {
        try await DifferentialRun.check(
            seeds: 0..<40, configuration: DifferentialConfiguration(hasUniqueIndexes: false)
        ) { schema in
            try await Store.open(MinimalAdapter(), schema: schema)
        }
    }
}
