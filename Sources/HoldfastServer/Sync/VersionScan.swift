import HoldfastStorage

/// The records of an entity that commits between two sequences wrote, oldest first.
///
/// Made from a scan of the entity: it compares the version of each record and keeps the first ones in order, so it costs
/// the number of records, however few have changed. Only this type knows how; where a store can read records by
/// version itself, this type asks it instead.
struct VersionScan {
    /// The entity.
    var entity: EntitySchema
    /// Records whose last commit has this sequence or an earlier one are left out.
    var after: UInt64
    /// Records whose last commit has a later sequence are left out.
    var through: UInt64
    /// The version and the key of the last record of the page before; `nil` for the first page.
    var cursor: (version: UInt64, key: RecordKey)?
    /// Which records, as far as the store decides it.
    var predicate: Predicate
    /// What the store does not decide; `nil` for nothing.
    var rest: RecordFilter?

    /// The next records, in the order of versions, then of keys.
    ///
    /// - Parameters:
    ///   - limit: At most so many.
    ///   - snapshot: What is read.
    /// - Returns: The rows, and whether there are more.
    func page(_ limit: Int, of snapshot: StoreSnapshot) async throws(StorageError) -> (rows: RowBuffer, hasMore: Bool) {
        var kept: [(version: UInt64, key: RecordKey, row: [Value])] = []
        var scan = try await snapshot.query(QueryPlan(entity.name, where: predicate))
        var rows = RowBuffer()
        repeat {
            try await scan.next(into: &rows)
            for index in 0..<rows.rowCount {
                let version = rows.versions[index]
                guard version > after, version <= through, version >= cursor?.version ?? 0 else { continue }
                if let rest, !rows.withRow(index, { rest.matchesRest($0) }) { continue }
                let key = entity.key(of: rows[index])
                if let cursor, version == cursor.version, key <= cursor.key { continue }
                kept.append((version, key, Array(rows[index])))
            }
            // Memory stays within a few pages however many records there are.
            if kept.count > 4 * (limit + 1) { Self.cut(&kept, to: limit + 1) }
        } while !rows.isEmpty
        Self.cut(&kept, to: limit + 1)
        var page = RowBuffer(columnCount: entity.fields.count, rowCapacity: min(limit, kept.count))
        for record in kept.prefix(limit) { page.append(record.row, version: record.version) }
        return (page, kept.count > limit)
    }

    private static func cut(_ records: inout [(version: UInt64, key: RecordKey, row: [Value])], to count: Int) {
        records.sort { ($0.version, $0.key) < ($1.version, $1.key) }
        if records.count > count { records.removeLast(records.count - count) }
    }
}
