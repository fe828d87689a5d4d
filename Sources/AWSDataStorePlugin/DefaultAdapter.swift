import Amplify
public import Foundation
public import HoldfastStorage

#if SQLite
import HoldfastSQLite
#endif

/// What keeps the records when a configuration names nothing else.
public enum DefaultAdapter {
    /// Where the records are kept: `<application data>/<application>/DataStore/datastore.sqlite`.
    ///
    /// Application data is what the platform says: `Library/Application Support` on Apple's (`Library/Caches` on tvOS,
    /// where applications may write nowhere else), `XDG_DATA_HOME` or `~/.local/share` on Linux. The application is its
    /// bundle identifier, or the name of the program.
    ///
    /// - Throws: What `FileManager` throws if there is no such place.
    public static func location() throws -> URL {
        #if os(tvOS)
        let directory = FileManager.SearchPathDirectory.cachesDirectory
        #else
        let directory = FileManager.SearchPathDirectory.applicationSupportDirectory
        #endif
        let data = try FileManager.default.url(
            for: directory, in: .userDomainMask, appropriateFor: nil, create: false)
        let application = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return data.appendingPathComponent(application, isDirectory: true)
            .appendingPathComponent("DataStore", isDirectory: true)
            .appendingPathComponent("datastore.sqlite", isDirectory: false)
    }

    /// A new adapter for ``location()``, whose directory is made.
    ///
    /// Apple's platforms leave this directory out of backups. A device that is restored from one reads everything from
    /// the service; with the store of another device it would send that one's unsent changes a second time.
    ///
    /// - Throws: ``DataStoreError`` `.configuration` if the package was built without the adapter; what `FileManager`
    ///   throws if the directory cannot be made.
    public static func make() throws -> any StorageAdapter {
        #if SQLite
        let location = try location()
        let directory = location.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        #if canImport(Darwin)
        var excluded = directory
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        // Not every volume can keep that.
        try? excluded.setResourceValues(values)
        #endif
        return SQLiteAdapter(path: location.path)
        #else
        throw DataStoreError.configuration(
            "The DataStore has no storage adapter.",
            "Enable the trait 'SQLite' of the package 'holdfast', or name another adapter in the configuration.")
        #endif
    }
}
