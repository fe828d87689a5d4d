internal import HoldfastStorage

/// An unchanging view that is readable until it, or its store, is closed.
final class KeyValueSnapshot: AdapterSnapshot {
    let sequence: UInt64
    let store: KeyValueStore
    private let openView: Mutex<KeyValueHeldView?>

    init(_ view: KeyValueHeldView, sequence: UInt64, _ store: KeyValueStore) {
        self.sequence = sequence
        self.store = store
        openView = Mutex(view)
    }

    /// The view.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed` if this is closed; using the view shows whether the store is.
    func view() throws(StorageError) -> KeyValueHeldView {
        guard let view = openView.withLock({ $0 }) else { throw StorageError.closedStore() }
        return view
    }

    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try await store.get(request, try view(), into: &rows)
    }

    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan {
        let path = AccessPath(source: .primaryKey, ranges: [KeyCodec.bounds(of: range)], order: .total)
        return KeyValueScan(self, KeyValueRowIterator(try store.table(range.entity), path))
    }

    func scan(_ range: BoundVersionRange) async throws(StorageError) -> any AdapterScan {
        let table = try store.table(range.entity.name)
        guard let order = table.versionOrder else { return try await scanVersionsByScan(range) }
        let path = AccessPath(source: .index(order), ranges: KeyCodec.bounds(of: range), order: .total)
        return KeyValueScan(self, KeyValueRowIterator(table, path), limit: range.limit ?? .max)
    }

    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
        if !store.options.hasIndexes {
            return ReferenceQueryScan(
                source: try await scan(query.keyRange), query: query, sourceIsOrdered: query.isKeyOrder)
        }
        let path = IndexPlanner.plan(query)
        let iterator = KeyValueRowIterator(try store.table(query.entity.name), path)
        let isOrdered = path.order != .unordered
        if isOrdered && query.asksForWholeEntity { return KeyValueScan(self, iterator) }
        // A page of few rows should not read many.
        let skipped = query.offset &+ (query.after == nil ? 0 : 1)
        let rowCount = isOrdered ? query.limit.map { max(1, $0 &+ skipped) } : nil
        let source = KeyValueScan(self, iterator, firstRowCount: rowCount ?? .max)
        return ReferenceQueryScan(source: source, query: query, sourceIsOrdered: isOrdered)
    }

    func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        if case .constant(true) = aggregate.query.predicate, aggregate.functions == [.count] {
            return [.integer(Int64(try await count(aggregate.query.entity.name)))]
        }
        if !store.options.hasIndexes { return try await aggregateByScan(aggregate) }
        let query = aggregate.query
        let iterator = KeyValueRowIterator(try store.table(query.entity.name), IndexPlanner.plan(query))
        // The order of the rows does not matter: sorting would only hold all of them in memory.
        return try await aggregate.values(
            of: ReferenceQueryScan(source: KeyValueScan(self, iterator), query: query, sourceIsOrdered: true))
    }

    /// The number of an entity's records, whose values are not looked at.
    private func count(_ entity: String) async throws(StorageError) -> Int {
        let prefix = try store.table(entity).prefix
        let cancellation = Cancellation()
        return try await store.readQueue.run(stopping: cancellation) { () throws(StorageError) in
            try self.view().read { view throws(StorageError) in
                var count = 0
                try view.forEach(prefix) { (_, _) throws(StorageError) in
                    count += 1
                    if count.isMultiple(of: 1_024) { try cancellation.check() }
                }
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
