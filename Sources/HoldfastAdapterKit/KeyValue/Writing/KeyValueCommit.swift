package import HoldfastStorage

/// Records and index entries on their way into one batch, checked against the store and against each other.
package struct KeyValueCommit {
    private let engine: any KeyValueEngine
    private let maximumKeyByteCount: Int
    package var batch = KeyValueBatch()
    /// Whether what is written is remembered, since later steps look at it.
    private let remembers: Bool
    /// The ranges in the batch of records written, by key; `nil` for deleted ones.
    private var records: [KeyValueKey: Range<Int>?] = [:]
    /// The records that own what unique indexes have, by entry prefix; `nil` if none does any longer.
    private var owners: [KeyValueKey: [UInt8]?] = [:]
    /// Entities of which nothing stored is left, by key prefix.
    private var cleared: Set<[UInt8]> = []
    /// Reused for each record.
    private var scratch = Scratch()

    private struct Scratch {
        var key: [UInt8] = []
        var entry: [UInt8] = []
        var oldEntry: [UInt8] = []
        var oldCells: [Value] = []
    }

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

    /// Reads what indexes have of a record; returns its version, `nil` if there is none.
    private func readIndexed(
        _ key: [UInt8], in table: KeyValueTable, into cells: inout [Value]
    ) throws(StorageError) -> UInt64? {
        try record(key, in: table) { value throws(StorageError) in
            try table.readIndexed(value, of: .array(key), into: &cells)
        }
    }

    // MARK: Writing

    /// Writes a record with its index entries.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.preconditionFailed` or `.uniqueViolation`; nothing was put into
    ///   the batch then.
    mutating func put(
        _ row: UnsafeBufferPointer<Value>, version: UInt64, in table: KeyValueTable, _ mode: WriteOperation.PutMode,
        operation: Int
    ) throws(StorageError) {
        // Taken out for as long as it is changed, since the commit is read meanwhile.
        var scratch = Scratch()
        swap(&scratch, &self.scratch)
        defer { swap(&scratch, &self.scratch) }
        table.setKey(ofRow: row, in: &scratch.key)
        let key = scratch.key
        var oldVersion: UInt64?
        if !table.indexes.isEmpty {
            oldVersion = try readIndexed(key, in: table, into: &scratch.oldCells)
            try check(mode, exists: oldVersion != nil, operation: operation)
        } else if mode != .upsert {
            let exists = try self.version(of: key, in: table) != nil
            try check(mode, exists: exists, operation: operation)
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
            table.setEntryPrefix(ofRow: row, version: version, of: index, in: &scratch.entry)
            if let oldVersion {
                scratch.oldCells.withUnsafeBufferPointer {
                    table.setEntryPrefix(ofRow: $0, version: oldVersion, of: index, in: &scratch.oldEntry)
                }
                if scratch.oldEntry == scratch.entry { continue }
                removeEntry(scratch.oldEntry, of: key, in: index)
            }
            putEntry(&scratch.entry, of: key, in: index)
        }
    }

    private func check(_ mode: WriteOperation.PutMode, exists: Bool, operation: Int) throws(StorageError) {
        if mode == .insert && exists || mode == .update && !exists {
            throw StorageError.failedPut(exists: exists, operation: operation)
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
        var prefix = table.entryPrefix(ofRow: row, version: version, in: index)
        putEntry(&prefix, of: key, in: index)
        return isAdmitted
    }

    /// Makes an entry of a prefix: after it comes the record's key; its value is the length of the prefix.
    private mutating func putEntry(_ entry: inout [UInt8], of key: [UInt8], in index: KeyValueTable.Index) {
        if remembers && index.schema.isUnique { owners[KeyValueKey(entry)] = .some(key) }
        let prefixCount = UInt64(entry.count)
        key.withUnsafeBytes { entry.append(contentsOf: $0[index.prefix.count...]) }
        entry.withUnsafeBytes { entry in
            _ = batch.put(entry) { KeyValueCellCodec.append(unsigned: prefixCount, to: &$0) }
        }
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
            guard try removeEntries(of: key, in: table) else { return false }
        }
        batch.delete(key)
        if remembers { records[KeyValueKey(key)] = .some(nil) }
        return true
    }

    /// Deletes the index entries of a record; says whether there is one.
    private mutating func removeEntries(of key: [UInt8], in table: KeyValueTable) throws(StorageError) -> Bool {
        var cells: [Value] = []
        guard let version = try readIndexed(key, in: table, into: &cells) else { return false }
        for index in table.indexes {
            let prefix = cells.withUnsafeBufferPointer { table.entryPrefix(ofRow: $0, version: version, in: index) }
            removeEntry(prefix, of: key, in: index)
        }
        return true
    }

    /// Deletes everything of an entity; returns the number of records.
    mutating func clear(_ table: KeyValueTable) throws(StorageError) -> Int {
        var count = 0
        for (written, range) in records where written.bytes.starts(with: table.prefix) {
            let key = written.bytes
            guard range != nil, try removeEntries(of: key, in: table) else { continue }
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

/// A key in a dictionary; unlike an array of bytes it is hashed as a whole.
private struct KeyValueKey: Hashable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
