import HoldfastStorage

/// The copying of all entities from one snapshot.
struct CopyRun {
    let source: StoreSnapshot
    let target: Store
    let claim: Precondition?
    let schema: StorageSchema
    let progress: (@Sendable (StoreCopy.Progress) -> Void)?

    /// Copies and compares all entities.
    mutating func copyAll() async throws -> StoreCopy.Report {
        var report = StoreCopy.Report(entities: [], sequence: source.sequence)
        for entity in schema.entities {
            let (digest, keptCount) = try await copy(entity)
            report.entities.append(
                StoreCopy.Report.Entity(
                    name: entity.name, recordCount: digest.recordCount, keptCount: keptCount, digest: digest.hash))
        }
        for (entity, copied) in zip(schema.entities, report.entities) { try await verify(entity, copied) }
        return report
    }

    // MARK: Copying

    /// Copies an entity: keeps what the target has of its beginning, and writes the rest.
    private func copy(_ entity: EntitySchema) async throws -> (EntityDigest, keptCount: Int) {
        let totalCount = try await source.count(entity.name)
        if let kept = try await copy(entity, totalCount, beside: try await ExistingRows(of: entity, in: target)) {
            return kept
        }
        // The source has changed since, or is another one.
        try await CopyTarget.write([.clear(entity: entity.name)], under: claim, to: target)
        guard let copied = try await copy(entity, totalCount, beside: nil) else {
            throw StorageError(.conflict, "Another process writes to the target; copy to a place of your own.")
        }
        return copied
    }

    /// Copies an entity beside what the target has of it.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - totalCount: The number of its records in the source, for reports of progress.
    ///   - existing: The records of the target; `nil` for none.
    /// - Returns: The digest of the source's records, and how many of them the target had already; `nil` if the
    ///   target's records are not the beginning of the source's.
    /// - Throws: What reading the source, or reading or writing the target, throws.
    private func copy(
        _ entity: EntitySchema, _ totalCount: Int, beside existing: ExistingRows?
    ) async throws -> (EntityDigest, keptCount: Int)? {
        var digest = EntityDigest(entity)
        var keptCount = 0
        var existing = existing
        var scan = try await source.query(QueryPlan(entity.name))
        var rows = RowBuffer()
        while true {
            try await scan.next(maximumRowCount: batchRowCount(digest), into: &rows)
            if rows.isEmpty { break }
            digest.add(rows)
            var written = 0
            if existing != nil {
                guard let count = try await existing?.take(asIn: rows) else {
                    await existing?.close()
                    return nil
                }
                written = count
                keptCount += count
                if count < rows.rowCount {
                    await existing?.close()
                    existing = nil
                }
            }
            if written < rows.rowCount { try await write(rows, from: written, to: entity) }
            progress?(
                StoreCopy.Progress(
                    phase: .copying, entity: entity.name, recordCount: digest.recordCount, totalCount: totalCount))
        }
        let hasMore = try await existing?.isAtEnd() == false
        await existing?.close()
        return hasMore ? nil : (digest, keptCount)
    }

    /// Records of the next batch, so that it has some megabytes at most unless single records are larger.
    private func batchRowCount(_ digest: EntityDigest) -> Int {
        let usual = min(1_000, target.capabilities.limits.commitRowCount)
        if digest.recordCount == 0 { return min(16, usual) }
        let average = max(1, digest.byteCount / digest.recordCount)
        return max(1, min(usual, (4 << 20) / average))
    }

    private func write(_ rows: RowBuffer, from first: Int, to entity: EntitySchema) async throws {
        var rest = RowBuffer(columnCount: rows.columnCount, rowCapacity: rows.rowCount - first)
        for row in first..<rows.rowCount { rest.append(rows[row]) }
        do throws(StorageError) {
            try await CopyTarget.write(
                [.put(entity: entity.name, rows: rest, mode: .insert)], under: claim, to: target)
        } catch {
            throw [.limitExceeded, .unrepresentable].contains(error.kind) ? explained(error, entity) : error
        }
    }

    /// The error for a record that the target cannot keep.
    private func explained(_ error: StorageError, _ entity: EntitySchema) -> StorageError {
        var error = error
        let key = entity.primaryKeyPositions.map { position in
            "\(entity.fields[position].name): \(entity.fields[position].type.storageType)"
        }
        error.message +=
            " It is a record of '\(entity.name)', whose key is (\(key.joined(separator: ", "))); the adapter "
            + "'\(target.capabilities.adapterName)' cannot keep it."
        return error
    }

    // MARK: Verifying

    /// Reads an entity back and compares it with what was copied.
    ///
    /// - Throws: ``StorageError`` `.corruption` if it differs.
    private func verify(_ entity: EntitySchema, _ copied: StoreCopy.Report.Entity) async throws {
        let digest = try await target.withSnapshot { snapshot in
            try await snapshot.digest(of: entity) { count in
                progress?(
                    StoreCopy.Progress(
                        phase: .verifying, entity: entity.name, recordCount: count, totalCount: copied.recordCount))
            }
        }
        guard digest.hash == copied.digest, digest.recordCount == copied.recordCount else {
            throw StorageError(
                .corruption,
                "The copy of '\(entity.name)' differs from its source; the target stays marked. Copy again.")
        }
    }
}

/// The rows of the target, taken one after the other beside those of the source.
///
/// The snapshot they come from is given up as soon as they end: what is written meanwhile would pile up behind it.
private struct ExistingRows {
    private let snapshot: StoreSnapshot
    private var scan: StoreScan
    private var rows = RowBuffer()
    private var next = 0

    init(of entity: EntitySchema, in store: Store) async throws {
        snapshot = try await store.snapshot()
        scan = try await snapshot.query(QueryPlan(entity.name))
    }

    /// How many rows of a batch come next here; fewer than all only if the scan has ended.
    ///
    /// - Returns: `nil` if another row comes.
    mutating func take(asIn batch: RowBuffer) async throws -> Int? {
        for row in 0..<batch.rowCount {
            if try await isAtEnd() { return row }
            if rows[next] != batch[row] { return nil }
            next += 1
        }
        return batch.rowCount
    }

    mutating func isAtEnd() async throws -> Bool {
        if next == rows.rowCount {
            try await scan.next(into: &rows)
            next = 0
        }
        return rows.isEmpty
    }

    mutating func close() async {
        await scan.close()
        await snapshot.close()
    }
}

extension StoreSnapshot {
    /// Reads all records of an entity.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - progress: Called with the number of records after each batch.
    /// - Returns: The digest of the records.
    /// - Throws: What reading the snapshot throws.
    func digest(of entity: EntitySchema, progress: (Int) -> Void = { _ in }) async throws -> EntityDigest {
        var digest = EntityDigest(entity)
        var scan = try await query(QueryPlan(entity.name))
        var rows = RowBuffer()
        repeat {
            try await scan.next(maximumRowCount: 256, into: &rows)
            digest.add(rows)
            if !rows.isEmpty { progress(digest.recordCount) }
        } while !rows.isEmpty
        return digest
    }
}
