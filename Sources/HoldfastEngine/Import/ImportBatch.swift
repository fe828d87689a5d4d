import HoldfastStorage

/// Records of one entity that it can hold, each key once.
struct ImportBatch: Sendable {
    /// The records as the source gave them.
    private(set) var records: [ForeignRecord] = []
    /// Their cells in canonical form.
    private(set) var rows: RowBuffer
    /// Their keys.
    private(set) var keys: [RecordKey] = []

    /// Separates what an entity can hold from what it cannot, and says why.
    static func checked(
        _ records: [ForeignRecord], of entity: EntitySchema, limits: Capabilities.Limits
    ) -> (batch: ImportBatch, faults: [(record: ForeignRecord, reason: String)]) {
        var batch = ImportBatch(rows: RowBuffer(columnCount: entity.fields.count, rowCapacity: records.count))
        var faults: [(ForeignRecord, String)] = []
        var met: Set<RecordKey> = []
        for record in records {
            do throws(StorageError) {
                if let fault = record.fault { throw StorageError(.unrepresentable, fault) }
                let row = try entity.canonical(RowBuffer(row: record.cells), limits: limits)
                let key = entity.key(of: row[0])
                guard met.insert(key).inserted else {
                    throw StorageError(.unrepresentable, "An earlier record has the same key.")
                }
                batch.rows.append(row[0])
                batch.keys.append(key)
                batch.records.append(record)
            } catch {
                faults.append((record, error.message))
            }
        }
        return (batch, faults)
    }
}
