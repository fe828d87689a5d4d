/// An unchanging view of a store.
///
/// Holds resources of the back end until it is closed or dropped. May be used by several tasks.
public protocol AdapterSnapshot: Sendable {
    /// The sequence up to which this snapshot sees every commit; 0 for a store never written.
    ///
    /// That of the last commit it sees, unless commits were in progress when it was taken: of those it may see some
    /// with later sequences, each whole.
    var sequence: UInt64 { get }

    /// Reads records by key.
    ///
    /// - Parameters:
    ///   - request: Entity and keys.
    ///   - rows: Reset and filled with one row per key in the order asked, all fields in schema order; a record that
    ///     does not exist is a row of version 0 (``RowBuffer/appendAbsentRow()``). Never an error.
    /// - Throws: ``StorageError`` `.closed`, `.corruption`, `.io`.
    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError)

    /// Starts a scan over a range of records in ascending key order, all fields in schema order.
    ///
    /// - Throws: ``StorageError`` `.closed`, `.busy`, `.io`.
    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan

    /// Releases the view. Idempotent; scans begun from it end with `.closed`.
    func close() async

    // MARK: Refinements, each with a default

    /// Reads records of several entities by key, each request as ``get(_:into:)`` does.
    ///
    /// Default: one request after the other. An adapter whose store is far away sends all of them at once.
    ///
    /// - Returns: One buffer for each request, in the order asked.
    /// - Throws: As ``get(_:into:)``.
    func get(_ requests: [GetRequest]) async throws(StorageError) -> [RowBuffer]

    /// Starts a query; rows have the query's projected fields, in its total order.
    ///
    /// Default: ``scan(_:)-(KeyRange)`` over the smallest key range that covers the predicate, then
    /// ``ReferenceQueryScan``.
    ///
    /// - Throws: As ``scan(_:)-(KeyRange)``.
    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan

    /// Computes aggregates, one value per function.
    ///
    /// Default: an ``AggregateAccumulator`` fed by ``query(_:)``.
    ///
    /// - Throws: What ``query(_:)`` and its scan throw; ``StorageError`` `.unrepresentable` if a sum overflows.
    func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value]

    /// Starts a scan over the records of a range of versions, all fields in schema order, in the order of versions,
    /// then of keys; at most ``BoundVersionRange/limit`` rows.
    ///
    /// Answers for every entity, also for one that is not ordered by version.
    ///
    /// Default: a ``ReferenceVersionScan`` over all records of the entity.
    ///
    /// - Throws: As ``scan(_:)-(KeyRange)``.
    func scan(_ range: BoundVersionRange) async throws(StorageError) -> any AdapterScan
}

extension AdapterSnapshot {
    /// Answers one request after the other.
    public func get(_ requests: [GetRequest]) async throws(StorageError) -> [RowBuffer] {
        try await requests.answers { (request, rows) async throws(StorageError) in
            try await get(request, into: &rows)
        }
    }

    /// Scans the smallest key range that covers the predicate and lets the reference do the rest.
    public func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
        try await queryByScan(query)
    }

    /// Feeds every matching row to an accumulator.
    public func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        try await aggregateByScan(aggregate)
    }

    /// Reads the rows of a query all at once, and closes the snapshot; the default of ``StorageAdapter/page(_:into:)``.
    ///
    /// - Parameters:
    ///   - query: With a limit of at most ``BoundQuery/maximumPageSize``.
    ///   - rows: Reset and filled.
    /// - Throws: What ``query(_:)`` and its scan throw; the snapshot is closed then, too.
    public func page(_ query: BoundQuery, into rows: inout RowBuffer) async throws(StorageError) {
        do {
            var scan = try await self.query(query)
            try await scan.next(maximumRowCount: BoundQuery.maximumPageSize, into: &rows)
            // A scan may have more, even if it returned fewer rows than it was asked for.
            var batch = RowBuffer()
            while !rows.isEmpty, rows.rowCount != query.limit {
                try await scan.next(maximumRowCount: BoundQuery.maximumPageSize, into: &batch)
                if batch.isEmpty { break }
                rows.append(contentsOf: batch)
            }
            await scan.close()
        } catch {
            await close()
            throw error
        }
        await close()
    }

    /// Scans the whole entity and lets the reference do the rest.
    public func scan(_ range: BoundVersionRange) async throws(StorageError) -> any AdapterScan {
        try await scanVersionsByScan(range)
    }

    /// The default of ``scan(_:)-(BoundVersionRange)``, for an adapter that has the order of some entities only.
    ///
    /// - Throws: What ``scan(_:)-(KeyRange)`` throws.
    public func scanVersionsByScan(_ range: BoundVersionRange) async throws(StorageError) -> any AdapterScan {
        ReferenceVersionScan(source: try await scan(KeyRange(range.entity.name)), range: range)
    }

    /// The default of ``query(_:)``, for an adapter that pushes down only some queries.
    ///
    /// - Throws: What ``scan(_:)-(KeyRange)`` throws.
    public func queryByScan(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
        ReferenceQueryScan(source: try await scan(query.keyRange), query: query, sourceIsOrdered: query.isKeyOrder)
    }

    /// The default of ``aggregate(_:)``, for an adapter that pushes down only some aggregates.
    ///
    /// - Throws: What ``query(_:)`` and its scan throw; ``StorageError`` `.unrepresentable` if a sum overflows.
    public func aggregateByScan(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        try await aggregate.values(of: query(aggregate.query))
    }
}

extension BoundAggregate {
    /// Feeds all rows of a scan to an accumulator.
    ///
    /// - Parameter scan: The matching records, all fields, in any order.
    /// - Returns: One value per function.
    /// - Throws: What the scan throws; ``StorageError`` `.unrepresentable` if a sum overflows.
    package func values(of scan: any AdapterScan) async throws(StorageError) -> [Value] {
        var accumulator = AggregateAccumulator(self)
        var scan = scan
        var rows = RowBuffer()
        repeat {
            try await scan.next(maximumRowCount: 512, into: &rows)
            for row in 0..<rows.rowCount { rows.withRow(row) { accumulator.add($0) } }
        } while !rows.isEmpty
        return try accumulator.result()
    }
}
