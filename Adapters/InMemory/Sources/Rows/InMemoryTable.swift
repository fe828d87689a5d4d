import HoldfastAdapterKit
import HoldfastStorage

/// A stored record.
struct InMemoryRecord: Sendable {
    /// All cells in schema order.
    let cells: [Value]
    /// The sequence of the commit that wrote it.
    let version: UInt64
}

/// One entity's schema with what commits look up in it again and again.
struct InMemoryLayout: Sendable {
    struct Index: Sendable {
        let name: String
        /// The indexed fields, by position in a row.
        let positions: [Int]
        let isUnique: Bool
        /// Whether it is the order by version, which no field is part of.
        var isVersionOrder = false
    }

    let entity: EntitySchema
    /// Those of the schema, then the order by version if the entity has it.
    let indexes: [Index]
    let hasUniqueIndex: Bool

    init(_ entity: EntitySchema) {
        self.entity = entity
        var indexes = entity.indexes.map { index in
            Index(
                name: index.name, positions: index.fields.compactMap(entity.position(of:)),
                isUnique: index.isUnique)
        }
        if entity.isOrderedByVersion {
            indexes.append(Index(name: "by version", positions: [], isUnique: false, isVersionOrder: true))
        }
        self.indexes = indexes
        hasUniqueIndex = indexes.contains(where: \.isUnique)
    }

    /// The encoded primary key of a row.
    func key(of cells: [Value]) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(24)
        for position in entity.primaryKeyPositions { KeyCodec.append(cells[position], to: &key) }
        return key
    }

    /// The encoded indexed cells of a record, or its version, with which its entry in the index begins.
    func prefix(of record: InMemoryRecord, in index: Index) -> [UInt8] {
        var prefix: [UInt8] = []
        prefix.reserveCapacity(48)
        if index.isVersionOrder { KeyCodec.append(version: record.version, to: &prefix) }
        for position in index.positions { KeyCodec.append(record.cells[position], to: &prefix) }
        return prefix
    }
}

/// The records of one entity with their index entries; a value that costs O(1) to copy.
struct InMemoryTable: Sendable {
    let layout: InMemoryLayout
    private(set) var records = OrderedTree<InMemoryRecord>()
    /// The entries of each index, under the indexed cells and then the primary key.
    ///
    /// Each holds its record, so that a scan over an index looks nothing up.
    private(set) var indexes: [OrderedTree<InMemoryRecord>]
    /// The sequence of the last commit that wrote or deleted anything here.
    private(set) var lastChange: UInt64 = 0
    /// When the keys that have no record now were last deleted, except for deletions up to `deletionFloor`.
    private var deletions = OrderedTree<UInt64>()
    /// Everything may have been deleted until here: older deletions are forgotten, so that they take no memory.
    private var deletionFloor: UInt64 = 0

    init(_ layout: InMemoryLayout) {
        self.layout = layout
        indexes = layout.indexes.map { _ in OrderedTree() }
    }

    /// Whether every put of a mode succeeds.
    func admitsEvery(_ mode: WriteOperation.PutMode) -> Bool { mode == .upsert && !layout.hasUniqueIndex }

    /// Writes a record; on an error nothing has changed.
    mutating func put(
        _ record: InMemoryRecord, _ mode: WriteOperation.PutMode, operation: Int
    ) throws(StorageError) {
        let key = TreeKey(layout.key(of: record.cells))
        if !admitsEvery(mode) { try check(record, key, mode, operation: operation) }
        let old = records.updateElement(record, for: key)
        lastChange = record.version
        if old == nil && !deletions.isEmpty { deletions.removeElement(for: key) }
        for (number, index) in layout.indexes.enumerated() {
            let prefix = layout.prefix(of: record, in: index)
            if let old {
                let oldPrefix = layout.prefix(of: old, in: index)
                if oldPrefix != prefix { indexes[number].removeElement(for: TreeKey(oldPrefix + key.bytes)) }
            }
            indexes[number].updateElement(record, for: TreeKey(prefix + key.bytes))
        }
    }

    private func check(
        _ record: InMemoryRecord, _ key: TreeKey, _ mode: WriteOperation.PutMode, operation: Int
    ) throws(StorageError) {
        let old = records[key]
        if mode == .insert && old != nil || mode == .update && old == nil {
            throw StorageError.failedPut(exists: old != nil, operation: operation)
        }
        for (number, index) in layout.indexes.enumerated() where index.isUnique {
            if index.positions.contains(where: { record.cells[$0].isNull }) { continue }
            let prefix = layout.prefix(of: record, in: index)
            if let old, layout.prefix(of: old, in: index) == prefix { continue }
            var others = indexes[number].makeIterator(ByteRange(prefix: prefix))
            if others.next() != nil {
                throw StorageError.uniqueViolation(index: index.name, of: layout.entity.name, operation: operation)
            }
        }
    }

    /// Deletes a record; says whether there was one.
    mutating func delete(_ key: TreeKey, sequence: UInt64) -> Bool {
        guard let old = records[key] else { return false }
        records.removeElement(for: key)
        for (number, index) in layout.indexes.enumerated() {
            indexes[number].removeElement(for: TreeKey(layout.prefix(of: old, in: index) + key.bytes))
        }
        lastChange = sequence
        deletions.updateElement(sequence, for: key)
        if deletions.count > max(1_024, records.count) {
            deletions = OrderedTree()
            deletionFloor = sequence
        }
        return true
    }

    /// Deletes everything; returns the number of records.
    mutating func clear(sequence: UInt64) -> Int {
        let count = records.count
        guard count > 0 else { return 0 }
        let layout = layout
        self = InMemoryTable(layout)
        lastChange = sequence
        deletionFloor = sequence
        return count
    }

    /// Whether nothing of a range was written or deleted after a commit; sometimes `false` although nothing was, if
    /// deletions are forgotten.
    func isUnchanged(_ range: ByteRange, since sequence: UInt64) -> Bool {
        if lastChange <= sequence { return true }
        if deletionFloor > sequence { return false }
        var deleted = deletions.makeIterator(range)
        while let deletion = deleted.next() { if deletion > sequence { return false } }
        var written = records.makeIterator(range)
        guard let versions = layout.indexes.firstIndex(where: \.isVersionOrder) else {
            while let record = written.next() { if record.version > sequence { return false } }
            return true
        }
        // Whichever ends first: all records of the range, or all newer ones.
        var bound: [UInt8] = []
        KeyCodec.append(version: sequence, to: &bound)
        var newer = indexes[versions].makeIterator(ByteRange(from: KeyCodec.successor(of: bound) ?? [0xFF], to: nil))
        while let record = newer.next() {
            if range.contains(layout.key(of: record.cells)) { return false }
            guard let other = written.next() else { return true }
            if other.version > sequence { return false }
        }
        return true
    }

    /// Whether the records that have some values in an index are those that had them at a commit, and none was written.
    func isUnchanged(under prefix: IndexPrefix, since sequence: UInt64) -> Bool {
        if lastChange <= sequence { return true }
        guard let number = layout.indexes.firstIndex(where: { $0.name == prefix.index && !$0.isVersionOrder }) else {
            return false
        }
        var count = 0
        var held = indexes[number].makeIterator(ByteRange(prefix: KeyCodec.encode(prefix.values)))
        while let record = held.next() {
            if record.version > sequence { return false }
            count += 1
        }
        return count == prefix.keys.count
    }
}
