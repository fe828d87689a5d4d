import HoldfastConformance
import HoldfastInMemory
import HoldfastStorage
import Synchronization

struct InMemoryHarness: AdapterHarness {
    let name = "memory"
    let levels: Set<Level> = [.core, .query, .transactional]

    private static let lastNumber = Atomic(0)

    func makeSite() async throws -> any StoreSite {
        InMemorySite(address: "memory-\(Self.lastNumber.add(1, ordering: .relaxed).newValue)")
    }
}

private struct InMemorySite: StoreSite {
    let address: String
    func makeAdapter() throws -> any StorageAdapter { InMemoryAdapter() }
    func remove() async {}
}
