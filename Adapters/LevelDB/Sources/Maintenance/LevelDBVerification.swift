#if LevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Reads a whole store and looks for disagreements.
struct LevelDBVerification {
    private let handle: LevelDBConnection
    private let options: LevelDBReadOptions
    private let tables: [LevelDBTable]
    private var defects: [String] = []
    private static let maximumDefectCount = 100

    init(_ handle: LevelDBConnection, _ options: LevelDBReadOptions, _ tables: [String: LevelDBTable]) {
        self.handle = handle
        self.options = options
        self.tables = tables.values.sorted { $0.prefix.lexicographicallyPrecedes($1.prefix) }
    }

    /// One sentence per defect.
    mutating func run() throws(StorageError) -> [String] {
        do throws(StorageError) {
            let sequence = try LevelDBOpening.sequence(of: handle, options)
            for table in tables where defects.count < Self.maximumDefectCount {
                let count = try checkRecords(of: table, sequence)
                for index in table.indexes { try checkEntries(of: index, in: table, recordCount: count) }
            }
            try checkSpaces()
        } catch  where error.kind == .corruption {
            report("The database cannot be read: \(error.nativeCode ?? error.message).")
        }
        return defects
    }

    private mutating func report(_ defect: String) {
        if defects.count < Self.maximumDefectCount { defects.append(defect) }
    }

    /// Checks each record and that its entries are there; returns the number of records.
    private mutating func checkRecords(of table: LevelDBTable, _ sequence: UInt64) throws(StorageError) -> Int {
        let name = table.entity.name
        var count = 0
        var cells: [Value] = []
        let place = handle.iterator(options)
        place.seek(table.prefix)
        while place.isValid && place.key.starts(with: table.prefix) {
            count += 1
            let key = Array(place.key)
            do throws(StorageError) {
                let version = try table.read(place.value, into: &cells)
                if version == 0 || version > sequence {
                    report("A record of '\(name)' has a version that no commit had.")
                }
                if cells.withUnsafeBufferPointer(table.key(ofRow:)) != key {
                    report("A record of '\(name)' is stored under another key than its own.")
                }
                try checkEntries(ofRecord: cells, key, in: table)
            } catch  where error.kind == .corruption {
                report("A record of '\(name)' cannot be read.")
            }
            place.next()
        }
        try place.check()
        return count
    }

    private mutating func checkEntries(
        ofRecord cells: [Value], _ key: [UInt8], in table: LevelDBTable
    ) throws(StorageError) {
        for index in table.indexes {
            let prefix = cells.withUnsafeBufferPointer { table.entryPrefix(ofRow: $0, in: index) }
            let entry: Void? = try handle.get(prefix + key[table.prefix.count...], options) { _ in }
            if entry == nil {
                report("A record of '\(table.entity.name)' is missing from index '\(index.schema.name)'.")
            }
        }
    }

    /// Checks that an index has no other entries than those of the records.
    private mutating func checkEntries(
        of index: LevelDBTable.Index, in table: LevelDBTable, recordCount: Int
    ) throws(StorageError) {
        var count = 0
        let place = handle.iterator(options)
        place.seek(index.prefix)
        while place.isValid && place.key.starts(with: index.prefix) {
            count += 1
            place.next()
        }
        try place.check()
        if count != recordCount {
            report(
                "Index '\(index.schema.name)' of '\(table.entity.name)' has \(count) entries for \(recordCount) "
                    + "records.")
        }
    }

    /// Checks that there are no keys but the store's own and the tables'.
    private mutating func checkSpaces() throws(StorageError) {
        let own = LevelDBCatalog.prefix(of: 0)
        let known = ([own] + tables.flatMap { [$0.prefix] + $0.indexes.map(\.prefix) })
            .sorted { $0.lexicographicallyPrecedes($1) }
        let place = handle.iterator(options)
        place.seekToFirst()
        for prefix in known {
            if place.isValid && place.key.precedes(prefix) { report("There are keys that belong to no entity.") }
            place.seek(KeyCodec.successor(of: prefix) ?? prefix)
        }
        if place.isValid { report("There are keys that belong to no entity.") }
        try place.check()
    }
}
#endif
