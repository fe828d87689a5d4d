#if LevelDB
internal import CLevelDB

/// Changes that LevelDB applies in order and as a whole.
final class LevelDBBatch {
    let pointer: OpaquePointer = leveldb_writebatch_create()

    deinit { leveldb_writebatch_destroy(pointer) }

    func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        leveldb_writebatch_put(pointer, key.chars, key.count, value.chars, value.count)
    }

    func delete(_ key: UnsafeRawBufferPointer) { leveldb_writebatch_delete(pointer, key.chars, key.count) }
}
#endif
