package import HoldfastStorage

/// The key of a record that is read, from which come the texts that its value lacks.
package enum KeyValueRecordKey {
    /// Its components.
    case components([Value])
    /// Its bytes, with the space.
    case bytes(UnsafeRawBufferPointer)
    /// The same in an array.
    case array([UInt8])

    /// The text that is one of its components.
    ///
    /// - Parameters:
    ///   - component: The number of the component.
    ///   - count: The number of all components.
    /// - Returns: The text as a cell.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.corruption` if the component is not a text or the key is damaged.
    func text(at component: Int, of count: Int) throws(StorageError) -> Value {
        switch self {
        case .components(let values):
            guard component < values.count, case .text = values[component] else { throw .damagedRecord() }
            return values[component]
        case .bytes(let bytes): return .text(try Self.text(at: component, of: count, in: bytes))
        case .array(let array):
            return .text(
                try array.withUnsafeBufferPointer { bytes throws(StorageError) in
                    try Self.text(at: component, of: count, in: UnsafeRawBufferPointer(bytes))
                })
        }
    }

    private static func text(
        at component: Int, of count: Int, in bytes: UnsafeRawBufferPointer
    ) throws(StorageError) -> String {
        var start = KeyValueCatalog.prefixByteCount
        for _ in 0..<component { start = try end(ofComponentAt: start, in: bytes) }
        guard start < bytes.count, bytes[start] == KeyCodec.Tag.text else { throw .damagedRecord() }
        // The last one ends with the key, so that its end need not be looked for.
        let end = component == count - 1 ? bytes.count - 2 : try end(ofTextAt: start + 1, in: bytes)
        guard start < end else { throw .damagedRecord() }
        // Nothing is escaped, since texts have no NUL.
        return try KeyValueCellReader.text(
            UnsafeRawBufferPointer(rebasing: bytes[start + 1..<end]).bindMemory(to: UInt8.self))
    }

    /// Where the component after this one begins.
    private static func end(ofComponentAt start: Int, in bytes: UnsafeRawBufferPointer) throws(StorageError) -> Int {
        typealias Tag = KeyCodec.Tag
        guard start < bytes.count else { throw .damagedRecord() }
        let end: Int
        switch bytes[start] {
        case Tag.null, Tag.false, Tag.true: end = start + 1
        case Tag.integer, Tag.double, Tag.time: end = start + 9
        case Tag.date: end = start + 5
        case Tag.timestamp: end = start + 13
        case Tag.text, Tag.bytes: end = try self.end(ofTextAt: start + 1, in: bytes) + 2
        default: throw .damagedRecord()
        }
        guard end <= bytes.count else { throw .damagedRecord() }
        return end
    }

    /// The position of the `00 01` after a text or bytes.
    private static func end(ofTextAt start: Int, in bytes: UnsafeRawBufferPointer) throws(StorageError) -> Int {
        var index = start
        while index + 1 < bytes.count {
            if bytes[index] != 0 {
                index += 1
            } else if bytes[index + 1] == 0x01 {
                return index
            } else {
                index += 2
            }
        }
        throw .damagedRecord()
    }
}
