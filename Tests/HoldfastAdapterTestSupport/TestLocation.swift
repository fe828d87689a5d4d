package import Foundation
package import HoldfastStorage
import HoldfastTestSupport

/// A location for one store of an adapter, with any number of handles; what is at it goes with this object.
package final class TestLocation: Sendable {
    package let adapter: TestedAdapter
    private let directory = TemporaryDirectory()
    /// The name of the store's schema on PostgreSQL.
    package let schemaName = PostgreSQLServer.makeSchema()

    package init(_ adapter: TestedAdapter) { self.adapter = adapter }

    /// The store's file or directory.
    package var path: String { directory.file() }

    /// A new handle.
    package func make(isReadOnly: Bool = false) -> any StorageAdapter {
        adapter.make(at: path, schema: schemaName, isReadOnly: isReadOnly)
    }

    /// As ``files()``, without what SQLite keeps next to a file while it is read.
    package func storeFiles() throws -> [String: Data] {
        try files().filter { !($0.key == "store-shm" || $0.key == "store-wal" && $0.value.isEmpty) }
    }

    /// Every file at the location, to see that nothing came to be and nothing was changed.
    package func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
            files[name] = FileManager.default.contents(atPath: directory.file(name)) ?? Data()
        }
        return files
    }
}
