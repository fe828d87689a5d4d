#if LevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Records and index entries on their way into one batch, checked against the store and against each other.
struct LevelDBCommit {
    let handle: LevelDBConnection
    let batch = LevelDBBatch()
    /// Whether what is written is remembered, since later steps look at it.
    let remembers: Bool
    /// The places in `values` of records written, by key; `nil` for deleted ones.
    private var records: [LevelDBKey: Range<Int>?] = [:]
    /// The values written, one behind the other; only the last if nothing is remembered.
    private var values: [UInt8] = []
    /// The records that own what unique indexes have, by entry prefix; `nil` if nobody does any more.
    private var owners: [LevelDBKey: [UInt8]?] = [:]
    /// Entities of which nothing stored is left, by key prefix.
    private var cleared: Set<[UInt8]> = []
    /// Reused for each entry.
    private var entry: [UInt8] = []

    init(_ handle: LevelDBConnection, remembers: Bool = true) {
        self.handle = handle
        self.remembers = remembers
    }

    // MARK: Looking

    /// The version of a record, `nil` if there is none.
    func version(of key: [UInt8], in table: LevelDBTable) throws(StorageError) -> UInt64? {
        try record(key, in: table) { value throws(StorageError) in try LevelDBTable.version(of: value) }
    }

    private func record<Result>(
        _ key: [UInt8], in table: LevelDBTable,
        _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Result
    ) throws(StorageError) -> Result? {
        if remembers {
            if let written = records[LevelDBKey(key)] {
                guard let written else { return nil }
                let outcome = values.withUnsafeBytes { values -> Swift.Result<Result, StorageError> in
                    do throws(StorageError) {
                        return .success(try body(UnsafeRawBufferPointer(rebasing: values[written])))
                    } catch {
                        return .failure(error)
                    }
                }
                return try outcome.get()
            }
            if cleared.contains(table.prefix) { return nil }
        }
        return try handle.get(key, .latest, body)
    }

    private func cells(_ key: [UInt8], in table: LevelDBTable) throws(StorageError) -> [Value]? {
        try record(key, in: table) { value throws(StorageError) in
            var cells: [Value] = []
            _ = try table.read(value, into: &cells)
            return cells
        }
    }

    // MARK: Writing

    /// Writes a record with its index entries.
    ///
    /// - Throws: ``StorageError`` `.preconditionFailed` or `.uniqueViolation`; nothing was put into the batch then.
    mutating func put(
        _ row: UnsafeBufferPointer<Value>, version: UInt64, in table: LevelDBTable, _ mode: WriteOperation.PutMode,
        operation: Int
    ) throws(StorageError) {
        let key = table.key(ofRow: row)
        var old: [Value]?
        if !table.indexes.isEmpty {
            old = try cells(key, in: table)
            try check(mode, exists: old != nil, table, operation: operation)
        } else if mode != .upsert {
            let exists = try self.version(of: key, in: table) != nil
            try check(mode, exists: exists, table, operation: operation)
        }
        for index in table.indexes where try isTaken(row, by: key, index, table) {
            throw StorageError.uniqueViolation(
                index: index.schema.name, of: table.entity.name, operation: operation)
        }
        if !remembers { values.removeAll(keepingCapacity: true) }
        let start = values.count
        table.appendValue(ofRow: row, version: version, to: &values)
        guard values.count - start <= Int(Int32.max) else {
            throw StorageError(
                .limitExceeded, "A record of '\(table.entity.name)' takes more than 2 GiB; make it smaller.",
                position: .operation(operation))
        }
        values.withUnsafeBytes { values in
            key.withUnsafeBytes { batch.put($0, UnsafeRawBufferPointer(rebasing: values[start...])) }
        }
        if remembers { records[LevelDBKey(key)] = .some(start..<values.count) }
        for index in table.indexes {
            let prefix = table.entryPrefix(ofRow: row, in: index)
            if let old {
                let oldPrefix = old.withUnsafeBufferPointer { table.entryPrefix(ofRow: $0, in: index) }
                if oldPrefix == prefix { continue }
                removeEntry(oldPrefix, of: key, in: index)
            }
            putEntry(prefix, of: key, in: index)
        }
    }

    private func check(
        _ mode: WriteOperation.PutMode, exists: Bool, _ table: LevelDBTable, operation: Int
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
    mutating func addEntry(
        _ row: UnsafeBufferPointer<Value>, to index: LevelDBTable.Index, in table: LevelDBTable
    ) throws(StorageError) -> Bool {
        let key = table.key(ofRow: row)
        let isAdmitted = try !isTaken(row, by: key, index, table)
        putEntry(table.entryPrefix(ofRow: row, in: index), of: key, in: index)
        return isAdmitted
    }

    /// An entry: its prefix, then the record's key; its value is the length of the prefix.
    private mutating func putEntry(_ prefix: [UInt8], of key: [UInt8], in index: LevelDBTable.Index) {
        // The key of the entry, and behind it its value.
        entry.removeAll(keepingCapacity: true)
        entry.append(contentsOf: prefix)
        key.withUnsafeBytes { entry.append(contentsOf: $0[index.prefix.count...]) }
        let keyCount = entry.count
        LevelDBCellCodec.append(unsigned: UInt64(prefix.count), to: &entry)
        entry.withUnsafeBytes { entry in
            batch.put(
                UnsafeRawBufferPointer(rebasing: entry[..<keyCount]),
                UnsafeRawBufferPointer(rebasing: entry[keyCount...]))
        }
        if remembers && index.schema.isUnique { owners[LevelDBKey(prefix)] = .some(key) }
    }

    private mutating func removeEntry(_ prefix: [UInt8], of key: [UInt8], in index: LevelDBTable.Index) {
        batch.delete(prefix + key[index.prefix.count...])
        guard remembers && index.schema.isUnique else { return }
        let owned = LevelDBKey(prefix)
        if (owners[owned] ?? key) == key { owners[owned] = .some(nil) }
    }

    /// Deletes a record with its index entries; says whether there was one.
    mutating func delete(_ key: [UInt8], in table: LevelDBTable) throws(StorageError) -> Bool {
        if table.indexes.isEmpty {
            guard try version(of: key, in: table) != nil else { return false }
        } else {
            guard let old = try cells(key, in: table) else { return false }
            removeEntries(of: old, key, in: table)
        }
        batch.delete(key)
        if remembers { records[LevelDBKey(key)] = .some(nil) }
        return true
    }

    private mutating func removeEntries(of row: [Value], _ key: [UInt8], in table: LevelDBTable) {
        for index in table.indexes {
            let prefix = row.withUnsafeBufferPointer { table.entryPrefix(ofRow: $0, in: index) }
            removeEntry(prefix, of: key, in: index)
        }
    }

    /// Deletes everything of an entity; returns the number of records.
    mutating func clear(_ table: LevelDBTable) throws(StorageError) -> Int {
        var count = 0
        for (written, place) in records where written.bytes.starts(with: table.prefix) {
            let key = written.bytes
            guard place != nil, let row = try cells(key, in: table) else { continue }
            removeEntries(of: row, key, in: table)
            batch.delete(key)
            count += 1
        }
        if !cleared.contains(table.prefix) {
            try forEachKey(of: table.prefix) { key in
                batch.delete(key)
                if records[LevelDBKey(Array(key))] == nil { count += 1 }
            }
            for index in table.indexes { try forEachKey(of: index.prefix) { batch.delete($0) } }
        }
        for key in records.keys where key.bytes.starts(with: table.prefix) { records[key] = nil }
        for index in table.indexes {
            for prefix in owners.keys where prefix.bytes.starts(with: index.prefix) { owners[prefix] = nil }
        }
        cleared.insert(table.prefix)
        return count
    }

    private func forEachKey(
        of prefix: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(StorageError) {
        let place = handle.iterator(LevelDBReadOptions(fillsCache: false))
        place.seek(prefix)
        while place.isValid && place.key.starts(with: prefix) {
            body(place.key)
            place.next()
        }
        try place.check()
    }

    // MARK: Unique indexes

    /// Whether another record has these cells in a unique index.
    private func isTaken(
        _ row: UnsafeBufferPointer<Value>, by key: [UInt8], _ index: LevelDBTable.Index, _ table: LevelDBTable
    ) throws(StorageError) -> Bool {
        if !index.schema.isUnique || index.positions.contains(where: { row[$0].isNull }) { return false }
        let prefix = table.entryPrefix(ofRow: row, in: index)
        if let written = owners[LevelDBKey(prefix)] { return written.map { $0 != key } ?? false }
        if cleared.contains(table.prefix) { return false }
        let place = handle.iterator(.latest)
        place.seek(prefix)
        while place.isValid && place.key.starts(with: prefix) {
            if !place.key.dropFirst(prefix.count).elementsEqual(key[table.prefix.count...]) { return true }
            place.next()
        }
        try place.check()
        return false
    }
}

/// A key in a dictionary; unlike an array of bytes it is hashed as a whole.
private struct LevelDBKey: Hashable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
#endif
