#if LevelDB
import Foundation
import HoldfastConformance
import HoldfastLevelDB
import HoldfastStorage

struct LevelDBHarness: AdapterHarness {
    let name = "leveldb"
    let levels: Set<Level> = [
        .core, .query, .transactional, .feed, .durableProcessCrash, .durablePowerLoss, .engine,
    ]

    let options = ["changeLog": "1000 commits", "writeBuffer": "64 KiB"]

    func makeLocation() async throws -> any StoreLocation { Self.newLocation() }

    func location(at address: String) throws -> (any StoreLocation)? { LevelDBLocation(address: address) }

    func makeBackupLocation() async throws -> BackupLocation? {
        let location = Self.newLocation()
        try location.makeFolder()
        return BackupLocation(destination: location.address, location: location)
    }

    func makeUnusableLocation() async throws -> (any StoreLocation)? {
        var location = Self.newLocation()
        location.makesFolder = false
        return location
    }

    func damage(
        _ location: any StoreLocation, _ damage: StoreDamage
    ) async throws -> DamageRepair? {
        switch damage {
        case .newer:
            return try Self.change(location.address + "/HOLDFAST") { _ in Data("holdfast-leveldb 99\n".utf8) }
        case .foreign:
            let files = FileManager.default
            try files.moveItem(atPath: location.address, toPath: location.address + ".aside")
            try Data("This is a letter, not a store.".utf8).write(to: URL(fileURLWithPath: location.address))
            return DamageRepair {
                let files = FileManager.default
                try files.removeItem(atPath: location.address)
                try files.moveItem(atPath: location.address + ".aside", toPath: location.address)
            }
        case .cutShort:
            // The end of a log that was cut is what a crash leaves; a repair moves all to table files.
            _ = try await LevelDBAdapter.repair(LevelDBConfiguration(.directory(location.address)))
            let tables = try FileManager.default.contentsOfDirectory(atPath: location.address)
                .filter { $0.hasSuffix(".ldb") }.map { "\(location.address)/\($0)" }
            let sizes = try tables.map { try Data(contentsOf: URL(fileURLWithPath: $0)).count }
            guard let (table, _) = zip(tables, sizes).max(by: { $0.1 < $1.1 }) else { return nil }
            return try Self.change(table) { $0.prefix($0.count / 2) }
        }
    }

    private static func newLocation() -> LevelDBLocation {
        let store = FileManager.default.temporaryDirectory
            .appendingPathComponent("holdfast-conformance-\(UUID().uuidString)/store")
        return LevelDBLocation(address: store.path)
    }

    /// Changes a file; returns what undoes it.
    private static func change(
        _ path: String, _ body: (Data) -> Data
    ) throws -> DamageRepair {
        let file = URL(fileURLWithPath: path)
        let whole = try Data(contentsOf: file)
        try body(whole).write(to: file)
        return DamageRepair { try whole.write(to: file) }
    }
}

private struct LevelDBLocation: StoreLocation {
    let address: String
    var powerLoss: PowerLoss? { .directory(address) }
    var makesFolder = true

    init(address: String) { self.address = address }

    /// The store's, and of what clauses and killed processes leave beside the store.
    private var folder: URL { URL(fileURLWithPath: address).deletingLastPathComponent() }

    func makeFolder() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func makeAdapter() throws -> any StorageAdapter {
        if makesFolder { try makeFolder() }
        // So small that logs end and files are merged in many clauses.
        return LevelDBAdapter(
            LevelDBConfiguration(
                .directory(address), writeBufferByteCount: 64 << 10, changeLogCommitCount: 1_000))
    }

    func remove() async { try? FileManager.default.removeItem(at: folder) }
}
#endif
