import CLevelDBRaw
import HoldfastStorage
import Synchronization

/// LevelDB's C API, called as a careful program would: one batch per page, an older version than the stored one changes
/// nothing, and a record's old index entry goes.
final class RawLevelDBErrandStore: ErrandStore {
    private let sequence = Mutex<UInt64>(0)
    private let database: RawLevelDB

    init(path: String) throws { database = try RawLevelDB(path: path) }

    func apply(_ page: ErrandPage) throws -> Int {
        try sequence.withLock { sequence in
            sequence += 1
            let batch: OpaquePointer = leveldb_writebatch_create()
            defer { leveldb_writebatch_destroy(batch) }
            var count = 0
            var value: [UInt8] = []
            for row in page.rows {
                guard case .text(let id) = row[0], case .text(let list) = row[7] else { continue }
                let metadataKey = Array("m\(id)".utf8)
                let stored = try database.value(metadataKey) { $0.loadUnaligned(as: Int64.self) }
                if let stored, stored >= page.version { continue }
                let key = Array("r\(id)".utf8)
                if stored != nil, let old = try database.value(key, { Array(RawErrand.list(of: $0)) }) {
                    if !old.elementsEqual(list.utf8) {
                        (Array("s".utf8) + old + id.utf8).withUnsafeBytes {
                            leveldb_writebatch_delete(batch, $0.chars, $0.count)
                        }
                    }
                }
                RawErrand.write(metadata: page.version, sequence, to: &value)
                put(metadataKey, value, in: batch)
                RawErrand.write(row, sequence, to: &value)
                put(key, value, in: batch)
                put(Array("s".utf8) + list.utf8 + id.utf8, [], in: batch)
                count += 1
            }
            withUnsafeBytes(of: sequence) { put(Array("c".utf8), Array($0), in: batch) }
            RawErrand.write(metadata: page.version, sequence, to: &value)
            put(Array("tErrand".utf8), value, in: batch)
            // The engine does not sync the disk for what a service can send again either.
            try database.write(batch, isSynced: false)
            return count
        }
    }

    func close() { database.close() }

    @inline(__always)
    private func put(_ key: [UInt8], _ value: [UInt8], in batch: OpaquePointer) {
        key.withUnsafeBytes { key in
            value.withUnsafeBytes { leveldb_writebatch_put(batch, key.chars, key.count, $0.chars, $0.count) }
        }
    }
}

/// Errands as bytes, in the plainest way: the identifier of the list first, then all cells.
enum RawErrand {
    /// What the service says of a record: version, time, generation; and the number of the commit.
    static func write(metadata version: Int64, _ sequence: UInt64, to bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        for number in [version, 1_767_225_600_000, 1, Int64(bitPattern: sequence)] { append(number, to: &bytes) }
    }

    /// A record.
    static func write(_ row: [Value], _ sequence: UInt64, to bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        append(Int64(bitPattern: sequence), to: &bytes)
        append(row[7], to: &bytes)
        for cell in row { append(cell, to: &bytes) }
    }

    /// The identifier of the list in a record's bytes.
    static func list(of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let count = Int(bytes.loadUnaligned(fromByteOffset: 9, as: UInt32.self))
        return UnsafeRawBufferPointer(rebasing: bytes[13..<13 + count])
    }

    private static func append(_ cell: Value, to bytes: inout [UInt8]) {
        switch cell {
        case .text(var text):
            bytes.append(1)
            text.withUTF8 { utf8 in
                withUnsafeBytes(of: UInt32(utf8.count)) { bytes.append(contentsOf: $0) }
                bytes.append(contentsOf: utf8)
            }
        case .integer(let number):
            bytes.append(2)
            append(number, to: &bytes)
        case .double(let number):
            bytes.append(3)
            append(Int64(bitPattern: number.bitPattern), to: &bytes)
        case .boolean(let isTrue): bytes += [4, isTrue ? 1 : 0]
        case .timestamp(let time):
            bytes.append(5)
            append(time.secondsSinceEpoch, to: &bytes)
            append(Int64(time.nanoseconds), to: &bytes)
            append(Int64(time.tail.fractionDigits), to: &bytes)
        default: bytes.append(0)
        }
    }

    private static func append(_ number: Int64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    }
}
