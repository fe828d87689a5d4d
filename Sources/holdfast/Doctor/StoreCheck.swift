#if CLI
import Foundation
import HoldfastEngine
import HoldfastStorage

/// Whether a store can be used: its permissions, its write-ahead log, its disk, and whether it opens.
struct StoreCheck {
    let address: StoreAddress
    let isRunning: Bool
    /// Whether the service makes the directory itself.
    let isServiceDefault: Bool

    func findings() async -> [Finding] {
        switch address {
        case .sqlite(let path): await sqlite(path)
        case .levelDB(let path): await levelDB(path)
        case .postgreSQL(let server): await postgreSQL(server)
        }
    }

    // MARK: - Files

    private func sqlite(_ path: String) async -> [Finding] {
        var findings = FilePermissions(path: path, isDirectory: false, makesParent: isServiceDefault).findings
        findings += DiskCheck(path: path, byteCount: address.byteCount ?? 0).findings
        guard let log = SQLiteLogCheck(path: path) else {
            return findings + [.ok("store", "There is none at \(address) yet; it is made when it is first opened.")]
        }
        findings.append(log.finding)
        return await findings + [opened()]
    }

    private func levelDB(_ path: String) async -> [Finding] {
        var findings = FilePermissions(path: path, isDirectory: true, makesParent: false).findings
        findings += DiskCheck(path: path, byteCount: address.byteCount ?? 0).findings
        guard FileManager.default.fileExists(atPath: path + "/CURRENT") else {
            return findings + [.ok("store", "There is none at \(address) yet; it is made when it is first opened.")]
        }
        if let process = Self.holder(of: path + "/LOCK") {
            let message = "Process \(process) has \(address) open"
            return findings
                + [
                    isRunning
                        ? .ok("store", message)
                        : .problem(
                            "store", "\(message), and a LevelDB store can be open only once.",
                            fix: "End it, or add --running if it is the service.")
                ]
        }
        return await findings + [opened()]
    }

    /// The process that has a file locked.
    private static func holder(of path: String) -> pid_t? {
        let descriptor = open(path, O_RDWR)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
        return lock.l_pid
    }

    /// Whether the store opens as it is.
    private func opened() async -> Finding {
        do {
            let store = try await Store.openAsStored { try address.makeAdapter(isReadOnly: true) }
            let version = store.capabilities.engineVersion.map { " by \(store.capabilities.adapterName) \($0)" } ?? ""
            try await store.close()
            return .ok("store", "\(address) opens\(version)")
        } catch let error as StorageError {
            return .problem(
                "store", "\(address) does not open: \(error.kind.rawValue).", fix: error.message)
        } catch {
            return .problem("store", "\(address) does not open.", fix: "\(error)")
        }
    }

    // MARK: - PostgreSQL

    private func postgreSQL(_ server: PostgreSQLAddress) async -> [Finding] {
        #if PostgreSQL
        let (findings, hasStore) = await PostgreSQLCheck(configuration: server.configuration).findings()
        guard let hasStore else { return findings }
        if hasStore { return await findings + [opened()] }
        return findings + [.ok("store", "There is none in the schema yet; it is made when it is first opened.")]
        #else
        return []
        #endif
    }
}
#endif
