#if LevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage
internal import Synchronization

/// An unchanging view that is readable until it, or its store, is closed.
final class LevelDBSnapshot: AdapterSnapshot {
    let sequence: UInt64
    let store: LevelDBStore
    private let openView: Mutex<LevelDBView?>

    init(_ view: LevelDBView, _ store: LevelDBStore) throws(StorageError) {
        sequence = try view.database.use { handle throws(StorageError) in
            try LevelDBOpening.sequence(of: handle, view.options)
        }
        self.store = store
        openView = Mutex(view)
    }

    /// The view.
    ///
    /// - Throws: ``StorageError`` `.closed` if this is closed; whether the store is, the use of the view tells.
    func view() throws(StorageError) -> LevelDBView {
        guard let view = openView.withLock({ $0 }) else { throw StorageError.closedStore() }
        return view
    }

    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        let view = try view()
        if request.keys.count <= LevelDBStore.inlineKeyCount {
            return try store.read(request, view.options, into: &rows)
        }
        try await store.readQueue.fill(&rows) { rows throws(StorageError) in
            try self.store.read(request, view.options, into: &rows)
        }
    }

    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan {
        let path = AccessPath(source: .primaryKey, ranges: [KeyCodec.bounds(of: range)], order: .total)
        return LevelDBScan(self, LevelDBRowIterator(try store.table(range.entity), path))
    }

    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
        let path = IndexPlanner.plan(query)
        let iterator = LevelDBRowIterator(try store.table(query.entity.name), path)
        let isOrdered = path.order != .unordered
        if isOrdered && query.asksForWholeEntity { return LevelDBScan(self, iterator) }
        // A page of few rows shall not read many.
        let skipped = query.offset + (query.after == nil ? 0 : 1)
        let rowCount = isOrdered ? query.limit.map { max(1, $0 &+ skipped) } : nil
        let source = LevelDBScan(self, iterator, firstRowCount: rowCount ?? .max)
        return ReferenceQueryScan(source: source, query: query, sourceIsOrdered: isOrdered)
    }

    func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        if case .constant(true) = aggregate.query.predicate, aggregate.functions == [.count] {
            return [.integer(Int64(try await count(aggregate.query.entity.name)))]
        }
        var accumulator = AggregateAccumulator(aggregate)
        var scan = try await query(aggregate.query)
        var rows = RowBuffer()
        repeat {
            try await scan.next(maximumRowCount: 512, into: &rows)
            for row in 0..<rows.rowCount { rows.withRow(row) { accumulator.add($0) } }
        } while !rows.isEmpty
        return try accumulator.result()
    }

    /// The number of an entity's records, whose values are not looked at.
    private func count(_ entity: String) async throws(StorageError) -> Int {
        let prefix = try store.table(entity).prefix
        let cancellation = Cancellation()
        return try await store.readQueue.run(stopping: cancellation) { () throws(StorageError) in
            let view = try self.view()
            return try view.database.use { handle throws(StorageError) in
                let place = handle.iterator(view.options)
                place.seek(prefix)
                var count = 0
                while place.isValid && place.key.starts(with: prefix) {
                    count += 1
                    if count.isMultiple(of: 1_024) { try cancellation.check() }
                    place.next()
                }
                try place.check()
                return count
            }
        }
    }

    func close() async { openView.withLock { $0 = nil } }
}

extension BoundQuery {
    /// Whether the results are all records, whole, as far as the predicate goes that no record fails.
    fileprivate var asksForWholeEntity: Bool {
        guard case .constant(true) = predicate else { return false }
        return projectsAllFields && after == nil && offset == 0 && limit == nil
    }
}
#endif
