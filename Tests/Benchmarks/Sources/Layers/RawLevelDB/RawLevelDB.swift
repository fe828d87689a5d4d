import CLevelDBRaw

/// A LevelDB database; set up as the adapter's.
///
/// Unchecked because LevelDB's handle may be used by several threads at once, and it is not used once it is closed.
final class RawLevelDB: @unchecked Sendable {
    private let handle: OpaquePointer
    private let options = leveldb_options_create()
    private let cache = leveldb_cache_create_lru(32 << 20)
    private let filter = leveldb_filterpolicy_create_bloom(10)
    private let synced = leveldb_writeoptions_create()
    private let unsynced = leveldb_writeoptions_create()
    private let latest = leveldb_readoptions_create()
    private var isOpen = true

    init(path: String) throws {
        leveldb_options_set_create_if_missing(options, 1)
        leveldb_options_set_paranoid_checks(options, 1)
        leveldb_options_set_cache(options, cache)
        leveldb_options_set_filter_policy(options, filter)
        leveldb_options_set_write_buffer_size(options, 16 << 20)
        leveldb_options_set_max_open_files(options, 500)
        leveldb_options_set_compression(options, Int32(leveldb_snappy_compression))
        leveldb_writeoptions_set_sync(synced, 1)
        leveldb_readoptions_set_verify_checksums(latest, 1)
        var message: UnsafeMutablePointer<CChar>?
        let handle = leveldb_open(options, path, &message)
        guard let handle else { throw Self.error(message) }
        self.handle = handle
    }

    deinit { close() }

    /// Closes the database unless that is done.
    func close() {
        guard isOpen else { return }
        isOpen = false
        leveldb_close(handle)
        leveldb_writeoptions_destroy(synced)
        leveldb_writeoptions_destroy(unsynced)
        leveldb_readoptions_destroy(latest)
        leveldb_options_destroy(options)
        leveldb_filterpolicy_destroy(filter)
        leveldb_cache_destroy(cache)
    }

    /// Writes a batch, durably unless it need not be.
    func write(_ batch: OpaquePointer, isSynced: Bool = true) throws {
        var message: UnsafeMutablePointer<CChar>?
        leveldb_write(handle, isSynced ? synced : unsynced, batch, &message)
        if message != nil { throw Self.error(message) }
    }

    /// Runs a closure with options that read one state and check what comes from files.
    func reading<Result>(_ body: (_ options: OpaquePointer?) throws -> Result) rethrows -> Result {
        let options = leveldb_readoptions_create()
        let snapshot = leveldb_create_snapshot(handle)
        leveldb_readoptions_set_verify_checksums(options, 1)
        leveldb_readoptions_set_snapshot(options, snapshot)
        defer {
            leveldb_readoptions_destroy(options)
            leveldb_release_snapshot(handle, snapshot)
        }
        return try body(options)
    }

    /// The item of a key, if there is one.
    @inline(__always)
    func item(_ key: [UInt8], _ options: OpaquePointer?) throws -> Item? {
        try value(key, options, RawLevelDBItem.read)
    }

    /// What a closure makes of the latest value of a key, if there is one.
    @inline(__always)
    func value<Result>(_ key: [UInt8], _ read: (UnsafeRawBufferPointer) -> Result) throws -> Result? {
        try value(key, latest, read)
    }

    @inline(__always)
    private func value<Result>(
        _ key: [UInt8], _ options: OpaquePointer?, _ read: (UnsafeRawBufferPointer) -> Result
    ) throws -> Result? {
        var count = 0
        var message: UnsafeMutablePointer<CChar>?
        let value = key.withUnsafeBytes { leveldb_get(handle, options, $0.chars, $0.count, &count, &message) }
        if message != nil { throw Self.error(message) }
        guard let value else { return nil }
        defer { leveldb_free(value) }
        return read(UnsafeRawBufferPointer(start: value, count: count))
    }

    /// Calls a closure with the keys and values from one key on, until it returns `false`.
    func scan(
        from key: [UInt8], _ options: OpaquePointer?,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        let iterator = leveldb_create_iterator(handle, options)
        defer { leveldb_iter_destroy(iterator) }
        key.withUnsafeBytes { leveldb_iter_seek(iterator, $0.chars, $0.count) }
        while leveldb_iter_valid(iterator) != 0 {
            var (keyCount, valueCount) = (0, 0)
            let key = leveldb_iter_key(iterator, &keyCount)
            let value = leveldb_iter_value(iterator, &valueCount)
            let continues = try body(
                UnsafeRawBufferPointer(start: key, count: keyCount),
                UnsafeRawBufferPointer(start: value, count: valueCount))
            if !continues { break }
            leveldb_iter_next(iterator)
        }
        var message: UnsafeMutablePointer<CChar>?
        leveldb_iter_get_error(iterator, &message)
        if message != nil { throw Self.error(message) }
    }

    private static func error(_ message: UnsafeMutablePointer<CChar>?) -> RawError {
        defer { leveldb_free(message) }
        return RawError(description: message.map { String(cString: $0) } ?? "LevelDB failed")
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes as the C API takes them.
    var chars: UnsafePointer<CChar>? { baseAddress?.assumingMemoryBound(to: CChar.self) }
}
