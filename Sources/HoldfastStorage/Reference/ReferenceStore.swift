/// The definition of a store, as plainly as it can be written: what every adapter is compared with.
///
/// A value; copying it takes a snapshot. A commit is O(n) for each row. Not for use as a store.
///
/// ```swift
/// var reference = ReferenceStore(schema: schema)
/// let row = RowBuffer(row: [.text("b1"), .text("Moby-Dick"), .integer(635)])
/// _ = try reference.commit(CommitRequest(operations: [.put(entity: "Book", rows: row, mode: .upsert)]))
/// let title = reference.record("Book", RecordKey("b1"))?.row[1]  // what any adapter must return
/// ```
public struct ReferenceStore: Sendable {
    /// One stored record.
    public struct Record: Sendable, Hashable {
        /// All cells in schema order.
        public var row: [Value]
        /// The sequence of the commit that wrote it.
        public var version: UInt64
    }

    /// The entities.
    public let schema: StorageSchema
    /// The sequence of the last commit; 0 at first.
    public private(set) var sequence: UInt64 = 0
    private var tables: [String: Table] = [:]
    private var deletions: [(entity: String, key: RecordKey, sequence: UInt64)] = []

    /// Creates an empty store.
    public init(schema: StorageSchema) { self.schema = schema }

    /// The record of a key, if there is one.
    public func record(_ entity: String, _ key: RecordKey) -> Record? { tables[entity]?.record(key) }

    /// All records of an entity in key order.
    public func allRecords(of entity: String) -> [Record] { tables[entity]?.records ?? [] }

    /// The records of a range in key order, in place: only the two ends of the range are looked at.
    public func records(in range: KeyRange) -> ArraySlice<Record> { tables[range.entity]?.records(in: range) ?? [] }

    // MARK: Commits

    /// Checks and applies a change as a whole; on an error nothing has changed.
    ///
    /// - Throws: ``StorageError`` `.preconditionFailed` or `.uniqueViolation` with the position that failed first,
    ///   `.schemaMismatch` for an unknown entity.
    public mutating func commit(_ request: CommitRequest) throws(StorageError) -> CommitReceipt {
        for (index, precondition) in request.preconditions.enumerated() where !holds(precondition) {
            throw StorageError.failedPrecondition(index)
        }
        if request.operations.isEmpty { return CommitReceipt(sequence: sequence) }
        var next = self
        next.sequence += 1
        var receipt = CommitReceipt(sequence: next.sequence)
        for (index, operation) in request.operations.enumerated() {
            try next.apply(operation, at: index, counting: &receipt)
        }
        self = next
        return receipt
    }

    private func holds(_ precondition: Precondition) -> Bool {
        switch precondition {
        case .absent(let entity, let key): record(entity, key) == nil
        case .present(let entity, let key): record(entity, key) != nil
        case .version(let entity, let key, let version): record(entity, key)?.version == version
        case .unchanged(let range, let since) where range.indexPrefix != nil:
            isUnchanged(under: range.indexPrefix, of: range.entity, since: since)
        case .unchanged(let range, let since):
            !records(in: range).contains { $0.version > since }
                && !deletions.contains {
                    $0.entity == range.entity && $0.sequence > since && range.contains($0.key.components)
                }
        }
    }

    /// Whether the records that have some values in an index are those that had them, and none was written.
    ///
    /// One that was given the values or created since has a later version; one that lost them or was deleted is
    /// missing.
    private func isUnchanged(under prefix: IndexPrefix?, of name: String, since: UInt64) -> Bool {
        guard let prefix, let entity = try? schema.entity(named: name), let predicate = prefix.predicate(of: entity)
        else { return false }
        let held = allRecords(of: name).filter { predicate.matches($0.row) }
        return held.allSatisfy { $0.version <= since } && Set(held.map { entity.key(of: $0.row) }) == Set(prefix.keys)
    }

    private mutating func apply(
        _ operation: WriteOperation, at index: Int, counting receipt: inout CommitReceipt
    ) throws(StorageError) {
        let entity = try schema.entity(named: operation.entity)
        switch operation {
        case .put(_, let rows, let mode):
            for row in 0..<rows.rowCount {
                try put(Array(rows[row]), of: entity, mode, at: index)
                receipt.putCount += 1
            }
        case .delete(_, let keys):
            for key in keys where delete(key, of: entity.name) { receipt.deletedCount += 1 }
        case .clear:
            for key in (tables[entity.name]?.keys ?? []).reversed() where delete(key, of: entity.name) {
                receipt.deletedCount += 1
            }
        }
    }

    private mutating func put(
        _ row: [Value], of entity: EntitySchema, _ mode: WriteOperation.PutMode, at index: Int
    ) throws(StorageError) {
        let key = entity.key(of: row)
        let exists = record(entity.name, key) != nil
        if mode == .insert && exists || mode == .update && !exists {
            throw StorageError.failedPut(exists: exists, operation: index)
        }
        for unique in entity.indexes where unique.isUnique {
            let positions = unique.fields.compactMap(entity.position(of:))
            let cells = positions.map { row[$0] }
            let collides = allRecords(of: entity.name).contains { record in
                entity.key(of: record.row) != key && !cells.contains(.null)
                    && ValueOrder.compareLists(positions.map { record.row[$0] }, cells) == .equal
            }
            if collides {
                throw StorageError.uniqueViolation(index: unique.name, of: entity.name, operation: index)
            }
        }
        tables[entity.name, default: Table()].put(Record(row: row, version: sequence), key)
    }

    private mutating func delete(_ key: RecordKey, of entity: String) -> Bool {
        guard tables[entity]?.remove(key) == true else { return false }
        deletions.append((entity, key, sequence))
        return true
    }

    // MARK: Queries

    /// The matching records in the query's total order, projected.
    public func query(_ query: BoundQuery) -> [Record] {
        var matching = allRecords(of: query.entity.name).filter { query.predicate.matches($0.row) }
        matching.sort { left, right in
            left.row.withUnsafeBufferPointer { left in
                right.row.withUnsafeBufferPointer { query.compare(left, $0) == .ascending }
            }
        }
        if query.after != nil {
            matching = matching.filter { $0.row.withUnsafeBufferPointer(query.isAfterCursor) }
        }
        return matching.dropFirst(query.offset).prefix(query.limit ?? .max).map { record in
            Record(row: query.projection.map { record.row[$0] }, version: record.version)
        }
    }

    /// The records of a range of versions, in the order of versions, then of keys.
    public func scan(_ range: BoundVersionRange) -> [Record] {
        let records = allRecords(of: range.entity.name).filter { record in
            record.row.withUnsafeBufferPointer { range.contains($0, version: record.version) }
        }
        return Array(
            records.sorted {
                ($0.version, range.entity.key(of: $0.row)) < ($1.version, range.entity.key(of: $1.row))
            }.prefix(range.limit ?? .max))
    }

    /// The aggregates, in the order of the functions.
    ///
    /// - Throws: ``StorageError`` `.unrepresentable` if a sum leaves the range of its type.
    public func aggregate(_ aggregate: BoundAggregate) throws(StorageError) -> [Value] {
        var accumulator = AggregateAccumulator(aggregate)
        for record in query(aggregate.query) { record.row.withUnsafeBufferPointer { accumulator.add($0) } }
        return try accumulator.result()
    }
}
