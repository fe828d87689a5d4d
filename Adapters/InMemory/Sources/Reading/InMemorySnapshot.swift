import HoldfastAdapterKit
import HoldfastStorage

/// A state that stays readable until it, or its store, is closed.
final class InMemorySnapshot: AdapterSnapshot {
    let sequence: UInt64
    private let state: Mutex<InMemoryState?>
    private let store: InMemoryStore

    /// A view of everything that is committed.
    ///
    /// - Throws: ``StorageError`` `.closed`.
    init(of store: InMemoryStore) throws(StorageError) {
        let state = try store.state()
        sequence = state.sequence
        self.state = Mutex(state)
        self.store = store
    }

    /// The state.
    ///
    /// - Throws: ``StorageError`` `.closed`.
    func open() throws(StorageError) -> InMemoryState {
        guard !store.isClosed, let state = state.withLock({ $0 }) else { throw StorageError.closedStore() }
        return state
    }

    /// Ends a read that began before the snapshot was closed.
    ///
    /// - Throws: ``StorageError`` `.closed`.
    func requireOpen() throws(StorageError) {
        guard !store.isClosed, state.withLock({ $0 != nil }) else { throw StorageError.closedStore() }
    }

    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try open().get(request, into: &rows)
    }

    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan {
        let table = try open().table(range.entity)
        let iterator = InMemoryRowIterator(
            table, AccessPath(source: .primaryKey, ranges: [KeyCodec.bounds(of: range)], order: .total))
        return InMemoryScan(iterator, columnCount: table.layout.entity.fields.count, of: self)
    }

    func scan(_ range: BoundVersionRange) async throws(StorageError) -> any AdapterScan {
        let table = try open().table(range.entity.name)
        guard let index = table.layout.indexes.firstIndex(where: \.isVersionOrder) else {
            return try await scanVersionsByScan(range)
        }
        let iterator = InMemoryRowIterator(
            table, AccessPath(source: .index(index), ranges: KeyCodec.bounds(of: range), order: .total))
        return InMemoryScan(
            iterator, columnCount: range.entity.fields.count, limit: range.limit ?? .max, of: self)
    }

    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
        let table = try open().table(query.entity.name)
        let path = IndexPlanner.plan(query)
        let iterator = InMemoryRowIterator(table, path)
        if path.order != .unordered { return InMemoryScan(iterator, answering: query, of: self) }
        return InMemorySortedScan(InMemoryScan(iterator, filteringFor: query, of: self), query, of: self)
    }

    func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        let table = try open().table(aggregate.query.entity.name)
        if case .constant(true) = aggregate.query.predicate, aggregate.functions == [.count] {
            return [.integer(Int64(table.records.count))]
        }
        var gathering = InMemoryAggregation(
            iterator: InMemoryRowIterator(table, IndexPlanner.plan(aggregate.query)), aggregate: aggregate,
            snapshot: self)
        if try gathering.advance() { return try gathering.result() }
        return try await gathering.finish()
    }

    func close() async {
        // Taken out first, so that what only this snapshot held is freed outside the lock.
        let state = state.withLock { state in
            defer { state = nil }
            return state
        }
        _ = consume state
    }
}
