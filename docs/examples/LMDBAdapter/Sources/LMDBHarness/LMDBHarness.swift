import Foundation
public import HoldfastConformance
import HoldfastLMDB
import HoldfastStorage

/// What the conformance suite needs to try the adapter: an empty directory per location.
public struct LMDBHarness: AdapterHarness {
    /// The adapter's name.
    public let name = "lmdb"
    /// All of them.
    public let levels: Set<Level> = [
        .core, .query, .transactional, .feed, .durableProcessCrash, .durablePowerLoss, .multiProcess, .engine,
    ]
    /// How the back end is configured.
    public let options = ["map": "1 GiB"]

    /// Creates a harness.
    public init() {}

    /// A directory of its own below the system's place for temporary files.
    public func makeLocation() async throws -> any StoreLocation {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-lmdb-\(UUID().uuidString)")
        return LMDBLocation(address: folder.path)
    }

    /// The directory, from another process.
    public func location(at address: String) throws -> (any StoreLocation)? { LMDBLocation(address: address) }

    /// A directory in a directory that does not exist.
    public func makeUnusableLocation() async throws -> (any StoreLocation)? {
        LMDBLocation(address: try await makeLocation().address + "/missing/store")
    }

    /// Changes the data file; does not cut it short, since reading a map beyond the end of its file ends the process.
    public func damage(
        _ location: any StoreLocation, _ damage: StoreDamage
    ) async throws -> DamageRepair? {
        let file = URL(fileURLWithPath: location.address + "/data.mdb")
        let whole = try Data(contentsOf: file)
        var damaged = whole
        switch damage {
        case .newer:
            while let format = damaged.range(of: Data("holdfast-lmdb 2".utf8)) {
                damaged.replaceSubrange(format, with: Data("holdfast-lmdb 9".utf8))
            }
        case .foreign: damaged = Data(repeating: UInt8(ascii: "x"), count: whole.count)
        case .cutShort: return nil
        }
        try damaged.write(to: file)
        return DamageRepair { try whole.write(to: file) }
    }
}

private struct LMDBLocation: StoreLocation {
    let address: String
    var powerLoss: PowerLoss? { .directory(address) }

    func makeAdapter() throws -> any StorageAdapter { LMDBAdapter(path: address, mapByteCount: 1 << 30) }
    func remove() async { try? FileManager.default.removeItem(atPath: address) }
}
