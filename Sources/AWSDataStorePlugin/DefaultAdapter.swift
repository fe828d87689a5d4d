import Amplify
public import Foundation
public import HoldfastStorage

#if SQLite
import HoldfastSQLite
#endif

/// What keeps the records when a configuration names nothing else.
public enum DefaultAdapter {
    /// Where the records are kept: `<application data>/<application>/datastore.sqlite`.
    ///
    /// Application data is what the platform says: `Library/Application Support` on Apple's, `XDG_DATA_HOME` or
    /// `~/.local/share` on Linux. The application is its bundle identifier, or the name of the program.
    ///
    /// - Throws: What `FileManager` throws if there is no such place.
    public static func location() throws -> URL {
        let data = try FileManager.default.url(
            for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: false)
        let application = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return data.appendingPathComponent(application, isDirectory: true)
            .appendingPathComponent("datastore.sqlite", isDirectory: false)
    }

    /// A new adapter for ``location()``, whose directory is made.
    ///
    /// - Throws: ``DataStoreError`` `.configuration` if the package was built without the adapter.
    public static func make() throws -> any StorageAdapter {
        #if SQLite
        let location = try location()
        try FileManager.default.createDirectory(
            at: location.deletingLastPathComponent(), withIntermediateDirectories: true)
        return SQLiteAdapter(path: location.path)
        #else
        throw DataStoreError.configuration(
            "The DataStore has no storage adapter.",
            "Enable the trait 'SQLite' of the package 'holdfast', or name another adapter in the configuration.")
        #endif
    }
}
