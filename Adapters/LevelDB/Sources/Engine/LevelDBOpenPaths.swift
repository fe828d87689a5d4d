#if LevelDB
internal import HoldfastStorage

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The directories that this process has open.
///
/// LevelDB must never be asked to open one of them again: it would open and close the lock file once more, and with
/// that the system gives up the lock of the whole process, so that another process could open the directory too.
enum LevelDBOpenPaths {
    private static let paths = Mutex<Set<String>>([])

    /// Takes a directory for this process's one handle.
    ///
    /// - Parameter path: The absolute path of the directory.
    /// - Returns: What ``release(_:)`` takes.
    /// - Throws: ``StorageError`` `.locked` if there is a handle on it already.
    static func take(_ path: String) throws(StorageError) -> String {
        let name = resolved(path)
        let isNew = paths.withLock { $0.insert(name).inserted }
        if !isNew {
            throw StorageError(
                .locked, "Another adapter in this process has the store open; LevelDB allows one.")
        }
        return name
    }

    /// Gives a directory up.
    static func release(_ name: String) { paths.withLock { _ = $0.remove(name) } }

    /// One name for a directory, whether it exists yet or not, and however it is written.
    private static func resolved(_ path: String) -> String {
        if let found = realPath(path) { return found }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        let last = parts.last.map(String.init) ?? path
        let parent = parts.dropLast().joined(separator: "/")
        return (realPath("/" + parent) ?? parent) + "/" + last
    }

    private static func realPath(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
#endif
