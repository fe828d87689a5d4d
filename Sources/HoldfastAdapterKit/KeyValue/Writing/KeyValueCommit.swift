package import HoldfastStorage

/// Records and index entries on their way into one batch, checked against the store and against each other.
package struct KeyValueCommit {
    private let engine: any KeyValueEngine
    private let maximumKeyByteCount: Int
    package var batch = KeyValueBatch()
    /// Whether what is written is remembered, since later steps look at it.
    private let remembers: Bool
    /// The places in the batch of records written, by key; `nil` for deleted ones.
    private var records: [KeyValueKey: Range<Int>?] = [:]
    /// The records that own what unique indexes have, by entry prefix; `nil` if none does any longer.
    private var owners: [KeyValueKey: [UInt8]?] = [:]
    /// Entities of which nothing stored is left, by key prefix.
    private var cleared: Set<[UInt8]> = []
    /// Reused for each entry.
    private var entry: [UInt8] = []

    package init(_ engine: any KeyValueEngine, remembers: Bool = true) {
        self.engine = engine
        self.remembers = remembers
        maximumKeyByteCount = engine.maximumKeyByteCount
    }

    // MARK: Looking

    /// The version of a record, `nil` if there is none.
    func version(of key: [UInt8], in table: KeyValueTable) throws(StorageError) -> UInt64? {
        try record(key, in: table) { value throws(StorageError) in try KeyValueTable.version(of: value) }
    }

    private func record<Result>(
        _ key: [UInt8], in table: KeyValueTable,
        _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Result
    ) throws(StorageError) -> Result? {
        if remembers {
            if let written = records[KeyValueKey(key)] {
                guard let written else { return nil }
                return try batch.withBytes(written, body)
            }
            if cleared.contains(table.prefix) { return nil }
        }
        return try engine.value(key, body)
    }

    private func row(_ key: [UInt8], in table: KeyValueTable) throws(StorageError) -> StoredRow? {
        try record(key, in: table) { value throws(StorageError) in
            var cells: [Value] = []
            let version = try table.read(value, into: &cells)
            return StoredRow(cells: cells, version: version)
        }
    }

    // MARK: Writing

    /// Writes a record with its index entries.
    ///
    /// - Throws: ``StorageError`` `.preconditionFailed` or `.uniqueViolation`; nothing was put into the batch then.
    mutating func put(
        _ row: UnsafeBufferPointer<Value>, version: UInt64, in table: KeyValueTable, _ mode: WriteOperation.PutMode,
        operation: Int
    ) throws(StorageError) {
        let key = table.key(ofRow: row)
        var old: StoredRow?
        if !table.indexes.isEmpty {
            old = try self.row(key, in: table)
            try check(mode, exists: old != nil, table, operation: operation)
        } else if mode != .upsert {
            let exists = try self.version(of: key, in: table) != nil
            try check(mode, exists: exists, table, operation: operation)
        }
        for index in table.indexes where try isTaken(row, by: key, index, table) {
            throw StorageError.uniqueViolation(
                index: index.schema.name, of: table.entity.name, operation: operation)
        }
        guard key.count + (table.versionOrder == nil ? 0 : KeyCodec.versionByteCount) <= maximumKeyByteCount else {
            throw StorageError(
                .limitExceeded, "A key of '\(table.entity.name)' is too long for the store; use a shorter one.",
                position: .operation(operation))
        }
        let value = batch.put(key) { table.appendValue(ofRow: row, version: version, to: &$0) }
        guard value.count <= Int(Int32.max) else {
            batch.removeLast()
            throw StorageError(
                .limitExceeded, "A record of '\(table.entity.name)' takes more than 2 GiB; make it smaller.",
                position: .operation(operation))
        }
        if remembers { records[KeyValueKey(key)] = .some(value) }
        for index in table.indexes {
            let prefix = table.entryPrefix(ofRow: row, version: version, in: index)
            if let old {
                let oldPrefix = old.entryPrefix(in: index, of: table)
                if oldPrefix == prefix { continue }
                removeEntry(oldPrefix, of: key, in: index)
            }
            putEntry(prefix, of: key, in: index)
        }
    }

    private func check(
        _ mode: WriteOperation.PutMode, exists: Bool, _ table: KeyValueTable, operation: Int
    ) throws(StorageError) {
        if mode == .insert && exists || mode == .update && !exists {
            throw StorageError(
                .preconditionFailed,
                exists
                    ? "A record of '\(table.entity.name)' to be created exists already."
                    : "A record of '\(table.entity.name)' to be replaced does not exist.",
                position: .operation(operation))
        }
    }

    /// Writes the entry of a record that is stored already.
    ///
    /// - Returns: Whether the index admits it; `false` if it is unique and another record has these cells.
    package mutating func addEntry(
        _ row: UnsafeBufferPointer<Value>, version: UInt64, to index: KeyValueTable.Index, in table: KeyValueTable
    ) throws(StorageError) -> Bool {
        let key = table.key(ofRow: row)
        let isAdmitted = try !isTaken(row, by: key, index, table)
        putEntry(table.entryPrefix(ofRow: row, version: version, in: index), of: key, in: index)
        return isAdmitted
    }

    /// An entry: its prefix, then the record's key; its value is the length of the prefix.
    private mutating func putEntry(_ prefix: [UInt8], of key: [UInt8], in index: KeyValueTable.Index) {
        entry.removeAll(keepingCapacity: true)
        entry.append(contentsOf: prefix)
        key.withUnsafeBytes { entry.append(contentsOf: $0[index.prefix.count...]) }
        entry.withUnsafeBytes { entry in
            _ = batch.put(entry) { KeyValueCellCodec.append(unsigned: UInt64(prefix.count), to: &$0) }
        }
        if remembers && index.schema.isUnique { owners[KeyValueKey(prefix)] = .some(key) }
    }

    private mutating func removeEntry(_ prefix: [UInt8], of key: [UInt8], in index: KeyValueTable.Index) {
        batch.delete(prefix + key[index.prefix.count...])
        guard remembers && index.schema.isUnique else { return }
        let owned = KeyValueKey(prefix)
        if (owners[owned] ?? key) == key { owners[owned] = .some(nil) }
    }

    /// Deletes a record with its index entries; says whether there was one.
    mutating func delete(_ key: [UInt8], in table: KeyValueTable) throws(StorageError) -> Bool {
        if table.indexes.isEmpty {
            guard try version(of: key, in: table) != nil else { return false }
        } else {
            guard let old = try row(key, in: table) else { return false }
            removeEntries(of: old, key, in: table)
        }
        batch.delete(key)
        if remembers { records[KeyValueKey(key)] = .some(nil) }
        return true
    }

    private mutating func removeEntries(of row: StoredRow, _ key: [UInt8], in table: KeyValueTable) {
        for index in table.indexes { removeEntry(row.entryPrefix(in: index, of: table), of: key, in: index) }
    }

    /// Deletes everything of an entity; returns the number of records.
    mutating func clear(_ table: KeyValueTable) throws(StorageError) -> Int {
        var count = 0
        for (written, place) in records where written.bytes.starts(with: table.prefix) {
            let key = written.bytes
            guard place != nil, let row = try row(key, in: table) else { continue }
            removeEntries(of: row, key, in: table)
            batch.delete(key)
            count += 1
        }
        if !cleared.contains(table.prefix) {
            try engine.forEach(table.prefix) { (key, _) in
                batch.delete(key)
                if records[KeyValueKey(Array(key))] == nil { count += 1 }
            }
            for index in table.indexes { try engine.forEach(index.prefix) { (key, _) in batch.delete(key) } }
        }
        for key in records.keys where key.bytes.starts(with: table.prefix) { records[key] = nil }
        for index in table.indexes {
            for prefix in owners.keys where prefix.bytes.starts(with: index.prefix) { owners[prefix] = nil }
        }
        cleared.insert(table.prefix)
        return count
    }

    // MARK: Unique indexes

    /// Whether another record has these cells in a unique index.
    private func isTaken(
        _ row: UnsafeBufferPointer<Value>, by key: [UInt8], _ index: KeyValueTable.Index, _ table: KeyValueTable
    ) throws(StorageError) -> Bool {
        if !index.schema.isUnique || index.positions.contains(where: { row[$0].isNull }) { return false }
        let prefix = table.entryPrefix(ofRow: row, version: 0, in: index)
        if let written = owners[KeyValueKey(prefix)] { return written.map { $0 != key } ?? false }
        if cleared.contains(table.prefix) { return false }
        var isTaken = false
        try engine.scan(ByteRange(prefix: prefix), isReversed: false) { (entry, _) in
            isTaken = !entry.dropFirst(prefix.count).elementsEqual(key[table.prefix.count...])
            return !isTaken
        }
        return isTaken
    }
}

/// A record as it is stored.
private struct StoredRow {
    let cells: [Value]
    let version: UInt64

    func entryPrefix(in index: KeyValueTable.Index, of table: KeyValueTable) -> [UInt8] {
        cells.withUnsafeBufferPointer { table.entryPrefix(ofRow: $0, version: version, in: index) }
    }
}

/// A key in a dictionary; unlike an array of bytes it is hashed as a whole.
private struct KeyValueKey: Hashable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
