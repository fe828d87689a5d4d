import CLMDB
public import HoldfastAdapterKit
public import HoldfastStorage

/// A handle on an environment: reading and writing in LMDB's transactions.
///
/// Unchecked because the writing transaction is touched by the one thread that writes.
public final class LMDBEngine: KeyValueEngine, @unchecked Sendable {
    private let environment: LMDBEnvironment
    private var writing: LMDBTransaction?

    init(_ environment: LMDBEnvironment) { self.environment = environment }

    /// The longest key that LMDB holds.
    public var maximumKeyByteCount: Int { LMDBEnvironment.maximumKeyByteCount }
    /// False: a transaction is read by one thread at a time.
    public var readsConcurrently: Bool { false }

    /// Gives up the environment.
    public func close() { environment.release() }

    // MARK: Reading

    /// Reads in the writing transaction.
    public func get(
        _ key: [UInt8], _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Void
    ) throws(StorageError) -> Bool {
        try transaction().get(key, body)
    }

    /// Scans in the writing transaction.
    public func scan(
        _ range: ByteRange, isReversed: Bool,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError) {
        try transaction().scan(range, isReversed: isReversed, body)
    }

    /// A reading transaction.
    public func makeView() throws(StorageError) -> any KeyValueView { LMDBView(try environment.begin(isReading: true)) }

    // MARK: Writing

    /// Begins the writing transaction, of which there is one in all processes.
    public func begin(isSynced: Bool) throws(StorageError) {
        writing = try environment.begin(isReading: false)
        environment.setSynced(isSynced)
    }

    /// Applies a batch in the writing transaction.
    public func write(_ batch: KeyValueBatch, isSynced: Bool) throws(StorageError) {
        let transaction = try transaction()
        do throws(StorageError) {
            try batch.forEach { (key, value) throws(StorageError) in
                if let value { try transaction.put(value, at: key) } else { try transaction.delete(key) }
            }
        } catch {
            rollBack()
            var error = error
            error.transaction = .rolledBack
            throw error
        }
    }

    /// Commits the writing transaction.
    public func end() throws(StorageError) {
        let transaction = try transaction()
        writing = nil
        try transaction.commit(isDiskFull: environment.isDiskFull)
    }

    /// Aborts the writing transaction, if there is one.
    public func rollBack() { writing.take()?.abort() }

    private func transaction() throws(StorageError) -> LMDBTransaction {
        guard let writing else {
            throw StorageError(.io, "The transaction was given up.", transaction: .rolledBack)
        }
        return writing
    }
}

/// A reading transaction, which sees nothing that is committed after it began.
private final class LMDBView: KeyValueView {
    private let transaction: LMDBTransaction

    init(_ transaction: LMDBTransaction) { self.transaction = transaction }

    func close() { transaction.abort() }

    func get(
        _ key: [UInt8], _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Void
    ) throws(StorageError) -> Bool {
        try transaction.get(key, body)
    }

    func scan(
        _ range: ByteRange, isReversed: Bool,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError) {
        try transaction.scan(range, isReversed: isReversed, body)
    }
}
