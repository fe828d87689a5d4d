public import HoldfastStorage

/// A digest of all records of one entity: two stores with the same digest hold the same records.
///
/// Records count in the order of their keys, fields in that of their names, values with all that was written of them.
/// The versions of records do not count: they number the commits of one store.
public struct EntityDigest: Sendable, Hashable {
    /// The number of records.
    public private(set) var recordCount = 0
    /// Bytes of the records' canonical encoding.
    public private(set) var byteCount = 0
    private var state = FNVHash()
    private let positions: [Int]

    /// 32 hexadecimal digits; the same for every adapter, platform and version of Holdfast.
    public var hash: String { state.digits }

    /// The digest of no records.
    public init(_ entity: EntitySchema) {
        positions = entity.fields.indices.sorted { entity.fields[$0].name < entity.fields[$1].name }
    }

    /// Adds records; all of an entity must come in the order of their keys.
    ///
    /// - Parameter rows: All cells in the order of the entity's fields, in canonical form.
    /// - Complexity: O(bytes).
    public mutating func add(_ rows: RowBuffer) {
        for row in 0..<rows.rowCount {
            for position in positions { add(rows[row, position]) }
        }
        recordCount += rows.rowCount
    }

    // MARK: The encoding: a tag for the kind, then numbers of fixed width, and bytes after their count.

    private mutating func add(_ value: Value) {
        switch value {
        case .null: add(byte: 0)
        case .boolean(let truth): add(tag: 1, truth ? 1 : 0)
        case .integer(let integer): add(tag: 2, integer)
        case .double(let double): add(tag: 3, Int64(bitPattern: double.bitPattern))
        case .text(let text): add(tag: 4, text.utf8)
        case .bytes(let bytes): add(tag: 5, bytes)
        case .date(let date):
            add(tag: 6, Int64(date.daysSinceEpoch))
            add(date.tail)
        case .time(let time):
            add(tag: 7, time.nanosecondsSinceMidnight)
            add(time.tail)
        case .timestamp(let instant):
            add(tag: 8, instant.secondsSinceEpoch)
            add(Int64(instant.nanoseconds))
            add(instant.tail)
        case .list(let values):
            add(tag: 9, Int64(values.count))
            for value in values { add(value) }
        }
    }

    private mutating func add(_ tail: WrittenForm) {
        add(byte: UInt8(tail.fractionDigits))
        // No offset is as long.
        add(tail.offset.map { Int64($0) } ?? .min)
    }

    private mutating func add(tag: UInt8, _ number: Int64) {
        add(byte: tag)
        add(number)
    }

    private mutating func add(tag: UInt8, _ bytes: some Collection<UInt8>) {
        add(tag: tag, Int64(bytes.count))
        for byte in bytes { add(byte: byte) }
    }

    private mutating func add(_ number: Int64) {
        var rest = UInt64(bitPattern: number)
        for _ in 0..<8 {
            add(byte: UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    private mutating func add(byte: UInt8) {
        state.add(byte)
        byteCount += 1
    }
}
