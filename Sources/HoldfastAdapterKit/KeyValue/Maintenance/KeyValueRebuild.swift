package import HoldfastStorage

/// Makes the indexes of a damaged store again, and drops records that cannot be read; used by repairs.
package struct KeyValueRebuild {
    /// Records that the store holds now.
    package private(set) var recordCount = 0
    /// Records that were dropped because they could not be read.
    package private(set) var droppedRecordCount = 0
    /// One sentence per unique index that has records with equal values now.
    package private(set) var conflicts: [String] = []

    private let engine: any KeyValueEngine

    /// - Throws: ``/HoldfastStorage/StorageError`` `.corruption` if there is no catalog.
    package init(_ engine: any KeyValueEngine) throws(StorageError) {
        self.engine = engine
        guard let catalog = try KeyValueCatalog.read(engine) else {
            throw StorageError(.corruption, "The store cannot be repaired; restore a backup.")
        }
        var sequence = try KeyValueCatalog.sequence(engine)
        for table in try catalog.tables(try catalog.schema(), hasIndexes: true).values {
            for index in table.indexes { try engine.deleteAll(ByteRange(prefix: index.prefix)) }
            sequence = max(sequence, try rebuild(table))
        }
        var batch = KeyValueBatch()
        // No commit reported what is lost.
        try KeyValueChangeLog.forget(engine, &batch)
        batch.put(KeyValueCatalog.sequenceKey) { KeyValueCellCodec.append(fixed: sequence, to: &$0) }
        try engine.write(batch, isSynced: true)
    }

    /// Writes the entries of all records and drops those that cannot be read; returns the greatest version.
    private mutating func rebuild(_ table: KeyValueTable) throws(StorageError) -> UInt64 {
        var greatest: UInt64 = 0
        var cells: [Value] = []
        var found: Set<String> = []
        var rest: ByteRange? = ByteRange(prefix: table.prefix)
        while let range = rest {
            rest = nil
            var change = KeyValueCommit(engine)
            try engine.scan(range, isReversed: false) { (key, value) throws(StorageError) in
                if change.batch.byteCount > KeyValueSchemaWriter.batchByteCount {
                    rest = ByteRange(from: Array(key), to: range.upper)
                    return false
                }
                let version: UInt64
                do throws(StorageError) {
                    version = try table.read(value, of: .bytes(key), into: &cells)
                    greatest = max(greatest, version)
                    recordCount += 1
                } catch {
                    change.batch.delete(key)
                    droppedRecordCount += 1
                    return true
                }
                found.formUnion(try addEntries(cells, version: version, table, &change))
                return true
            }
            try engine.write(change.batch, isSynced: false)
        }
        conflicts += found.sorted()
        return greatest
    }

    /// Writes the entries of a record; returns what it has in common with others and should not.
    private func addEntries(
        _ cells: [Value], version: UInt64, _ table: KeyValueTable, _ change: inout KeyValueCommit
    ) throws(StorageError) -> [String] {
        var conflicts: [String] = []
        try cells.withUnsafeBufferPointer { row throws(StorageError) in
            for index in table.indexes where try !change.addEntry(row, version: version, to: index, in: table) {
                conflicts.append(
                    "Records of '\(table.entity.name)' have equal values in unique index '\(index.schema.name)'.")
            }
        }
        return conflicts
    }
}
