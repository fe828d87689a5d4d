import Foundation
import HoldfastAdapterTestSupport
import HoldfastStorage
import HoldfastTestSupport

/// A place for one store of an adapter, with any number of handles; what is at it goes with this object.
final class StorePlace: Sendable {
    let adapter: TestedAdapter
    let directory: String
    private let schemaName = PostgreSQLServer.makeSchema()

    init(_ adapter: TestedAdapter) throws {
        self.adapter = adapter
        directory = FileManager.default.temporaryDirectory.path + "/holdfast-adapters-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// The store's file or folder.
    var path: String { directory + "/store" }

    /// A new handle.
    func make(isReadOnly: Bool = false) -> any StorageAdapter {
        adapter.make(at: path, schema: schemaName, isReadOnly: isReadOnly)
    }

    /// As ``files()``, without what SQLite keeps beside a file while somebody reads it.
    func storeFiles() throws -> [String: Data] {
        try files().filter { !($0.key == "store-shm" || $0.key == "store-wal" && $0.value.isEmpty) }
    }

    /// Every file at the place, to see that nothing came to be and nothing was changed.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory) {
            files[name] = FileManager.default.contents(atPath: directory + "/" + name) ?? Data()
        }
        return files
    }
}

/// The error that a closure throws, or `nil`.
func storageError(_ body: () async throws -> Void) async -> StorageError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? StorageError
    }
}
