package import HoldfastStorage

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Where the files of a store are.
package enum StorePath {
    /// A path that stays the same when the process changes its working directory.
    ///
    /// Files are opened as long as a store is open. With a relative path those that are opened later could be others.
    ///
    /// - Parameter path: Absolute or relative to the working directory.
    /// - Returns: The path, which begins with a slash.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.misuse` if the path is empty or contains NUL, `.io` if a relative
    ///   path is given and the working directory cannot be read.
    package static func absolute(_ path: String) throws(StorageError) -> String {
        if path.isEmpty || path.utf8.contains(0) { throw StorageError.invalidPath() }
        if path.utf8.first == UInt8(ascii: "/") { return path }
        guard let directory = getcwd(nil, 0) else {
            throw StorageError.system("The working directory cannot be read", errno)
        }
        defer { free(directory) }
        return String(cString: directory) + "/" + path
    }

    /// Creates a directory that only this user can read, where the system has temporary files.
    ///
    /// - Returns: Its path, which begins with a slash.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.io`, `.full`, or `.readOnly` if it cannot be created.
    package static func temporaryDirectory() throws(StorageError) -> String {
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let root = try named.isEmpty ? "/tmp" : absolute(named)
        var template = Array("\(root)/holdfast-XXXXXX".utf8CString)
        guard let directory = mkdtemp(&template).map({ String(cString: $0) }) else {
            throw StorageError.system("No temporary directory can be created in '\(root)'", errno)
        }
        return directory
    }
}
