#if LevelDB
    import Foundation
    import HoldfastConformance
    import HoldfastLevelDB
    import HoldfastStorage

    struct LevelDBHarness: AdapterHarness {
        let name = "leveldb"
        let levels: Set<Level> = [
            .core, .query, .transactional, .feed, .durableProcessCrash, .durablePowerLoss,
        ]

        let options = ["changeLog": "1000 commits"]

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

        func makeAdapter() throws -> any StorageAdapter {
            LevelDBAdapter(LevelDBConfiguration(.directory(address), changeLogCommitCount: 1_000))
        }

        func remove() async { try? FileManager.default.removeItem(atPath: address) }
    }
#endif
