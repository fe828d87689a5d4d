#if SQLite
internal import HoldfastStorage

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The store's file as the operating system sees it.
struct SQLiteFile: Sendable {
    /// The path as SQLite gets it: never one of the names to which it gives its own meaning.
    let path: String
    /// A directory that is deleted with the store.
    private let temporaryDirectory: String?

    /// `HfSt`: marks a database as a Holdfast store.
    static let applicationID: Int32 = 0x4866_5374

    /// Chooses the path of a location, and creates the directory of a temporary one.
    init(_ location: SQLiteConfiguration.Location) throws(StorageError) {
        switch location {
        case .file(let path):
            if path.isEmpty || path.utf8.contains(0) {
                throw StorageError.invalidPath()
            }
            self.path = path.hasPrefix("/") ? path : "./" + path
            temporaryDirectory = nil
        case .temporary:
            let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
            var template = Array("\(root)/holdfast-XXXXXX".utf8CString)
            guard let directory = mkdtemp(&template).map({ String(cString: $0) }) else {
                throw Self.error("No temporary directory can be created in '\(root)'", errno)
            }
            temporaryDirectory = directory
            path = directory + "/store.sqlite"
        }
    }

    /// What is at the path.
    enum Content: Sendable, Hashable {
        /// Nothing, or an empty file.
        case empty
        /// A database marked as a Holdfast store, or not marked yet because its first page is in the log still.
        case database
        /// Anything else.
        case foreign
    }

    /// Looks at the first bytes of the file without opening it as a database.
    func content() throws(StorageError) -> Content {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 {
            if errno == ENOENT { return .empty }
            throw Self.error("The store's file cannot be opened; check its permissions", errno)
        }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: 100)
        let count = read(descriptor, &header, header.count)
        if count < 0 { throw Self.error("The store's file cannot be read", errno) }
        if count == 0 { return .empty }
        guard count == header.count, header.starts(with: Array("SQLite format 3\0".utf8)) else { return .foreign }
        let identifier = header[68..<72].reduce(Int32(0)) { $0 << 8 | Int32($1) }
        return identifier == Self.applicationID || identifier == 0 ? .database : .foreign
    }

    /// Creates the file with these permissions if it does not exist.
    func create(mode: UInt16) throws(StorageError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
        if descriptor < 0 {
            if errno == EEXIST { return }
            throw Self.error("The store's file cannot be created; check its directory", errno)
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
        if link(source, destination) != 0 { throw error("The copy cannot be moved to its destination", errno) }
        unlink(source)
    }

    /// Copies the file, and the log or journal that belongs to it, to another place.
    func copy(to other: SQLiteFile) throws(StorageError) {
        for suffix in ["", "-wal", "-journal"] where suffix.isEmpty || Self.exists(path + suffix) {
            let source = open(path + suffix, O_RDONLY | O_CLOEXEC)
            if source < 0 { throw Self.error("The file cannot be opened; check its permissions", errno) }
            defer { close(source) }
            let target = open(other.path + suffix, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if target < 0 { throw Self.error("The copy cannot be created", errno) }
            defer { close(target) }
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            while true {
                let count = read(source, &buffer, buffer.count)
                if count < 0 { throw Self.error("The file cannot be read", errno) }
                if count == 0 { break }
                var written = 0
                while written < count {
                    let result = buffer[written..<count].withUnsafeBytes { write(target, $0.baseAddress, $0.count) }
                    if result < 0 { throw Self.error("The copy cannot be written", errno) }
                    written += result
                }
            }
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

    private static func error(_ message: String, _ code: Int32) -> StorageError {
        let kind: StorageError.Kind =
            switch code {
            case ENOSPC, EDQUOT: .full
            case EROFS: .readOnly
            default: .io
            }
        return StorageError(
            kind, "\(message): \(String(cString: strerror(code))).", nativeCode: "errno \(code)")
    }
}
#endif
