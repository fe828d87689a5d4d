import CLevelDBRaw
import HoldfastStorage
import Synchronization

/// LevelDB's C API, called as a careful program would: one batch per save with the record, its index entry and a
/// counter.
///
/// As the adapter does, a save looks whether the record exists, since its old index entry has to go.
final class RawLevelDBItemStore: ItemStore {
    private let saving = Mutex<UInt64>(0)
    private let database: RawLevelDB

    init(path: String) throws { database = try RawLevelDB(path: path) }

    func save(_ item: Item) throws { try save([item]) }

    func save(_ items: ArraySlice<Item>) throws {
        try saving.withLock { version in
            version += 1
            let batch: OpaquePointer = leveldb_writebatch_create()
            defer { leveldb_writebatch_destroy(batch) }
            var value: [UInt8] = []
            for item in items {
                let key = RawLevelDBItem.key(item.id)
                let entry = RawLevelDBItem.indexKey(item.status, item.createdAt, id: item.id)
                if let old = try database.item(key, Self.latest.pointer) {
                    let oldEntry = RawLevelDBItem.indexKey(old.status, old.createdAt, id: old.id)
                    if oldEntry != entry {
                        oldEntry.withUnsafeBytes { leveldb_writebatch_delete(batch, $0.chars, $0.count) }
                    }
                }
                RawLevelDBItem.write(item, version: version, to: &value)
                put(key, value, in: batch)
                put(entry, [0], in: batch)
            }
            withUnsafeBytes(of: version) { put(Array("c".utf8), Array($0), in: batch) }
            try database.write(batch)
        }
    }

    @inline(__always)
    private func put(_ key: [UInt8], _ value: [UInt8], in batch: OpaquePointer) {
        key.withUnsafeBytes { key in
            value.withUnsafeBytes { leveldb_writebatch_put(batch, key.chars, key.count, $0.chars, $0.count) }
        }
    }

    func readInSnapshot(_ ids: [String]) throws -> Int {
        try database.reading { options in try sum(ids, options) }
    }

    func readLatest(_ ids: [String]) throws -> Int { try sum(ids, Self.latest.pointer) }

    private func sum(_ ids: [String], _ options: OpaquePointer?) throws -> Int {
        var sum = 0
        for id in ids {
            if let item = try database.item(RawLevelDBItem.key(id), options) { sum &+= item.rating }
        }
        return sum
    }

    func ask(_ queries: [ItemQuery]) throws -> Int {
        var count = 0
        for query in queries {
            // Nothing is created at the same moment, so the first entry after it is one nanosecond later.
            var moment = query.createdAfter
            moment.nanoseconds += 1
            let start = RawLevelDBItem.indexKey(query.status, moment)
            count += try page(query.status, from: start, limit: query.limit).count
        }
        return count
    }

    func scan() throws -> Int {
        var items: [Item] = []
        try database.reading { options in
            try database.scan(from: Array("r".utf8), options) { key, value in
                guard key.first == UInt8(ascii: "r") else { return false }
                items.append(RawLevelDBItem.read(value))
                return true
            }
        }
        return items.count
    }

    func stream(pause: () -> Void) throws -> Int {
        var count = 0
        try database.reading { options in
            try database.scan(from: Array("r".utf8), options) { key, value in
                guard key.first == UInt8(ascii: "r") else { return false }
                consume(RawLevelDBItem.read(value).rating)
                count += 1
                if count % 1_024 == 0 { pause() }
                return true
            }
        }
        return count
    }

    func scanPages(status: String, pageSize: Int) throws -> Int {
        var count = 0
        var items = try page(status, from: RawLevelDBItem.indexPrefix(status), limit: pageSize)
        while let last = items.last {
            count += items.count
            let behind = RawLevelDBItem.indexKey(status, last.createdAt, id: last.id) + [0]
            items = try page(status, from: behind, limit: pageSize)
        }
        return count
    }

    func close() { database.close() }

    /// The items of a status, oldest first, from an index key on.
    private func page(_ status: String, from start: [UInt8], limit: Int) throws -> [Item] {
        let prefix = RawLevelDBItem.indexPrefix(status)
        let skipped = prefix.count + RawLevelDBItem.momentByteCount
        var items: [Item] = []
        try database.reading { options in
            try database.scan(from: start, options) { key, _ in
                guard items.count < limit, key.starts(with: prefix) else { return false }
                if let item = try database.item(Array("r".utf8) + key[skipped...], options) { items.append(item) }
                return true
            }
        }
        return items
    }

    /// Options that read the latest state; never freed.
    ///
    /// Unchecked because it is immutable once it is set up.
    private final class Latest: @unchecked Sendable {
        let pointer: OpaquePointer? = leveldb_readoptions_create()

        init() { leveldb_readoptions_set_verify_checksums(pointer, 1) }
    }

    private static let latest = Latest()
}

extension Contender {
    /// LevelDB's C API in a directory.
    static let rawLevelDB = Contender(adapter: "leveldb", layer: "raw") {
        try RawLevelDBItemStore(path: $0 + "/items.leveldb")
    }
}
