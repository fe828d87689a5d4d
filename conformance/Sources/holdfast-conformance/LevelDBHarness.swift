#if LevelDB
    import Foundation
    import HoldfastConformance
    import HoldfastLevelDB
    import HoldfastStorage

    struct LevelDBHarness: AdapterHarness {
        let name = "leveldb"
        let levels: Set<Level> = [.core, .query, .transactional, .durableProcessCrash, .durablePowerLoss, .engine]

        func makeSite() async throws -> any StoreSite {
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("holdfast-conformance-\(UUID().uuidString)")
            return LevelDBSite(address: folder.path)
        }

        func site(at address: String) throws -> (any StoreSite)? { LevelDBSite(address: address) }
    }

    private struct LevelDBSite: StoreSite {
        let address: String
        var powerLoss: PowerLoss? { .folder(address) }

        func makeAdapter() throws -> any StorageAdapter { LevelDBAdapter(path: address) }

        func remove() async { try? FileManager.default.removeItem(atPath: address) }
    }
#endif
