#if LevelDB
internal import CLevelDB
internal import HoldfastStorage

/// A place in the ordered keys.
///
/// Unchecked because it is used by one thread at a time: it belongs to one scan.
final class LevelDBIterator: @unchecked Sendable {
    private let pointer: OpaquePointer
    /// What ends it, if it may outlive the use of the handle.
    private let database: LevelDBDatabase?

    init(_ pointer: OpaquePointer, of database: LevelDBDatabase? = nil) {
        self.pointer = pointer
        self.database = database
    }

    deinit {
        if let database { database.end(pointer) } else { Self.destroy(pointer) }
    }

    static func destroy(_ pointer: OpaquePointer) { leveldb_iter_destroy(pointer) }

    /// Whether there is a key at the place.
    var isValid: Bool { leveldb_iter_valid(pointer) != 0 }

    /// The key, until the next step.
    var key: UnsafeRawBufferPointer {
        var count = 0
        let start = leveldb_iter_key(pointer, &count)
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    /// The value, until the next step.
    var value: UnsafeRawBufferPointer {
        var count = 0
        let start = leveldb_iter_value(pointer, &count)
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    /// Goes to the first key at or behind this one.
    func seek(_ key: [UInt8]) {
        key.withUnsafeBytes { leveldb_iter_seek(pointer, $0.chars, $0.count) }
    }

    /// Goes to the last key before this one.
    func seek(before key: [UInt8]) {
        seek(key)
        if isValid { leveldb_iter_prev(pointer) } else { leveldb_iter_seek_to_last(pointer) }
    }

    func seekToFirst() { leveldb_iter_seek_to_first(pointer) }

    func next() { leveldb_iter_next(pointer) }

    func previous() { leveldb_iter_prev(pointer) }

    /// Fails if the scan ended because something could not be read.
    func check() throws(StorageError) {
        var message: UnsafeMutablePointer<CChar>?
        leveldb_iter_get_error(pointer, &message)
        if let error = LevelDBErrorMapping.take(message) { throw error }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes come before others in LevelDB's order.
    func precedes(_ other: [UInt8]) -> Bool {
        other.withUnsafeBytes { other in
            let count = Swift.min(self.count, other.count)
            guard count > 0, let left = baseAddress, let right = other.baseAddress else {
                return self.count < other.count
            }
            let order = compareBytes(left, right, count)
            return order != 0 ? order < 0 : self.count < other.count
        }
    }

    func starts(with prefix: [UInt8]) -> Bool {
        guard count >= prefix.count else { return false }
        return prefix.withUnsafeBytes { prefix in
            guard let left = baseAddress, let right = prefix.baseAddress else { return true }
            return compareBytes(left, right, prefix.count) == 0
        }
    }
}
#endif
