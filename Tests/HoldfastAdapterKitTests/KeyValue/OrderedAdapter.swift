import HoldfastAdapterKit
import HoldfastConformance
import HoldfastStorage

/// The adapter kit on an ``OrderedEngine``.
final class OrderedAdapter: KeyValueBackedAdapter {
    let base: KeyValueAdapter<OrderedEngine>

    init(_ disk: OrderedEngine.Disk = OrderedEngine.Disk(), hasTransactions: Bool = false) {
        let support: [Capabilities.Feature: Capabilities.Support] =
            hasTransactions ? [.multipleProcesses: .native] : [:]
        base = KeyValueAdapter(
            capabilities: .keyValue(adapterName: "ordered", support: support, durability: .processCrash),
            mark: "holdfast-ordered", changeLogCommitCount: 1_000
        ) { _ throws(StorageError) in
            try OrderedEngine(disk, hasTransactions: hasTransactions)
        }
    }

    /// The open engine.
    var engine: OrderedEngine {
        get throws { try base.withEngine { $0 } }
    }
}

/// Stores of this process, by address.
struct OrderedHarness: AdapterHarness {
    let name = "ordered"
    let levels: Set<Level> = [.core, .query, .transactional, .feed]

    private static let disks = Mutex<[String: OrderedEngine.Disk]>([:])
    private static let lastNumber = Mutex(0)

    func makeLocation() async throws -> any StoreLocation {
        Location(address: "ordered-\(Self.lastNumber.increment())")
    }

    private struct Location: StoreLocation {
        let address: String

        func makeAdapter() throws -> any StorageAdapter {
            OrderedAdapter(
                OrderedHarness.disks.withLock { disks in
                    let disk = disks[address] ?? OrderedEngine.Disk()
                    disks[address] = disk
                    return disk
                })
        }

        func remove() async { OrderedHarness.disks.withLock { $0[address] = nil } }
    }
}
