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

    func makeSite() async throws -> any StoreSite { Self.newSite() }

    func site(at address: String) throws -> (any StoreSite)? { SQLiteSite(address: address) }

    func makeBackupSite() async throws -> BackupSite? {
        let site = Self.newSite()
        try FileManager.default.createDirectory(atPath: site.address, withIntermediateDirectories: true)
        return BackupSite(destination: site.path, site: site)
    }

    func makeUnusableSite() async throws -> (any StoreSite)? {
        var site = Self.newSite()
        site.makesFolder = false
        return site
    }

    func readOnlySite(_ site: any StoreSite) throws -> (any StoreSite)? {
        var site = SQLiteSite(address: site.address)
        site.isReadOnly = true
        return site
    }

    func damage(
        _ site: any StoreSite, _ damage: StoreDamage
    ) async throws -> (@Sendable () async throws -> Void)? {
        let file = URL(fileURLWithPath: SQLiteSite(address: site.address).path)
        let whole = try Data(contentsOf: file)
        switch damage {
        case .newer:
            // The format is the number that SQLite calls `user_version`, in bytes 60 to 63 of the file.
            let format = whole[60..<64]
            try Self.overwrite(file, at: 60, with: Data([0, 0, 0, 99]))
            return { try Self.overwrite(file, at: 60, with: format) }
        case .foreign:
            try Data("This is a letter, not a store.".utf8).write(to: file)
            return { try whole.write(to: file) }
        case .cutShort:
            let half = whole.count / 2
            try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(half))
            return { try Self.overwrite(file, at: UInt64(half), with: whole[half...]) }
        }
    }

    private static func newSite() -> SQLiteSite {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("holdfast-conformance-\(UUID().uuidString)")
        return SQLiteSite(address: folder.path)
    }

    private static func overwrite(_ file: URL, at offset: UInt64, with data: Data) throws {
        let handle = try FileHandle(forUpdating: file)
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: data)
        try handle.close()
    }
}

private struct SQLiteSite: StoreSite {
    let address: String
    var powerLoss: PowerLoss? { .folder(address) }
    var makesFolder = true
    var isReadOnly = false

    init(address: String) { self.address = address }

    var path: String { address + "/store.db" }

    func makeAdapter() throws -> any StorageAdapter {
        if makesFolder {
            try FileManager.default.createDirectory(atPath: address, withIntermediateDirectories: true)
        }
        return SQLiteAdapter(
            SQLiteConfiguration(.file(path), isReadOnly: isReadOnly, changeLogCommitCount: 1_000))
    }

    func remove() async { try? FileManager.default.removeItem(atPath: address) }
}
#endif
