#if LevelDB
import CLevelDB

/// A database opened without the adapter, to damage it or to see what is in it.
final class RawDatabase {
    private let pointer: OpaquePointer
    private let options: OpaquePointer

    init(_ path: String) {
        options = leveldb_options_create()
        leveldb_options_set_create_if_missing(options, 1)
        var message: UnsafeMutablePointer<CChar>?
        guard let pointer = leveldb_open(options, path, &message) else {
            fatalError(message.map { String(cString: $0) } ?? "no database")
        }
        self.pointer = pointer
    }

    deinit {
        leveldb_close(pointer)
        leveldb_options_destroy(options)
    }

    /// All keys in order.
    func keys() -> [[UInt8]] {
        let read = leveldb_readoptions_create()
        let iterator = leveldb_create_iterator(pointer, read)
        defer {
            leveldb_iter_destroy(iterator)
            leveldb_readoptions_destroy(read)
        }
        var keys: [[UInt8]] = []
        leveldb_iter_seek_to_first(iterator)
        while leveldb_iter_valid(iterator) != 0 {
            var count = 0
            let key = leveldb_iter_key(iterator, &count)
            keys.append(Array(UnsafeRawBufferPointer(start: key, count: count)))
            leveldb_iter_next(iterator)
        }
        return keys
    }

    func put(_ key: [UInt8], _ value: [UInt8]) {
        let write = leveldb_writeoptions_create()
        defer { leveldb_writeoptions_destroy(write) }
        var message: UnsafeMutablePointer<CChar>?
        key.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { key in
            value.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { value in
                leveldb_put(pointer, write, key.baseAddress, key.count, value.baseAddress, value.count, &message)
            }
        }
    }

    /// Deletes the first key that fits.
    func deleteFirst(where fits: ([UInt8]) -> Bool) {
        guard let key = keys().first(where: fits) else { return }
        let write = leveldb_writeoptions_create()
        defer { leveldb_writeoptions_destroy(write) }
        var message: UnsafeMutablePointer<CChar>?
        key.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { key in
            leveldb_delete(pointer, write, key.baseAddress, key.count, &message)
        }
    }
}
#endif
