#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// The server's numbers for the types of parameters and columns.
///
/// *Source:* https://www.postgresql.org/docs/current/catalog-pg-type.html, fixed since they are part of the protocol.
enum PostgreSQLTypeID {
    static let boolean: UInt32 = 16
    static let bytes: UInt32 = 17
    static let integer: UInt32 = 20
    static let text: UInt32 = 25
    static let double: UInt32 = 701
    static let date: UInt32 = 1_082

    /// The array of an element type.
    static func array(of element: UInt32) -> UInt32 {
        switch element {
        case boolean: 1_000
        case bytes: 1_001
        case integer: 1_016
        case double: 1_022
        case date: 1_182
        default: 1_009
        }
    }
}

/// The parameters of a statement in the protocol's binary form.
struct PostgreSQLParameters: Sendable {
    /// One byte first, so that an empty text has an address too.
    private(set) var bytes: [UInt8] = [0]
    /// Where each parameter begins, and its length or −1 for null.
    private(set) var locations: [(offset: Int, length: Int32)] = []
    private(set) var types: [UInt32] = []

    var count: Int { types.count }

    /// Appends a parameter.
    mutating func append(_ type: UInt32, _ write: (inout [UInt8]) -> Void) {
        let offset = bytes.count
        write(&bytes)
        locations.append((offset, Int32(bytes.count - offset)))
        types.append(type)
    }

    mutating func append(_ integer: Int64) {
        append(PostgreSQLTypeID.integer) { $0.appendBigEndian(integer) }
    }

    mutating func append(_ text: String) {
        append(PostgreSQLTypeID.text) { $0.append(contentsOf: text.utf8) }
    }

    mutating func append(nullOf type: UInt32) {
        locations.append((0, -1))
        types.append(type)
    }

    /// Appends a cell as the main column of its type holds it.
    mutating func append(_ value: Value, as type: StorageType) {
        if value.isNull { return append(nullOf: type.postgreSQLTypeID) }
        append(type.postgreSQLTypeID) { $0.append(value, as: type) }
    }

    /// Appends how the dates and times in a cell were written.
    mutating func appendTail(of value: Value) {
        guard let tail = value.tailText else { return append(nullOf: PostgreSQLTypeID.text) }
        append(tail)
    }

    /// Appends an array of scalars.
    mutating func append(_ values: some Collection<Value>, asArrayOf type: StorageType) {
        let element = type.postgreSQLTypeID
        append(PostgreSQLTypeID.array(of: element)) { bytes in
            bytes.appendArray(element, values.count, values) { bytes, value in
                if value.isNull { return false }
                bytes.append(value, as: type)
                return true
            }
        }
    }

    /// Appends an array of texts.
    mutating func append(_ texts: some Collection<String?>) {
        let element = PostgreSQLTypeID.text
        append(PostgreSQLTypeID.array(of: element)) { bytes in
            bytes.appendArray(element, texts.count, texts) { bytes, text in
                guard let text else { return false }
                bytes.append(contentsOf: text.utf8)
                return true
            }
        }
    }

    /// Appends one column of a range of rows as an array.
    mutating func append(
        column: Int, of rows: RowBuffer, _ range: Range<Int>, asArrayOf type: StorageType
    ) {
        append(range.lazy.map { rows[$0, column] }, asArrayOf: type)
    }
}

extension [UInt8] {
    mutating func appendBigEndian(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// Appends an array of one dimension.
    ///
    /// - Parameters:
    ///   - type: The server's number of the elements' type.
    ///   - count: How many elements there are.
    ///   - elements: The elements, in order.
    ///   - write: Appends an element, or returns `false` for null.
    mutating func appendArray<Item>(
        _ type: UInt32, _ count: Int, _ elements: some Sequence<Item>,
        _ write: (inout [UInt8], Item) -> Bool
    ) {
        appendBigEndian(Int32(count == 0 ? 0 : 1))
        let flag = self.count
        appendBigEndian(Int32(0))
        appendBigEndian(type)
        if count == 0 { return }
        appendBigEndian(Int32(count))
        appendBigEndian(Int32(1))
        for element in elements {
            let offset = self.count
            appendBigEndian(Int32(-1))
            if write(&self, element) {
                setBigEndian(Int32(self.count - offset - 4), at: offset)
            } else {
                setBigEndian(Int32(1), at: flag)
            }
        }
    }

    mutating func setBigEndian(_ number: Int32, at offset: Int) {
        Swift.withUnsafeBytes(of: number.bigEndian) { source in
            for index in 0..<4 { self[offset + index] = source[index] }
        }
    }
}
#endif
