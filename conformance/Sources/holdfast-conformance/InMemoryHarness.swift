import HoldfastConformance
import HoldfastInMemory
import HoldfastStorage

struct InMemoryHarness: AdapterHarness {
    let name = "memory"
    let levels: Set<Level> = [.core, .query, .transactional, .feed, .engine]
    let options = ["changeLog": "1000 commits"]

    private static let lastNumber = Mutex(0)

    func makeLocation() async throws -> any StoreLocation {
        InMemoryLocation(address: "memory-\(Self.lastNumber.increment())")
    }
}

private struct InMemoryLocation: StoreLocation {
    let address: String
    func makeAdapter() throws -> any StorageAdapter { InMemoryAdapter(changeLogCommitCount: 1_000) }
    func remove() async {}
}
