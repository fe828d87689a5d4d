import HoldfastAdapterKit
import HoldfastStorage

/// The records of one entity: where they lie, and how their cells are laid out.
///
/// A record lies under `01`, the table's number in two bytes and its encoded key; its value is its version in 8 bytes and
/// the cells of the stored fields, in which those that were added since it was written are missing.
struct LMDBTable: Sendable {
    let entity: EntitySchema
    /// The stored field of each field, and the field of each stored one.
    private let storedColumns: [Int]
    private let positions: [Int?]
    private let prefix: [UInt8]
    /// Where the sequence of the last commit that deleted records lies.
    let deletionKey: [UInt8]

    /// The layout of an entity whose stored form has at least the same fields.
    init(_ entity: EntitySchema, stored: LMDBCatalog.Entity) {
        self.entity = entity
        storedColumns = entity.fields.map { stored.schema.position(of: $0.name) ?? -1 }
        positions = stored.schema.fields.map { entity.position(of: $0.name) }
        let number = [UInt8(stored.number >> 8), UInt8(stored.number & 0xFF)]
        prefix = [1] + number
        deletionKey = LMDBCatalog.deletionPrefix + number
    }

    /// All records.
    var range: ByteRange { ByteRange(prefix: prefix) }

    /// The records of a range.
    func range(_ range: KeyRange) -> ByteRange {
        let bounds = KeyCodec.bounds(of: range)
        return ByteRange(
            from: prefix + bounds.lower, to: bounds.upper.map { prefix + $0 } ?? KeyCodec.successor(of: prefix))
    }

    /// Where a record lies.
    func key(_ key: RecordKey) -> [UInt8] { prefix + KeyCodec.encode(key.components) }

    /// A record as bytes.
    func encode(_ row: ArraySlice<Value>, version: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        LMDBRowCodec.append(version, to: &bytes)
        for position in positions {
            LMDBRowCodec.append(position.map { row[row.startIndex + $0] } ?? .null, to: &bytes)
        }
        return bytes
    }

    /// The version of a record.
    static func version(_ bytes: UnsafeRawBufferPointer) throws(StorageError) -> UInt64 {
        var reader = LMDBRowReader(bytes)
        return try reader.integer()
    }

    /// Appends a record to rows.
    func append(_ bytes: UnsafeRawBufferPointer, to rows: inout RowBuffer) throws(StorageError) {
        var reader = LMDBRowReader(bytes)
        let version = try reader.integer(UInt64.self)
        var cells: [Value] = []
        cells.reserveCapacity(positions.count)
        while !reader.isAtEnd { cells.append(try reader.value()) }
        for column in storedColumns { rows.appendCell(column < cells.count ? cells[column] : .null) }
        rows.finishRow(version: version)
    }
}
