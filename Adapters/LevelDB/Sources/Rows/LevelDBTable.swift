#if LevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// One entity as it is opened, and where and how it is stored.
struct LevelDBTable: Sendable {
    struct Index: Sendable {
        let schema: IndexSchema
        /// With what every entry begins.
        let prefix: [UInt8]
        /// The indexed fields, by position in a row.
        let positions: [Int]
    }

    let entity: EntitySchema
    /// With what the key of every record begins.
    let prefix: [UInt8]
    /// In the order of the entity's indexes.
    let indexes: [Index]
    /// For each stored cell, its position in a row; `nil` if both have one order.
    private let storedPositions: [Int]?

    /// - Throws: ``StorageError`` `.schemaMismatch` if the catalog lacks a field or an index.
    init(_ entity: EntitySchema, stored: LevelDBCatalog.Entity) throws(StorageError) {
        self.entity = entity
        prefix = LevelDBCatalog.prefix(of: stored.space)
        let positions = stored.fields.compactMap { entity.position(of: $0.name) }
        guard positions.count == entity.fields.count, positions.count == stored.fields.count else {
            throw StorageError(
                .schemaMismatch, "The stored fields of '\(entity.name)' are not those it is read by.")
        }
        storedPositions = positions.elementsEqual(positions.indices) ? nil : positions
        var indexes: [Index] = []
        for schema in entity.indexes {
            guard let index = stored.indexes.first(where: { $0.schema.name == schema.name }) else {
                throw StorageError(.schemaMismatch, "Index '\(schema.name)' of '\(entity.name)' is not stored.")
            }
            indexes.append(
                Index(
                    schema: schema, prefix: LevelDBCatalog.prefix(of: index.space),
                    positions: schema.fields.compactMap(entity.position(of:))))
        }
        self.indexes = indexes
    }

    // MARK: Keys

    /// The key of a record.
    func key(_ components: [Value]) -> [UInt8] {
        var key = prefix
        key.reserveCapacity(prefix.count + components.count * 40)
        for component in components { KeyCodec.append(component, to: &key) }
        return key
    }

    /// The key of a row's record.
    func key(ofRow cells: UnsafeBufferPointer<Value>) -> [UInt8] {
        var key = prefix
        key.reserveCapacity(prefix.count + entity.primaryKeyPositions.count * 40)
        for position in entity.primaryKeyPositions { KeyCodec.append(cells[position], to: &key) }
        return key
    }

    /// The beginning of a row's entry in an index: the space and the indexed cells.
    func entryPrefix(ofRow cells: UnsafeBufferPointer<Value>, in index: Index) -> [UInt8] {
        var key = index.prefix
        key.reserveCapacity(index.prefix.count + index.positions.count * 20 + 48)
        for position in index.positions { KeyCodec.append(cells[position], to: &key) }
        return key
    }

    /// The keys of a space that lie in a range of encoded components.
    static func range(_ range: ByteRange, in prefix: [UInt8]) -> (lower: [UInt8], upper: [UInt8]) {
        let end = KeyCodec.successor(of: prefix) ?? prefix
        return (prefix + range.lower, range.upper.map { prefix + $0 } ?? end)
    }

    // MARK: Values

    /// Appends a record's value: its version, 8 bytes, and its cells as stored.
    func appendValue(ofRow cells: UnsafeBufferPointer<Value>, version: UInt64, to value: inout [UInt8]) {
        LevelDBCellCodec.append(fixed: version, to: &value)
        if let storedPositions {
            for position in storedPositions { LevelDBCellCodec.append(cells[position], to: &value) }
        } else {
            for cell in cells { LevelDBCellCodec.append(cell, to: &value) }
        }
    }

    /// The version of a record.
    static func version(of value: UnsafeRawBufferPointer) throws(StorageError) -> UInt64 {
        var reader = LevelDBCellReader(value)
        return try reader.fixed()
    }

    /// Appends a record to rows.
    func append(_ value: UnsafeRawBufferPointer, to rows: inout RowBuffer) throws(StorageError) {
        if storedPositions != nil {
            var cells: [Value] = []
            let version = try read(value, into: &cells)
            rows.append(cells, version: version)
            return
        }
        var reader = LevelDBCellReader(value)
        let version = try reader.fixed()
        // A record older than a field has no cell for it.
        for _ in 0..<rows.columnCount { rows.appendCell(reader.isAtEnd ? .null : try reader.value()) }
        if !reader.isAtEnd { throw .damagedRecord() }
        rows.finishRow(version: version)
    }

    /// Reads a record's cells in the order of the entity's fields; returns its version.
    func read(_ value: UnsafeRawBufferPointer, into cells: inout [Value]) throws(StorageError) -> UInt64 {
        var reader = LevelDBCellReader(value)
        let version = try reader.fixed()
        cells.removeAll(keepingCapacity: true)
        let count = entity.fields.count
        if let storedPositions {
            for _ in 0..<count { cells.append(.null) }
            for position in storedPositions where !reader.isAtEnd { cells[position] = try reader.value() }
        } else {
            for _ in 0..<count { cells.append(reader.isAtEnd ? .null : try reader.value()) }
        }
        if !reader.isAtEnd { throw .damagedRecord() }
        return version
    }
}
#endif
