import Foundation
import HoldfastInMemory
import HoldfastLevelDB
import HoldfastPostgreSQL
import HoldfastSQLite
import HoldfastStorage

/// Where the records are kept.
enum AdapterChoice: String, CaseIterable {
    case sqlite, leveldb, postgresql, memory

    static let names = allCases.map(\.rawValue).joined(separator: ", ")

    /// Whether a later run finds the records again.
    var keepsRecords: Bool { self != .memory }
    /// Whether they are in a file or a directory of this machine.
    var usesFile: Bool { self == .sqlite || self == .leveldb }

    /// The name of the store among the user's data.
    var storeName: String { self == .leveldb ? "packages.leveldb" : "packages.db" }
}

/// Makes the adapter of the package list; everything else there is the same for all adapters.
func makeAdapter(_ choice: AdapterChoice, path: String) -> any StorageAdapter {
    switch choice {
    case .sqlite: SQLiteAdapter(path: path)
    case .leveldb: LevelDBAdapter(path: path)
    case .postgresql: PostgreSQLAdapter(PostgreSQLConfiguration(path, schema: "packages"))
    case .memory: InMemoryAdapter()
    }
}

/// Deletes the store at a path, if there is one, and leaves everything else alone.
func removeStore(at path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    guard isStore(path) else { throw FileError(message: "'\(path)' is not a store, so --fresh does not delete it") }
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
        do {
            try FileManager.default.removeItem(atPath: path + suffix)
        } catch {
            throw FileError(message: "cannot delete '\(path + suffix)'")
        }
    }
}

/// Whether a path is a SQLite file, an empty file, or a directory that the LevelDB adapter has marked.
private func isStore(_ path: String) -> Bool {
    if FileManager.default.fileExists(atPath: path + "/HOLDFAST") { return true }
    guard let file = FileHandle(forReadingAtPath: path), let start = try? file.read(upToCount: 16) ?? Data() else {
        return false
    }
    return start.isEmpty || start == Data("SQLite format 3\0".utf8)
}

/// A file or directory with which the example cannot do what it should.
struct FileError: Error, CustomStringConvertible {
    var message: String

    var description: String { message }
}
