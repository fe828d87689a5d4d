#if SQLite
    import Foundation
    import HoldfastConformance
    import HoldfastSQLite
    import HoldfastStorage

    struct SQLiteHarness: AdapterHarness {
        let name = "sqlite"
        let levels: Set<Level> = [
            .core, .query, .transactional, .feed, .durableProcessCrash, .multiProcess,
        ]

        let options = ["changeLog": "1000 commits", "journal": "WAL"]

        func makeSite() async throws -> any StoreSite {
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("holdfast-conformance-\(UUID().uuidString)")
            return SQLiteSite(address: folder.path)
        }

        func site(at address: String) throws -> (any StoreSite)? { SQLiteSite(address: address) }
    }

    private struct SQLiteSite: StoreSite {
        let address: String

        func makeAdapter() throws -> any StorageAdapter {
            try FileManager.default.createDirectory(atPath: address, withIntermediateDirectories: true)
            return SQLiteAdapter(SQLiteConfiguration(.file(address + "/store.db"), changeLogCommitCount: 1_000))
        }

        func remove() async { try? FileManager.default.removeItem(atPath: address) }
    }
#endif
