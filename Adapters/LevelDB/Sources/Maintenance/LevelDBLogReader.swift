#if LevelDB
internal import HoldfastStorage

/// Reads a file of LevelDB's log format.
///
/// It consists of blocks of 32 KiB with records that have a header of 7 bytes: checksum, length, kind. What does not
/// fit into a block continues in the next.
///
/// Where bytes are not a record, the next one is searched for byte by byte, so that one damaged place does not hide
/// another record.
struct LevelDBLogReader {
    enum Piece {
        /// What was written at once, and where it ends in the file.
        case whole(UnsafeRawBufferPointer, end: Int)
        /// Something that is not a record, or is only part of one.
        case damage
    }

    private enum Kind: UInt8 {
        case whole = 1
        case first, middle, last
    }

    private static let blockByteCount = 32 << 10
    private static let headerByteCount = 7

    /// What was read of a record that is not whole yet; `nil` between records.
    private var partial: [UInt8]?
    /// The bytes of the blocks before the current one.
    private var blockStart = 0

    private init() {}

    /// Hands all pieces of a file to a closure, in order.
    ///
    /// - Returns: The bytes of the file.
    @discardableResult
    static func read(_ path: String, _ body: (Piece) -> Void) throws(StorageError) -> Int {
        var reader = LevelDBLogReader()
        try LevelDBSystem.read(path, blockByteCount: blockByteCount) { block in
            reader.read(block, body)
            return true
        }
        if reader.partial != nil { body(.damage) }
        return reader.blockStart
    }

    private mutating func read(_ block: UnsafeRawBufferPointer, _ body: (Piece) -> Void) {
        var offset = 0
        while block.count - offset >= Self.headerByteCount {
            if let (kind, payload) = Self.record(at: offset, in: block) {
                offset += Self.headerByteCount + payload.count
                take(kind, payload, end: blockStart + offset, body)
            } else {
                partial = nil
                body(.damage)
                offset += 1
            }
        }
        // A full block ends with padding where no header fits. In a shorter block, bytes that are left are damage.
        if offset < block.count && block.count < Self.blockByteCount { body(.damage) }
        blockStart += block.count
    }

    private mutating func take(
        _ kind: Kind, _ payload: UnsafeRawBufferPointer, end: Int, _ body: (Piece) -> Void
    ) {
        let isBeginning = kind == .whole || kind == .first
        if isBeginning == (partial != nil) {
            body(.damage)
            partial = nil
        }
        switch kind {
        case .whole: body(.whole(payload, end: end))
        case .first: partial = Array(payload)
        case .middle: partial?.append(contentsOf: payload)
        case .last:
            partial?.append(contentsOf: payload)
            partial.take()?.withUnsafeBytes { body(.whole($0, end: end)) }
        }
    }

    /// The record that begins at an offset, if its checksum is right.
    private static func record(
        at offset: Int, in block: UnsafeRawBufferPointer
    ) -> (Kind, UnsafeRawBufferPointer)? {
        guard let kind = Kind(rawValue: block[offset + 6]) else { return nil }
        let count = Int(block[offset + 4]) | Int(block[offset + 5]) << 8
        guard offset + headerByteCount + count <= block.count else { return nil }
        let stored = UInt32(littleEndian: block.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        let checked = UnsafeRawBufferPointer(rebasing: block[(offset + 6)..<(offset + headerByteCount + count)])
        guard LevelDBChecksum.masked(of: checked) == stored else { return nil }
        return (kind, UnsafeRawBufferPointer(rebasing: checked[1...]))
    }
}
#endif
