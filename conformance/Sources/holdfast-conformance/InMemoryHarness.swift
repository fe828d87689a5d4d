import HoldfastConformance
import HoldfastInMemory
import HoldfastStorage
import Synchronization

struct InMemoryHarness: AdapterHarness {
    let name = "memory"
    let levels: Set<Level> = [.core, .query, .transactional, .feed, .engine]
    let options = ["changeLog": "1000 commits"]

    private static let lastNumber = Atomic(0)

    func makeLocation() async throws -> any StoreLocation {
        InMemoryLocation(address: "memory-\(Self.lastNumber.add(1, ordering: .relaxed).newValue)")
    }
}

private struct InMemoryLocation: StoreLocation {
    let address: String
    func makeAdapter() throws -> any StorageAdapter { InMemoryAdapter(changeLogCommitCount: 1_000) }
    func remove() async {}
}
