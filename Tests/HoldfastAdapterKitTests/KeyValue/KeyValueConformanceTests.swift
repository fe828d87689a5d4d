import HoldfastConformance
import HoldfastConformanceTesting
import Testing

/// Every clause of the adapter contract, on the smallest engine; those that need other processes show as skipped.
@Suite(.serialized) struct KeyValueConformanceTests {
    @Test(arguments: Suite.adapter.clauseIDs)
    func conforms(_ clause: String) async throws {
        try await expectConformance(of: OrderedHarness(), to: clause)
    }
}
