import HoldfastAdapterKit
import HoldfastStorage

/// Rows of a snapshot in the order of an access path: filtered, paged and projected.
struct InMemoryScan: AdapterScan {
    /// After this many records read, a batch continues off the caller's executor, and a cancelled task is noticed.
    static let sliceRowCount = 2_048

    private var iterator: InMemoryRowIterator?
    private let snapshot: InMemorySnapshot
    private let columnCount: Int
    /// What rows must satisfy; `nil` for nothing.
    private let filter: InMemoryFilter?
    /// The positions of the fields delivered; `nil` for all.
    private let projection: [Int]?
    private var toSkip = 0
    private var remaining = Int.max

    /// Delivers whole rows, at most `limit` of them.
    init(_ iterator: InMemoryRowIterator, columnCount: Int, limit: Int = .max, of snapshot: InMemorySnapshot) {
        self.init(iterator, columnCount, nil, nil, snapshot)
        remaining = limit
        if limit == 0 { self.iterator = nil }
    }

    /// Delivers the whole rows that a query selects; leaves its order, offset, limit and projection to be applied.
    init(_ iterator: InMemoryRowIterator, filteringFor query: BoundQuery, of snapshot: InMemorySnapshot) {
        self.init(iterator, query.entity.fields.count, query, nil, snapshot)
    }

    /// Delivers a query's results; the scan must deliver in its total order.
    init(_ iterator: InMemoryRowIterator, answering query: BoundQuery, of snapshot: InMemorySnapshot) {
        self.init(
            iterator, query.projection.count, query, query.projectsAllFields ? nil : query.projection, snapshot)
        toSkip = query.offset
        remaining = query.limit ?? .max
        if remaining == 0 { self.iterator = nil }
    }

    private init(
        _ iterator: InMemoryRowIterator, _ columnCount: Int, _ filter: BoundQuery?, _ projection: [Int]?,
        _ snapshot: InMemorySnapshot
    ) {
        self.iterator = iterator
        self.columnCount = columnCount
        self.snapshot = snapshot
        self.projection = projection
        self.filter = filter.flatMap(InMemoryFilter.init)
    }

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        rows.reset(columnCount: columnCount)
        if iterator == nil { return try snapshot.requireOpen() }
        if try !fill(maximumRowCount, into: &rows) { try await fillElsewhere(maximumRowCount, into: &rows) }
    }

    mutating func close() async { iterator = nil }

    /// Continues filling without holding up the caller's executor.
    @concurrent
    private mutating func fillElsewhere(
        _ maximumRowCount: Int, into rows: inout RowBuffer
    ) async throws(StorageError) {
        while try !fill(maximumRowCount, into: &rows) {}
    }

    /// Reads one slice; returns whether the batch is complete.
    private mutating func fill(_ maximumRowCount: Int, into rows: inout RowBuffer) throws(StorageError) -> Bool {
        do {
            try snapshot.requireOpen()
            try StorageError.checkCancellation()
        } catch {
            iterator = nil
            throw error
        }
        // Taken out while it is used, so that it is changed in place.
        guard var iterator = iterator.take() else { return true }
        let wanted = min(maximumRowCount, remaining == .max ? .max : remaining + rows.rowCount)
        for _ in 0..<Self.sliceRowCount {
            if rows.rowCount >= wanted { break }
            guard let record = iterator.next() else {
                return true
            }
            if let filter, !filter.admits(record.cells) { continue }
            if toSkip > 0 {
                toSkip -= 1
                continue
            }
            if let projection {
                for position in projection { rows.appendCell(record.cells[position]) }
                rows.finishRow(version: record.version)
            } else {
                rows.append(record.cells, version: record.version)
            }
            if remaining != .max { remaining -= 1 }
        }
        if remaining > 0 { self.iterator = iterator }
        return rows.rowCount >= wanted || remaining == 0
    }
}

/// Rows that have to be sorted: read and sorted by the reference, off the caller's executor.
struct InMemorySortedScan: AdapterScan {
    private var scan: ReferenceQueryScan
    private let snapshot: InMemorySnapshot
    private var isSorted = false

    init(_ source: InMemoryScan, _ query: BoundQuery, of snapshot: InMemorySnapshot) {
        self.snapshot = snapshot
        scan = ReferenceQueryScan(source: source, query: query, sourceIsOrdered: false)
    }

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        // The sorted rows outlive the snapshot; it must not seem as if it were open.
        try snapshot.requireOpen()
        if isSorted { return try await scan.next(maximumRowCount: maximumRowCount, into: &rows) }
        try await sort(maximumRowCount, into: &rows)
        isSorted = true
    }

    mutating func close() async { await scan.close() }

    @concurrent
    private mutating func sort(_ maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        try await scan.next(maximumRowCount: maximumRowCount, into: &rows)
    }
}

/// Aggregates gathered straight from the records.
struct InMemoryAggregation: Sendable {
    private var iterator: InMemoryRowIterator
    private var accumulator: AggregateAccumulator
    private let query: BoundQuery
    private let snapshot: InMemorySnapshot

    init(iterator: InMemoryRowIterator, aggregate: BoundAggregate, snapshot: InMemorySnapshot) {
        self.iterator = iterator
        self.snapshot = snapshot
        accumulator = AggregateAccumulator(aggregate)
        query = aggregate.query
    }

    /// Reads one slice; returns whether it was the last.
    mutating func advance() throws(StorageError) -> Bool {
        try snapshot.requireOpen()
        try StorageError.checkCancellation()
        for _ in 0..<InMemoryScan.sliceRowCount {
            guard let record = iterator.next() else { return true }
            record.cells.withUnsafeBufferPointer { if query.predicate.matches($0) { accumulator.add($0) } }
        }
        return false
    }

    /// Reads the rest without holding up the caller's executor.
    @concurrent
    mutating func finish() async throws(StorageError) -> [Value] {
        while try !advance() {}
        return try result()
    }

    func result() throws(StorageError) -> [Value] { try accumulator.result() }
}

/// What a query demands of a record; a class, since a copy of a query for every record would be expensive.
private final class InMemoryFilter: Sendable {
    private let query: BoundQuery
    private let predicate: BoundPredicate
    private let hasCursor: Bool

    /// Creates a filter, or none if every record passes.
    init?(_ query: BoundQuery) {
        self.query = query
        predicate = query.predicate
        hasCursor = query.after != nil
        if !hasCursor, case .constant(true) = predicate { return nil }
    }

    /// Whether a record is after the cursor and satisfies the predicate.
    func admits(_ cells: [Value]) -> Bool {
        cells.withUnsafeBufferPointer { (!hasCursor || query.isAfterCursor($0)) && predicate.matches($0) }
    }
}
