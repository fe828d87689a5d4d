#if SQLite
import Foundation
import HoldfastConformance
import HoldfastSQLite
import HoldfastStorage

struct SQLiteHarness: AdapterHarness {
    let name = "sqlite"
    let levels: Set<Level> = [
        .core, .query, .transactional, .feed, .durableProcessCrash, .durablePowerLoss, .multiProcess, .engine,
    ]

    let options = ["changeLog": "1000 commits", "journal": "WAL"]

    func makeLocation() async throws -> any StoreLocation { Self.newLocation() }

    func location(at address: String) throws -> (any StoreLocation)? { SQLiteLocation(address: address) }

    func makeBackupLocation() async throws -> BackupLocation? {
        let location = Self.newLocation()
        try FileManager.default.createDirectory(atPath: location.address, withIntermediateDirectories: true)
        return BackupLocation(destination: location.path, location: location)
    }

    func makeUnusableLocation() async throws -> (any StoreLocation)? {
        var location = Self.newLocation()
        location.makesFolder = false
        return location
    }

    func readOnlyLocation(_ location: any StoreLocation) throws -> (any StoreLocation)? {
        var location = SQLiteLocation(address: location.address)
        location.isReadOnly = true
        return location
    }

    func damage(
        _ location: any StoreLocation, _ damage: StoreDamage
    ) async throws -> DamageRepair? {
        let file = URL(fileURLWithPath: SQLiteLocation(address: location.address).path)
        let whole = try Data(contentsOf: file)
        switch damage {
        case .newer:
            // The format is the number that SQLite calls `user_version`, in bytes 60 to 63 of the file.
            let format = whole[60..<64]
            try Self.overwrite(file, at: 60, with: Data([0, 0, 0, 99]))
            return DamageRepair { try Self.overwrite(file, at: 60, with: format) }
        case .foreign:
            try Data("This is a letter, not a store.".utf8).write(to: file)
            return DamageRepair { try whole.write(to: file) }
        case .cutShort:
            let half = whole.count / 2
            try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(half))
            return DamageRepair { try Self.overwrite(file, at: UInt64(half), with: whole[half...]) }
        }
    }

    private static func newLocation() -> SQLiteLocation {
        let store = FileManager.default.temporaryDirectory
            .appendingPathComponent("holdfast-conformance-\(UUID().uuidString)/store")
        return SQLiteLocation(address: store.path)
    }

    private static func overwrite(_ file: URL, at offset: UInt64, with data: Data) throws {
        let handle = try FileHandle(forUpdating: file)
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: data)
        try handle.close()
    }
}

private struct SQLiteLocation: StoreLocation {
    let address: String
    var powerLoss: PowerLoss? { .directory(address) }
    var makesFolder = true
    var isReadOnly = false

    init(address: String) { self.address = address }

    var path: String { address + "/store.db" }

    func makeAdapter() throws -> any StorageAdapter {
        if makesFolder {
            try FileManager.default.createDirectory(atPath: address, withIntermediateDirectories: true)
        }
        // Long enough for processes that wait for each other on a busy machine.
        return SQLiteAdapter(
            SQLiteConfiguration(
                .file(path), busyTimeout: .seconds(60), isReadOnly: isReadOnly, changeLogCommitCount: 1_000))
    }

    /// With what clauses and killed processes leave beside the store.
    func remove() async {
        try? FileManager.default.removeItem(at: URL(fileURLWithPath: address).deletingLastPathComponent())
    }
}
#endif
