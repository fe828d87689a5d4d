import Foundation
public import HoldfastConformance
import HoldfastLMDB
import HoldfastStorage

/// What the conformance suite needs to try the adapter: an empty folder per site.
public struct LMDBHarness: AdapterHarness {
    /// The adapter's name.
    public let name = "lmdb"
    /// All but the change feed, and but the loss of power, which nothing here can simulate.
    public let levels: Set<Level> = [.core, .query, .transactional, .durableProcessCrash, .multiProcess]
    /// How the back end is configured.
    public let options = ["map": "1 GiB"]

    /// Creates a harness.
    public init() {}

    /// A folder of its own below the system's place for temporary files.
    public func makeSite() async throws -> any StoreSite {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-lmdb-\(UUID().uuidString)")
        return LMDBSite(address: folder.path)
    }

    /// The folder, from another process.
    public func site(at address: String) throws -> (any StoreSite)? { LMDBSite(address: address) }
}

private struct LMDBSite: StoreSite {
    let address: String

    func makeAdapter() throws -> any StorageAdapter { LMDBAdapter(path: address, mapByteCount: 1 << 30) }
    func remove() async { try? FileManager.default.removeItem(atPath: address) }
}
