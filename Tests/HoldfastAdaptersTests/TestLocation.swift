import Foundation
import HoldfastAdapterTestSupport
import HoldfastStorage
import HoldfastTestSupport

/// A location for one store of an adapter, with any number of handles; what is at it goes with this object.
final class TestLocation: Sendable {
    let adapter: TestedAdapter
    private let directory = TemporaryDirectory()
    private let schemaName = PostgreSQLServer.makeSchema()

    init(_ adapter: TestedAdapter) { self.adapter = adapter }

    /// The store's file or folder.
    var path: String { directory.file() }

    /// A new handle.
    func make(isReadOnly: Bool = false) -> any StorageAdapter {
        adapter.make(at: path, schema: schemaName, isReadOnly: isReadOnly)
    }

    /// As ``files()``, without what SQLite keeps beside a file while somebody reads it.
    func storeFiles() throws -> [String: Data] {
        try files().filter { !($0.key == "store-shm" || $0.key == "store-wal" && $0.value.isEmpty) }
    }

    /// Every file at the location, to see that nothing came to be and nothing was changed.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
            files[name] = FileManager.default.contents(atPath: directory.file(name)) ?? Data()
        }
        return files
    }
}
