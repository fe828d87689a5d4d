#if SQLite
internal import CSQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The store's file as the operating system sees it.
///
/// Nothing here opens a file that a connection of this process may have open: to close it would give up the locks of
/// the whole process, and another process could then take away the log of an open store. What is in the file is read
/// through SQLite, which knows this. See section 2.2 of <https://www.sqlite.org/howtocorrupt.html>.
struct SQLiteFile: Sendable {
    /// The path as SQLite gets it: absolute, and so never one of the names to which it gives its own meaning.
    let path: String
    /// A directory that is deleted with the store.
    private let temporaryDirectory: String?

    /// `HfSt`: marks a database as a Holdfast store.
    static let applicationID: Int32 = 0x4866_5374

    /// Chooses the path of a location, and creates the directory of a temporary one.
    init(_ location: SQLiteConfiguration.Location) throws(StorageError) {
        switch location {
        case .file(let path):
            self.path = try StorePath.absolute(path)
            temporaryDirectory = nil
        case .temporary:
            let directory = try StorePath.temporaryDirectory()
            temporaryDirectory = directory
            path = directory + "/store.sqlite"
        }
    }

    /// Whether there is nothing at the path, or an empty file.
    func isEmpty() throws(StorageError) -> Bool {
        var status = stat()
        if stat(path, &status) == 0 { return status.st_size == 0 }
        if errno == ENOENT { return true }
        throw StorageError.system("The store's file cannot be opened; check its permissions", errno)
    }

    /// How many bytes at the beginning of a file say what it is.
    private static let headerByteCount = 100

    /// Whether the connection's file is marked as a Holdfast store, or a database that is not marked yet because its
    /// first page is in the log still.
    ///
    /// Looks at the first bytes only and does not use the file as a database, which could change it.
    static func mayBeStore(_ connection: SQLiteConnection) throws(StorageError) -> Bool {
        let header = try connection.fileBytes(at: 0, count: headerByteCount)
        guard header.count == headerByteCount, header.starts(with: Array("SQLite format 3\0".utf8)) else {
            return false
        }
        let identifier = header[68..<72].reduce(Int32(0)) { $0 << 8 | Int32($1) }
        return identifier == applicationID || identifier == 0
    }

    /// Creates the file with these permissions if it does not exist.
    func create(mode: UInt16) throws(StorageError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
        if descriptor < 0 {
            if errno == EEXIST { return }
            throw StorageError.system("The store's file cannot be created; check its directory", errno)
        }
        fchmod(descriptor, mode_t(mode))
        close(descriptor)
    }

    /// Whether anything exists at a path.
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether the file has a write-ahead log with content.
    var hasLog: Bool {
        var status = stat()
        return stat(path + "-wal", &status) == 0 && status.st_size > 0
    }

    /// Moves a file to a path at which nothing may exist.
    static func move(_ source: String, to destination: String) throws(StorageError) {
        if link(source, destination) == 0 {
            unlink(source)
        } else {
            try moveWithoutLink(source, to: destination)
        }
        syncParent(of: destination)
    }

    /// Has the device keep the name of a file, as SQLite does for its journals; not every file system can do that.
    private static func syncParent(of path: String) {
        let end = path.lastIndex(of: "/")
        let parent = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(parent, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return }
        defer { close(descriptor) }
        #if canImport(Darwin)
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        fsync(descriptor)
    }

    /// Does the same where the file system has no links, such as exFAT: an empty file keeps the path free of others.
    static func moveWithoutLink(_ source: String, to destination: String) throws(StorageError) {
        let descriptor = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw StorageError.system("The copy cannot be moved to its destination", errno) }
        close(descriptor)
        if rename(source, destination) == 0 { return }
        let code = errno
        unlink(destination)
        throw StorageError.system("The copy cannot be moved to its destination", code)
    }

    /// Copies the file, and the log or journal that belongs to it, to another place.
    func copy(to other: SQLiteFile) throws(StorageError) {
        let connection = try SQLiteConnection(path: path, flags: SQLITE_OPEN_READONLY)
        try copy("", to: other) { offset, count throws(StorageError) in
            try connection.fileBytes(at: offset, count: count)
        }
        // No one locks these.
        for suffix in ["-wal", "-journal"] where Self.exists(path + suffix) {
            let source = open(path + suffix, O_RDONLY | O_CLOEXEC)
            if source < 0 { throw StorageError.system("The file cannot be opened; check its permissions", errno) }
            defer { close(source) }
            try copy(suffix, to: other) { offset, count throws(StorageError) in
                var bytes = [UInt8](repeating: 0, count: count)
                let result = pread(source, &bytes, count, off_t(offset))
                if result < 0 { throw StorageError.system("The file cannot be read", errno) }
                bytes.removeLast(count - result)
                return bytes
            }
        }
    }

    /// Copies what a closure reads, until it reads nothing.
    private func copy(
        _ suffix: String, to other: SQLiteFile,
        _ read: (_ offset: Int64, _ count: Int) throws(StorageError) -> [UInt8]
    ) throws(StorageError) {
        let target = open(other.path + suffix, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if target < 0 { throw StorageError.system("The copy cannot be created", errno) }
        defer { close(target) }
        var offset: Int64 = 0
        while true {
            let bytes = try read(offset, 1 << 20)
            if bytes.isEmpty { return }
            var written = 0
            while written < bytes.count {
                let result = bytes[written...].withUnsafeBytes { write(target, $0.baseAddress, $0.count) }
                if result < 0 { throw StorageError.system("The copy cannot be written", errno) }
                written += result
            }
            offset += Int64(bytes.count)
        }
    }

    /// Deletes a file.
    static func delete(_ path: String) { unlink(path) }

    /// Deletes a temporary store.
    func deleteIfTemporary() {
        guard let temporaryDirectory else { return }
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
        rmdir(temporaryDirectory)
    }
}
#endif
