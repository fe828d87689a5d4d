internal import HoldfastStorage

/// Reads a whole store and looks for disagreements.
struct KeyValueVerification {
    private let reader: any KeyValueReader
    private let tables: [KeyValueTable]
    private var defects: [String] = []
    private static let maximumDefectCount = 100

    init(_ reader: any KeyValueReader, _ tables: [String: KeyValueTable]) {
        self.reader = reader
        self.tables = tables.values.sorted { $0.prefix.lexicographicallyPrecedes($1.prefix) }
    }

    /// One sentence per defect.
    mutating func run() throws(StorageError) -> [String] {
        do throws(StorageError) {
            let sequence = try KeyValueCatalog.sequence(reader)
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
    private mutating func checkRecords(of table: KeyValueTable, _ sequence: UInt64) throws(StorageError) -> Int {
        let name = table.entity.name
        var count = 0
        var cells: [Value] = []
        try reader.forEach(table.prefix) { (storedKey, value) throws(StorageError) in
            count += 1
            let key = Array(storedKey)
            do throws(StorageError) {
                let version = try table.read(value, of: .bytes(storedKey), into: &cells)
                if version == 0 || version > sequence {
                    report("A record of '\(name)' has a version that no commit had.")
                }
                if cells.withUnsafeBufferPointer(table.key(ofRow:)) != key {
                    report("A record of '\(name)' is stored under another key than its own.")
                }
                try checkEntries(ofRecord: cells, version: version, key, in: table)
            } catch  where error.kind == .corruption {
                report("A record of '\(name)' cannot be read.")
            }
        }
        return count
    }

    private mutating func checkEntries(
        ofRecord cells: [Value], version: UInt64, _ key: [UInt8], in table: KeyValueTable
    ) throws(StorageError) {
        for index in table.indexes {
            let prefix = cells.withUnsafeBufferPointer {
                table.entryPrefix(ofRow: $0, version: version, in: index)
            }
            let isThere = try reader.get(prefix + key[table.prefix.count...]) { _ in }
            if !isThere {
                report("A record of '\(table.entity.name)' is missing from index '\(index.schema.displayName)'.")
            }
        }
    }

    /// Checks that an index has no other entries than those of the records.
    private mutating func checkEntries(
        of index: KeyValueTable.Index, in table: KeyValueTable, recordCount: Int
    ) throws(StorageError) {
        var count = 0
        try reader.forEach(index.prefix) { (_, _) in count += 1 }
        if count != recordCount {
            report(
                "Index '\(index.schema.displayName)' of '\(table.entity.name)' has \(count) entries for \(recordCount) "
                    + "records.")
        }
    }

    /// Checks that there are no keys but the store's own and the tables'.
    private mutating func checkSpaces() throws(StorageError) {
        let own = KeyValueCatalog.prefix(of: 0)
        var lower: [UInt8] = []
        for prefix in ([own] + tables.flatMap(\.prefixes)).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            try checkIsEmpty(ByteRange(from: lower, to: prefix))
            lower = KeyCodec.successor(of: prefix) ?? prefix
        }
        try checkIsEmpty(ByteRange(from: lower, to: nil))
    }

    private mutating func checkIsEmpty(_ range: ByteRange) throws(StorageError) {
        if range.isEmpty { return }
        var isEmpty = true
        try reader.scan(range, isReversed: false) { (_, _) in
            isEmpty = false
            return false
        }
        if !isEmpty { report("There are keys that belong to no entity.") }
    }
}
