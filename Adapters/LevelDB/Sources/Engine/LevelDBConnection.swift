#if LevelDB
internal import CLevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// An open LevelDB database: the handle and the options it was opened with.
///
/// Unchecked because LevelDB's handle may be used by several threads at once; it is closed when no thread uses it, and
/// not used after that: the adapter kit guards this.
final class LevelDBConnection: @unchecked Sendable {
    private let pointer: OpaquePointer
    /// The directory, as it is known to ``LevelDBOpenPaths``.
    private let resolvedPath: String
    /// The bytes in LevelDB's memory table at which it begins a new log.
    let writeBufferByteCount: Int
    private let options: OpaquePointer
    private let cache: OpaquePointer
    private let filter: OpaquePointer?
    private let syncedWrite = leveldb_writeoptions_create()
    private let unsyncedWrite = leveldb_writeoptions_create()
    private var isOpen = true

    /// Opens a database; blocks while the log is read.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - configuration: How to open it; the place in it is not looked at.
    ///   - creates: Whether there is no database yet.
    ///   - prepare: Runs before, when nothing else in this process has the directory open.
    /// - Throws: ``StorageError`` `.locked`, `.corruption`, `.io`, `.full`; what `prepare` throws.
    init(
        path: String, _ configuration: LevelDBConfiguration, creates: Bool,
        prepare: () throws(StorageError) -> Void = {}
    ) throws(StorageError) {
        let resolvedPath = try LevelDBOpenPaths.take(path)
        do throws(StorageError) {
            try prepare()
        } catch {
            LevelDBOpenPaths.release(resolvedPath)
            throw error
        }
        self.resolvedPath = resolvedPath
        options = leveldb_options_create()
        cache = leveldb_cache_create_lru(max(0, configuration.cacheByteCount))
        filter =
            configuration.bloomBitsPerKey > 0
            ? leveldb_filterpolicy_create_bloom(Int32(clamping: configuration.bloomBitsPerKey)) : nil
        leveldb_options_set_create_if_missing(options, creates ? 1 : 0)
        // Damage makes opening fail instead of being skipped.
        leveldb_options_set_paranoid_checks(options, 1)
        leveldb_options_set_cache(options, cache)
        if let filter { leveldb_options_set_filter_policy(options, filter) }
        writeBufferByteCount = min(max(64 << 10, configuration.writeBufferByteCount), 1 << 30)
        leveldb_options_set_write_buffer_size(options, writeBufferByteCount)
        leveldb_options_set_max_open_files(options, Int32(clamping: configuration.maximumOpenFileCount))
        leveldb_options_set_compression(
            options,
            Int32(
                configuration.compression == .snappy ? leveldb_snappy_compression : leveldb_no_compression))
        leveldb_writeoptions_set_sync(syncedWrite, 1)
        var message: UnsafeMutablePointer<CChar>?
        let pointer = leveldb_open(options, path, &message)
        let error = LevelDBErrorMapping.take(message)
        guard let pointer else {
            Self.free(options, cache, filter, syncedWrite, unsyncedWrite)
            LevelDBOpenPaths.release(resolvedPath)
            throw error ?? LevelDBErrorMapping.error("IO error: the database did not open")
        }
        self.pointer = pointer
    }

    deinit { close() }

    /// Closes the database, also where an owner keeps this object; idempotent.
    func close() {
        if !isOpen { return }
        isOpen = false
        leveldb_close(pointer)
        LevelDBOpenPaths.release(resolvedPath)
        Self.free(options, cache, filter, syncedWrite, unsyncedWrite)
    }

    private static func free(
        _ options: OpaquePointer, _ cache: OpaquePointer, _ filter: OpaquePointer?, _ writes: OpaquePointer?...
    ) {
        leveldb_options_destroy(options)
        leveldb_cache_destroy(cache)
        if let filter { leveldb_filterpolicy_destroy(filter) }
        for write in writes { leveldb_writeoptions_destroy(write) }
    }

    // MARK: Reading

    /// Calls a closure with the value of a key, if there is one; says whether there is.
    func get(
        _ key: [UInt8], _ options: LevelDBReadOptions,
        _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Void
    ) throws(StorageError) -> Bool {
        var count = 0
        var message: UnsafeMutablePointer<CChar>?
        let value = key.withUnsafeBytes { key in
            leveldb_get(pointer, options.pointer, key.chars, key.count, &count, &message)
        }
        if let error = LevelDBErrorMapping.take(message) { throw error }
        guard let value else { return false }
        defer { leveldb_free(value) }
        try body(UnsafeRawBufferPointer(start: value, count: count))
        return true
    }

    /// Calls a closure with the entries of a range, until it returns false.
    func scan(
        _ range: ByteRange, isReversed: Bool, _ options: LevelDBReadOptions,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError) {
        guard let iterator = leveldb_create_iterator(pointer, options.pointer) else { return }
        defer { leveldb_iter_destroy(iterator) }
        if isReversed { Self.seek(iterator, before: range.upper) } else { Self.seek(iterator, range.lower) }
        while leveldb_iter_valid(iterator) != 0 {
            var count = 0
            let start = leveldb_iter_key(iterator, &count)
            let key = UnsafeRawBufferPointer(start: start, count: count)
            if isReversed {
                if key.precedes(range.lower) { break }
            } else if let upper = range.upper, !key.precedes(upper) {
                break
            }
            let value = leveldb_iter_value(iterator, &count)
            if try !body(key, UnsafeRawBufferPointer(start: value, count: count)) { break }
            if isReversed { leveldb_iter_prev(iterator) } else { leveldb_iter_next(iterator) }
        }
        // LevelDB skips blocks that it cannot read, so the range may end at a key after them.
        var message: UnsafeMutablePointer<CChar>?
        leveldb_iter_get_error(iterator, &message)
        if let error = LevelDBErrorMapping.take(message) { throw error }
    }

    /// Goes to the first key at or after this one.
    private static func seek(_ iterator: OpaquePointer, _ key: [UInt8]) {
        key.withUnsafeBytes { leveldb_iter_seek(iterator, $0.chars, $0.count) }
    }

    /// Goes to the last key before this one, or to the very last.
    private static func seek(_ iterator: OpaquePointer, before key: [UInt8]?) {
        guard let key else { return leveldb_iter_seek_to_last(iterator) }
        seek(iterator, key)
        if leveldb_iter_valid(iterator) != 0 {
            leveldb_iter_prev(iterator)
        } else {
            leveldb_iter_seek_to_last(iterator)
        }
    }

    func createSnapshot() -> OpaquePointer { leveldb_create_snapshot(pointer) }

    func release(_ snapshot: OpaquePointer) { leveldb_release_snapshot(pointer, snapshot) }

    // MARK: Writing

    /// Applies a batch; one writer at a time.
    ///
    /// - Throws: ``StorageError`` with an unknown outcome, since part of the batch may be in the log.
    func write(_ batch: LevelDBBatch, isSynced: Bool) throws(StorageError) {
        var message: UnsafeMutablePointer<CChar>?
        leveldb_write(pointer, isSynced ? syncedWrite : unsyncedWrite, batch.pointer, &message)
        if var error = LevelDBErrorMapping.take(message) {
            error.transaction = .outcomeUnknown
            throw error
        }
    }

    // MARK: Maintenance

    /// Brings all files into one order without what was overwritten or deleted; takes long.
    func compact() { leveldb_compact_range(pointer, nil, 0, nil, 0) }

    /// About how many bytes of the files a range of keys takes; what is in the log only does not count.
    func byteCount(from lower: [UInt8], to upper: [UInt8]) -> Int {
        var size: UInt64 = 0
        lower.withUnsafeBytes { lower in
            upper.withUnsafeBytes { upper in
                var (start, limit) = (lower.chars, upper.chars)
                var (startCount, limitCount) = (lower.count, upper.count)
                leveldb_approximate_sizes(pointer, 1, &start, &startCount, &limit, &limitCount, &size)
            }
        }
        return Int(clamping: size)
    }
}

/// What is read, and how; must outlive its use.
///
/// Unchecked because it is immutable once it is set up.
final class LevelDBReadOptions: @unchecked Sendable {
    let pointer: OpaquePointer = leveldb_readoptions_create()
    /// The state to read; `nil` for the latest.
    let snapshot: OpaquePointer?

    /// - Parameter snapshot: The state to read; the latest by default.
    init(_ snapshot: OpaquePointer? = nil) {
        self.snapshot = snapshot
        // Only blocks that come from a file are checked, so this costs little.
        leveldb_readoptions_set_verify_checksums(pointer, 1)
        if let snapshot { leveldb_readoptions_set_snapshot(pointer, snapshot) }
    }

    deinit { leveldb_readoptions_destroy(pointer) }

    /// The latest state.
    static let latest = LevelDBReadOptions()
}

extension UnsafeRawBufferPointer {
    /// The bytes as the C API takes them.
    var chars: UnsafePointer<CChar>? { baseAddress?.assumingMemoryBound(to: CChar.self) }
}
#endif
