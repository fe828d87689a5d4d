package import HoldfastStorage

/// One entity as it is opened, and where and how it is stored.
///
/// An object, since each record that is written takes it along.
package final class KeyValueTable: Sendable {
    package struct Index: Sendable {
        package let schema: IndexSchema
        /// With what every entry begins.
        package let prefix: [UInt8]
        /// The indexed fields, by position in a row.
        let positions: [Int]
    }

    package let entity: EntitySchema
    /// With what the key of every record begins.
    package let prefix: [UInt8]
    /// In the order of the entity's indexes; then the order by version, if the entity has it.
    package let indexes: [Index]
    /// The position of the order by version among ``indexes``.
    let versionOrder: Int?
    /// For each stored cell, its position in a row; `nil` if both have one order.
    private let storedPositions: [Int]?
    /// For each field, whether an index has it.
    private let isIndexed: [Bool]
    /// For each field, which component of the key it is; `nil` for most.
    private let components: [Int?]

    /// - Parameters:
    ///   - entity: The entity as it is opened.
    ///   - stored: The same entity in the catalog.
    ///   - hasIndexes: Whether index entries are kept; those of the order by version always are.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.schemaMismatch` if the catalog lacks a field or an index.
    init(
        _ entity: EntitySchema, stored: KeyValueCatalog.Entity, hasIndexes: Bool
    ) throws(StorageError) {
        self.entity = entity
        prefix = KeyValueCatalog.prefix(of: stored.space)
        let positions = stored.fields.compactMap { entity.position(of: $0.name) }
        guard positions.count == entity.fields.count, positions.count == stored.fields.count else {
            throw StorageError(
                .schemaMismatch, "The stored fields of '\(entity.name)' are not those it is read by.")
        }
        storedPositions = positions.elementsEqual(positions.indices) ? nil : positions
        var indexes: [Index] = []
        for schema in entity.catalogIndexes where hasIndexes || schema.isVersionOrder {
            guard let index = stored.indexes.first(where: { $0.schema.name == schema.name }) else {
                throw StorageError(.schemaMismatch, "Index '\(schema.displayName)' of '\(entity.name)' is not stored.")
            }
            indexes.append(
                Index(
                    schema: schema, prefix: KeyValueCatalog.prefix(of: index.space),
                    positions: schema.fields.compactMap(entity.position(of:))))
        }
        self.indexes = indexes
        versionOrder = indexes.firstIndex(where: \.schema.isVersionOrder)
        components = entity.fields.indices.map { entity.primaryKeyPositions.firstIndex(of: $0) }
        isIndexed = entity.fields.indices.map { position in indexes.contains { $0.positions.contains(position) } }
    }

    /// The index of a name, or `nil` if its entries are not kept.
    func index(named name: String) -> Index? {
        indexes.first { $0.schema.name == name && !$0.schema.isVersionOrder }
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
        var key: [UInt8] = []
        key.reserveCapacity(prefix.count + entity.primaryKeyPositions.count * 40)
        setKey(ofRow: cells, in: &key)
        return key
    }

    /// Replaces some bytes with the key of a row's record, and keeps their memory.
    func setKey(ofRow cells: UnsafeBufferPointer<Value>, in key: inout [UInt8]) {
        key.removeAll(keepingCapacity: true)
        key.append(contentsOf: prefix)
        appendKeyComponents(ofRow: cells, to: &key)
    }

    /// Appends what distinguishes the key of a row's record from others of the entity.
    func appendKeyComponents(ofRow cells: UnsafeBufferPointer<Value>, to key: inout [UInt8]) {
        for position in entity.primaryKeyPositions { KeyCodec.append(cells[position], to: &key) }
    }

    /// The beginning of a row's entry in an index: the space and the indexed cells, or the version.
    func entryPrefix(ofRow cells: UnsafeBufferPointer<Value>, version: UInt64, in index: Index) -> [UInt8] {
        var prefix: [UInt8] = []
        prefix.reserveCapacity(index.prefix.count + index.positions.count * 20 + 48)
        setEntryPrefix(ofRow: cells, version: version, of: index, in: &prefix)
        return prefix
    }

    /// Replaces some bytes with the beginning of a row's entry in an index, and keeps their memory.
    func setEntryPrefix(
        ofRow cells: UnsafeBufferPointer<Value>, version: UInt64, of index: Index, in prefix: inout [UInt8]
    ) {
        prefix.removeAll(keepingCapacity: true)
        prefix.append(contentsOf: index.prefix)
        if index.schema.isVersionOrder { KeyCodec.append(version: version, to: &prefix) }
        for position in index.positions { KeyCodec.append(cells[position], to: &prefix) }
    }

    /// The keys of a space that lie in a range of encoded components.
    static func range(_ range: ByteRange, in prefix: [UInt8]) -> ByteRange {
        ByteRange(
            from: prefix + range.lower, to: range.upper.map { prefix + $0 } ?? KeyCodec.successor(of: prefix))
    }

    /// The spaces of the records and of all index entries.
    package var prefixes: [[UInt8]] { [prefix] + indexes.map(\.prefix) }

    // MARK: Values

    /// Appends a record's value: its version, 8 bytes, and its cells as stored; texts of the key are left to the key.
    func appendValue(ofRow cells: UnsafeBufferPointer<Value>, version: UInt64, to value: inout [UInt8]) {
        KeyValueCellCodec.append(fixed: version, to: &value)
        for index in cells.indices {
            let position = storedPositions?[index] ?? index
            if components[position] == nil {
                KeyValueCellCodec.append(cells[position], to: &value)
            } else {
                KeyValueCellCodec.append(inKey: cells[position], to: &value)
            }
        }
    }

    /// The version of a record.
    static func version(of value: UnsafeRawBufferPointer) throws(StorageError) -> UInt64 {
        var reader = KeyValueCellReader(value)
        return try reader.fixed()
    }

    /// Reads records by key; one that does not exist is an absent row.
    ///
    /// There are no rows after an error.
    func read(
        _ keys: [RecordKey], _ reader: any KeyValueReader, into rows: inout RowBuffer
    ) throws(StorageError) {
        do throws(StorageError) {
            rows.reset(columnCount: entity.fields.count, rowCapacity: keys.count)
            for key in keys {
                let isFound = try reader.get(self.key(key.components)) { value throws(StorageError) in
                    try append(value, of: .components(key.components), to: &rows)
                }
                if !isFound { rows.appendAbsentRow() }
            }
        } catch {
            rows.reset(columnCount: entity.fields.count)
            throw error
        }
    }

    /// Appends a record to rows.
    func append(
        _ value: UnsafeRawBufferPointer, of key: KeyValueRecordKey, to rows: inout RowBuffer
    ) throws(StorageError) {
        if storedPositions != nil {
            var cells: [Value] = []
            let version = try read(value, of: key, into: &cells)
            rows.append(cells, version: version)
            return
        }
        var reader = KeyValueCellReader(value)
        let version = try reader.fixed()
        // A record older than a field has no cell for it.
        for position in 0..<rows.columnCount {
            rows.appendCell(reader.isAtEnd ? .null : try cell(position, &reader, key))
        }
        if !reader.isAtEnd { throw .damagedRecord() }
        rows.finishRow(version: version)
    }

    /// Reads a record's cells in the order of the entity's fields; returns its version.
    package func read(
        _ value: UnsafeRawBufferPointer, of key: KeyValueRecordKey, into cells: inout [Value]
    ) throws(StorageError) -> UInt64 {
        try read(value, of: key, into: &cells, onlyIndexed: false)
    }

    /// Reads the cells that indexes have, and null for the others; returns the record's version.
    func readIndexed(
        _ value: UnsafeRawBufferPointer, of key: KeyValueRecordKey, into cells: inout [Value]
    ) throws(StorageError) -> UInt64 {
        try read(value, of: key, into: &cells, onlyIndexed: true)
    }

    private func read(
        _ value: UnsafeRawBufferPointer, of key: KeyValueRecordKey, into cells: inout [Value], onlyIndexed: Bool
    ) throws(StorageError) -> UInt64 {
        var reader = KeyValueCellReader(value)
        let version = try reader.fixed()
        cells.removeAll(keepingCapacity: true)
        let count = entity.fields.count
        if let storedPositions {
            for _ in 0..<count { cells.append(.null) }
            for position in storedPositions where !reader.isAtEnd {
                cells[position] = try cell(position, &reader, key)
            }
        } else {
            for position in 0..<count {
                if reader.isAtEnd {
                    cells.append(.null)
                } else if onlyIndexed && !isIndexed[position] {
                    try reader.skipValue()
                    cells.append(.null)
                } else {
                    cells.append(try cell(position, &reader, key))
                }
            }
        }
        if !reader.isAtEnd { throw .damagedRecord() }
        return version
    }

    /// The next cell, which is that of a field.
    @inline(__always)
    private func cell(
        _ position: Int, _ reader: inout KeyValueCellReader, _ key: KeyValueRecordKey
    ) throws(StorageError) -> Value {
        guard reader.skipKeyText() else { return try reader.value() }
        guard let component = components[position] else { throw .damagedRecord() }
        return try key.text(at: component, of: entity.primaryKeyPositions.count)
    }
}
