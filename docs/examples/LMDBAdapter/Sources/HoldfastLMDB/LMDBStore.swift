import HoldfastStorage
import Synchronization

/// An open store: its tables, and the snapshots that are read.
final class LMDBStore: Sendable {
    let environment: LMDBEnvironment
    private let tables: [String: LMDBTable]
    private let generation: UInt64
    private let state = Mutex(State())

    private struct State: Sendable {
        var isClosed = false
        var readings: [ObjectIdentifier: LMDBReading] = [:]
    }

    /// Opens the store of a folder.
    static func open(
        _ path: String, mapByteCount: Int, _ request: OpenRequest
    ) async throws(StorageError) -> LMDBStore {
        if !request.createsStore && !LMDBEnvironment.exists(path) { throw OpenRequest.missingStore }
        let environment = try LMDBEnvironment.acquire(path, mapByteCount: mapByteCount)
        do {
            let (catalog, head) = try await environment.write(.powerLoss) { transaction throws(StorageError) in
                var opening = LMDBOpening(transaction: transaction)
                let hasChanged = try opening.run(request)
                return (hasChanged, (opening.catalog, opening.head))
            }
            return try LMDBStore(environment, request.schema, catalog, head)
        } catch {
            environment.release()
            throw error
        }
    }

    private init(
        _ environment: LMDBEnvironment, _ schema: StorageSchema, _ catalog: LMDBCatalog, _ head: LMDBCatalog.Head
    ) throws(StorageError) {
        self.environment = environment
        generation = head.generation
        var tables: [String: LMDBTable] = [:]
        for entity in schema.entities {
            if let stored = catalog.entity(named: entity.name) {
                tables[entity.name] = LMDBTable(entity, stored: stored)
            }
        }
        self.tables = tables
    }

    deinit {
        if !state.withLock({ $0.isClosed }) { environment.release() }
    }

    /// The table of an entity.
    func table(_ entity: String) throws(StorageError) -> LMDBTable {
        guard let table = tables[entity] else {
            throw StorageError.unknownEntity(entity)
        }
        return table
    }

    /// Where the store stands, if this handle still knows its tables.
    func head(_ transaction: LMDBTransaction) throws(StorageError) -> LMDBCatalog.Head {
        let head = try LMDBCatalog.Head(reading: transaction)
        if head.generation != generation {
            throw StorageError(.schemaMismatch, "Another handle migrated the store; close this one and open it anew.")
        }
        return head
    }

    /// Begins to read everything committed so far.
    func snapshot() throws(StorageError) -> LMDBSnapshot {
        let reading = try state.withLock { state throws(StorageError) in
            if state.isClosed { throw StorageError.closedStore() }
            let reading = LMDBReading(try environment.beginReading(), environment.database)
            state.readings[ObjectIdentifier(reading)] = reading
            return reading
        }
        do {
            let sequence = try reading.read { transaction throws(StorageError) in try head(transaction).sequence }
            return LMDBSnapshot(sequence: sequence, reading: reading, store: self)
        } catch {
            end(reading)
            throw error
        }
    }

    /// Ends a snapshot's reading; idempotent.
    func end(_ reading: LMDBReading) {
        state.withLock { _ = $0.readings.removeValue(forKey: ObjectIdentifier(reading)) }
        reading.end()
    }

    /// Commits a request.
    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        try requireOpen()
        return try await environment.write(request.durability ?? .powerLoss) { transaction throws(StorageError) in
            try self.requireOpen()
            var application = LMDBCommit(transaction: transaction, store: self)
            return (!request.operations.isEmpty, try application.apply(request))
        }
    }

    /// Ends snapshots and commits under way, and gives up the environment; idempotent.
    func close() async {
        let readings: [LMDBReading]? = state.withLock { state in
            if state.isClosed { return nil }
            state.isClosed = true
            defer { state.readings = [:] }
            return Array(state.readings.values)
        }
        guard let readings else { return }
        for reading in readings { reading.end() }
        await environment.finishWrites()
        environment.release()
    }

    private func requireOpen() throws(StorageError) {
        if state.withLock({ $0.isClosed }) { throw StorageError.closedStore() }
    }
}
