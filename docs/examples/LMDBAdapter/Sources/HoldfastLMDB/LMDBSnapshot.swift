import HoldfastAdapterKit
import HoldfastStorage
import Synchronization

/// A reading transaction, which sees nothing that is committed after it began; used by one thread at a time.
final class LMDBReading: Sendable {
    /// Guarded by the lock around it; with MDB_NOTLS a reading transaction is bound to no thread.
    private struct Transaction: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let transaction: Mutex<Transaction?>
    private let database: UInt32

    init(_ pointer: OpaquePointer, _ database: UInt32) {
        transaction = Mutex(Transaction(pointer: pointer))
        self.database = database
    }

    /// Reads, unless the transaction has ended.
    func read<Result: Sendable>(
        _ body: (LMDBTransaction) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try transaction.withLock { transaction throws(StorageError) in
            guard let transaction else { throw StorageError.closedStore() }
            return try body(LMDBTransaction(pointer: transaction.pointer, database: database))
        }
    }

    /// Ends the transaction once nobody reads; idempotent.
    func end() {
        transaction.withLock { transaction in
            if let transaction { LMDBEnvironment.endReading(transaction.pointer) }
            transaction = nil
        }
    }
}

/// An unchanging view of a store.
///
/// Queries and aggregates are Holdfast's defaults: the smallest key range, filtered and sorted by the reference.
final class LMDBSnapshot: AdapterSnapshot {
    /// Reads of so many keys stay on the caller's thread.
    private static let smallReadKeyCount = 32

    let sequence: UInt64
    private let reading: LMDBReading
    private let store: LMDBStore

    init(sequence: UInt64, reading: LMDBReading, store: LMDBStore) {
        self.sequence = sequence
        self.reading = reading
        self.store = store
    }

    deinit { store.end(reading) }

    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        if request.keys.count <= Self.smallReadKeyCount {
            rows = try records(request)
        } else {
            rows = try await store.environment.reads.run { () throws(StorageError) in try self.records(request) }
        }
    }

    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan {
        let table = try store.table(range.entity)
        try reading.read { _ in }
        return LMDBScan(self, table, table.range(range))
    }

    func close() async { store.end(reading) }

    private func records(_ request: GetRequest) throws(StorageError) -> RowBuffer {
        let table = try store.table(request.entity)
        return try reading.read { transaction throws(StorageError) in
            var rows = RowBuffer(columnCount: table.entity.fields.count, rowCapacity: request.keys.count)
            for key in request.keys {
                let found: Void? = try transaction.value(table.key(key)) { bytes throws(StorageError) in
                    try table.append(bytes, to: &rows)
                }
                if found == nil { rows.appendAbsentRow() }
            }
            return rows
        }
    }

    /// The next records of a range, and what is left of it.
    fileprivate func batch(
        _ table: LMDBTable, _ range: ByteRange, _ maximumRowCount: Int
    ) async throws(StorageError) -> (rows: RowBuffer, rest: ByteRange) {
        try await store.environment.reads.run { () throws(StorageError) in
            try self.reading.read { transaction throws(StorageError) in
                var rows = RowBuffer(columnCount: table.entity.fields.count)
                var rest = range
                try transaction.scan(range) { (key, bytes) throws(StorageError) in
                    try table.append(bytes, to: &rows)
                    if rows.rowCount < maximumRowCount { return true }
                    rest.lower = Array(key) + [0]
                    return false
                }
                return (rows, rest)
            }
        }
    }

    /// - Throws: ``StorageError`` `.closed`.
    fileprivate func requireOpen() throws(StorageError) { try reading.read { _ in } }
}

/// Records of a range in key order; holds no cursor between batches.
private struct LMDBScan: AdapterScan {
    private let snapshot: LMDBSnapshot
    private let table: LMDBTable
    private var range: ByteRange
    private var isOver = false

    init(_ snapshot: LMDBSnapshot, _ table: LMDBTable, _ range: ByteRange) {
        self.snapshot = snapshot
        self.table = table
        self.range = range
    }

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        rows.reset(columnCount: table.entity.fields.count)
        if isOver { return try snapshot.requireOpen() }
        isOver = true
        try StorageError.checkCancellation()
        (rows, range) = try await snapshot.batch(table, range, maximumRowCount)
        isOver = rows.rowCount < maximumRowCount
    }

    mutating func close() async { isOver = true }
}
