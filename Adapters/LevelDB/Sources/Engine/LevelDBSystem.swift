#if LevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Files as the operating system sees them.
enum LevelDBSystem {
    enum Kind: Sendable, Hashable {
        case nothing
        case directory
        case other
    }

    static func kind(of path: String) throws(StorageError) -> Kind {
        var status = stat()
        if stat(path, &status) != 0 {
            if errno == ENOENT { return .nothing }
            throw StorageError.system("The store's location cannot be read", errno)
        }
        return status.st_mode & S_IFMT == S_IFDIR ? .directory : .other
    }

    /// The size of a file, 0 if there is none.
    static func byteCount(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    static func createDirectory(_ path: String, mode: UInt16) throws(StorageError) {
        if mkdir(path, mode_t(mode)) != 0 {
            if errno == EEXIST { return }
            throw StorageError.system("The store's directory cannot be created; check its parent", errno)
        }
        chmod(path, mode_t(mode))
        try syncParent(of: path)
    }

    /// The names in a directory, unordered.
    static func names(in path: String) throws(StorageError) -> [String] {
        guard let directory = opendir(path) else {
            throw StorageError.system("The store's directory cannot be read; check its permissions", errno)
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    /// Deletes a directory with the files in it.
    static func deleteDirectory(_ path: String) {
        for name in (try? names(in: path)) ?? [] {
            if unlink(path + "/" + name) != 0 { deleteDirectory(path + "/" + name) }
        }
        rmdir(path)
    }

    /// Moves a directory to a path at which nothing may exist.
    static func move(_ source: String, to destination: String) throws(StorageError) {
        let message = "The copy cannot be moved to its destination"
        if exists(destination) { throw StorageError.system(message, EEXIST) }
        if rename(source, destination) != 0 { throw StorageError.system(message, errno) }
        try syncParent(of: destination)
    }

    /// Has the device keep the name of a file or directory.
    private static func syncParent(of path: String) throws(StorageError) {
        let end = path.lastIndex(of: "/")
        try sync(end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
    }

    /// Has the device keep a file, or the names in a directory; nothing if it has gone.
    static func sync(_ path: String) throws(StorageError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 {
            if errno == ENOENT { return }
            throw StorageError.system("The store's file cannot be opened to sync it", errno)
        }
        defer { close(descriptor) }
        if !sync(descriptor) { throw StorageError.system("The store's file cannot be synced", errno) }
    }

    /// Has the device keep an open file; returns whether it did.
    private static func sync(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
        // On Apple systems `fsync` leaves it in the memory of the device. Not every file system has the other call.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
        #endif
        return fsync(descriptor) == 0
    }

    /// Shortens a file and has the device keep that.
    static func truncate(_ path: String, byteCount: Int) throws(StorageError) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        if descriptor < 0 { throw StorageError.system("The store's log cannot be opened", errno) }
        defer { close(descriptor) }
        if ftruncate(descriptor, off_t(byteCount)) != 0 || !sync(descriptor) {
            throw StorageError.system("The store's log cannot be cut", errno)
        }
    }

    /// Runs a closure while this process holds LevelDB's lock.
    ///
    /// Never to be called while LevelDB has the directory open in this process: the lock ends with the first file
    /// that is closed.
    ///
    /// - Throws: ``StorageError`` `.locked` if another process holds it, or what the closure throws.
    static func withLock<Result>(
        _ path: String, _ body: () throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        if descriptor < 0 { throw StorageError.system("The store's lock cannot be opened", errno) }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        if fcntl(descriptor, F_SETLK, &lock) != 0 {
            if errno == EACCES || errno == EAGAIN { throw LevelDBErrorMapping.locked("fcntl: errno \(errno)") }
            throw StorageError.system("The store cannot be locked", errno)
        }
        return try body()
    }

    /// What the name of a file ends with until it is written.
    static let newSuffix = ".new"

    /// Replaces a small file by another, which the device has kept before; syncing the directory makes that last.
    static func write(_ text: String, to path: String) throws(StorageError) {
        let new = path + newSuffix
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw StorageError.system("The store's mark cannot be written", errno) }
        defer { close(descriptor) }
        var text = text
        let count = text.withUTF8 { systemWrite(descriptor, $0.baseAddress, $0.count) }
        if count != text.utf8.count || !sync(descriptor) || rename(new, path) != 0 {
            throw StorageError.system("The store's mark cannot be written", errno)
        }
    }

    private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Darwin)
        Darwin.write(descriptor, bytes, count)
        #elseif canImport(Glibc)
        Glibc.write(descriptor, bytes, count)
        #else
        Musl.write(descriptor, bytes, count)
        #endif
    }

    /// Hands a file's content to a closure, block by block; the last may be shorter.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - blockByteCount: The size of a block.
    ///   - body: Takes a block, and returns whether to continue.
    /// - Throws: ``StorageError`` if the file cannot be opened or read.
    static func read(
        _ path: String, blockByteCount: Int, _ body: (UnsafeRawBufferPointer) -> Bool
    ) throws(StorageError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw StorageError.system("The store's file cannot be opened", errno) }
        defer { close(descriptor) }
        var block = [UInt8](repeating: 0, count: blockByteCount)
        var offset: off_t = 0
        while true {
            let count = block.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, offset) }
            if count < 0 { throw StorageError.system("The store's file cannot be read", errno) }
            if count == 0 { return }
            offset += off_t(count)
            if !block.withUnsafeBytes({ body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }) { return }
        }
    }
}
#endif
