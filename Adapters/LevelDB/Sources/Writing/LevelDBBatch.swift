#if LevelDB
internal import CLevelDB

/// Changes that LevelDB applies in order and as a whole.
final class LevelDBBatch {
    let pointer: OpaquePointer = leveldb_writebatch_create()
    /// The bytes of the keys and values in it.
    private(set) var byteCount = 0
    /// The puts and deletions in it.
    private(set) var changeCount: UInt64 = 0

    deinit { leveldb_writebatch_destroy(pointer) }

    func put(_ key: [UInt8], _ value: [UInt8]) {
        key.withUnsafeBytes { key in value.withUnsafeBytes { value in put(key, value) } }
    }

    func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        byteCount += key.count + value.count
        changeCount += 1
        leveldb_writebatch_put(pointer, key.chars, key.count, value.chars, value.count)
    }

    func delete(_ key: [UInt8]) { key.withUnsafeBytes { delete($0) } }

    func delete(_ key: UnsafeRawBufferPointer) {
        byteCount += key.count
        changeCount += 1
        leveldb_writebatch_delete(pointer, key.chars, key.count)
    }

    func clear() {
        leveldb_writebatch_clear(pointer)
        byteCount = 0
        changeCount = 0
    }
}
#endif
