import HoldfastEngine
import HoldfastInMemory
import HoldfastStorage

/// What is on the disk of a client or behind the processes of the service: it outlives those who open it.
///
/// Unchecked because everything happens on one thread.
final class SimulatedStore: @unchecked Sendable {
    /// Makes an adapter for what is stored, not yet open.
    private let make: @Sendable () throws -> any StorageAdapter
    /// Whether the content is gone with the adapter, so that one adapter serves all who open the store.
    private let isKeptOpen: Bool
    private(set) var adapter: (any StorageAdapter)?
    private(set) var schema: StorageSchema?
    /// Lets one process after the other commit, where several do.
    let lock = AsyncMutex()

    init(isKeptOpen: Bool, make: @escaping @Sendable () throws -> any StorageAdapter) {
        self.isKeptOpen = isKeptOpen
        self.make = make
    }

    /// An adapter that is not open, to ask it for what it can do.
    func fresh() throws -> any StorageAdapter {
        if let adapter { return adapter }
        let adapter = try make()
        self.adapter = adapter
        return adapter
    }

    func open(_ request: OpenRequest) async throws(StorageError) {
        if isKeptOpen, let schema {
            if schema != request.schema { try await extend(schema, to: request.schema) }
            return
        }
        guard let adapter else { throw StorageError(.misuse, "The store has no adapter.") }
        try await adapter.open(request)
        schema = request.schema
    }

    /// Adds entities and fields to a store that cannot be opened again.
    private func extend(_ old: StorageSchema, to new: StorageSchema) async throws(StorageError) {
        do {
            let other = try make()
            try await other.open(OpenRequest(schema: new))
            var operations: [WriteOperation] = []
            for entity in old.entities {
                let stored = try await rows(of: entity.name)
                let fields = try new.entity(named: entity.name).fields
                let positions = fields.map { entity.position(of: $0.name) }
                var rows = RowBuffer(columnCount: fields.count)
                for row in 0..<stored.rowCount { rows.append(positions.map { $0.map { stored[row, $0] } ?? .null }) }
                if !rows.isEmpty { operations.append(.put(entity: entity.name, rows: rows, mode: .insert)) }
            }
            if !operations.isEmpty { _ = try await other.commit(CommitRequest(operations: operations)) }
            (adapter, schema) = (other, new)
        } catch {
            throw error as? StorageError ?? StorageError(.io, "\(error)")
        }
    }

    /// What a store had at some time.
    enum Backup {
        /// Its records, as `holdfast copy` has them.
        case copy(Store)
        /// The store itself, as a copy of its files has it.
        case exact(InMemoryAdapter)
    }

    /// Copies everything.
    func backUp(isExact: Bool) async throws -> Backup? {
        if isExact, let adapter = adapter as? InMemoryAdapter { return .exact(try await adapter.copy()) }
        guard let opened else { return nil }
        return .copy(try await StoreCopy(from: opened) { InMemoryAdapter() }.run().target)
    }

    /// Puts a copy in the place of everything.
    func restore(_ backup: Backup) async throws {
        switch backup {
        case .copy(let copy):
            let adapter = try make()
            _ = try await StoreCopy(from: copy) { adapter }.run()
            self.adapter = adapter
        case .exact(let copy): adapter = try await copy.copy()
        }
    }

    /// Ends what one that died or ended had open.
    func close() async {
        guard !isKeptOpen else { return }
        try? await adapter?.close()
        adapter = nil
    }

    /// Everything in an entity.
    func rows(of entity: String) async throws -> RowBuffer {
        guard let adapter, let schema else { return RowBuffer() }
        return try await Store(opened: adapter, schema: schema).withSnapshot { snapshot in
            var scan = try await snapshot.query(QueryPlan(entity))
            var (result, rows) = (RowBuffer(), RowBuffer())
            repeat {
                try await scan.next(into: &rows)
                if result.isEmpty { result = RowBuffer(columnCount: rows.columnCount) }
                result.append(contentsOf: rows)
            } while !rows.isEmpty
            await scan.close()
            return result
        }
    }

    /// The store as the engine would see it.
    var opened: Store? {
        guard let adapter, let schema else { return nil }
        return Store(opened: adapter, schema: schema)
    }
}
