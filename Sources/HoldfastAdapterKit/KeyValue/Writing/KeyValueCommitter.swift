internal import HoldfastStorage

/// Carries out groups of commits: each commit is a batch, and a group is made durable once.
///
/// Unchecked because it is touched on the commit queue's thread only.
final class KeyValueCommitter: GroupWriter, @unchecked Sendable {
    /// When an entity was last changed, and when something was last deleted of it.
    struct Marks {
        var lastChange: UInt64
        var lastDeletion: UInt64
    }

    /// What is known of the store.
    private struct State {
        var sequence: UInt64
        /// What was changed before this commit is known by its versions, deletions not at all; not used if several
        /// handles write.
        var firstSequence: UInt64
        var marks: [String: Marks] = [:]

        init(sequence: UInt64) {
            self.sequence = sequence
            firstSequence = sequence
        }
    }

    /// Not only its engine: that is closed when nothing holds the database, and a group may be in progress then.
    private let database: KeyValueDatabase
    private var engine: any KeyValueEngine { database.engine }
    private let tables: [String: KeyValueTable]
    /// The stored catalog that the tables are of, if several handles write; they keep the marks in the store.
    private let sharedCatalog: [UInt8]?
    /// What every commit writes as the mark, since one that did it before may be lost; `nil` if the store has it.
    private let storeMark: [UInt8]?
    private let log: KeyValueChangeLog?
    private let signal: ChangeSignal
    private var state: State
    /// The state at the beginning of the group.
    private var stateBefore: State
    /// Whether it is unknown what the store holds.
    private var isUncertain = false
    /// What ended the last transaction that failed.
    private var lastFailure = StorageError.cancelledWork()

    init(
        _ database: KeyValueDatabase, tables: [String: KeyValueTable], catalog: [UInt8]?, sequence: UInt64,
        storeMark: [UInt8]?, log: KeyValueChangeLog?, signal: ChangeSignal
    ) {
        self.database = database
        self.tables = tables
        sharedCatalog = catalog
        self.storeMark = storeMark
        self.log = log
        self.signal = signal
        state = State(sequence: sequence)
        stateBefore = state
    }

    // MARK: Groups

    func begin(_ durability: Durability) throws(StorageError) {
        try engine.begin(isSynced: durability == .powerLoss)
        do throws(StorageError) {
            if let sharedCatalog { try KeyValueCatalog.check(engine, isStill: sharedCatalog) }
            if isUncertain || sharedCatalog != nil {
                let sequence = try KeyValueCatalog.sequence(engine)
                if sequence != state.sequence { state = State(sequence: sequence) }
                isUncertain = false
            }
            stateBefore = state
        } catch {
            engine.rollBack()
            throw error
        }
    }

    func commit(_ requests: [CommitRequest], _ durability: Durability) -> [Result<CommitReceipt, StorageError>] {
        let outcomes = carryOut(requests, durability) ?? carryOutOneByOne(requests, durability)
        let sequences = outcomes.compactMap { try? $0.get().sequence }
        if log != nil, let last = sequences.max() { signal.advance(to: last) }
        return outcomes
    }

    /// Carries out a group that failed as a whole, so that a commit that does not fit takes no other one with it.
    private func carryOutOneByOne(
        _ requests: [CommitRequest], _ durability: Durability
    ) -> [Result<CommitReceipt, StorageError>] {
        if requests.count == 1 { return [.failure(lastFailure)] }
        return requests.map { request in
            do throws(StorageError) {
                try begin(durability)
            } catch {
                return .failure(error)
            }
            return carryOut([request], durability)?.first ?? .failure(lastFailure)
        }
    }

    /// Carries out a group that was begun; `nil` if the engine gave up the transaction.
    private func carryOut(
        _ requests: [CommitRequest], _ durability: Durability
    ) -> [Result<CommitReceipt, StorageError>]? {
        let isSynced = durability == .powerLoss
        var outcomes: [Result<CommitReceipt, StorageError>] = []
        var hasWritten = false
        for request in requests {
            if isUncertain {
                // Its sequence may be taken; beginning the next group reads it again.
                let error = StorageError(.busy, "An earlier commit has an unknown outcome; try again.")
                outcomes.append(.failure(error))
                continue
            }
            do throws(StorageError) {
                let receipt = try apply(request, isSynced: isSynced && requests.count == 1)
                if !request.operations.isEmpty { hasWritten = true }
                outcomes.append(.success(receipt))
            } catch {
                if error.transaction == .rolledBack {
                    giveUp(error)
                    return nil
                }
                if error.transaction == .outcomeUnknown { isUncertain = true }
                outcomes.append(.failure(error))
            }
        }
        if !hasWritten {
            engine.rollBack()
            return outcomes
        }
        do throws(StorageError) {
            if isSynced && requests.count > 1 { try engine.write(KeyValueBatch(), isSynced: true) }
            try engine.end()
        } catch {
            var error = error
            if error.transaction == .rolledBack {
                giveUp(error)
                return nil
            }
            // The commits are in the store, and may stay there.
            error.transaction = .outcomeUnknown
            isUncertain = true
            return outcomes.map { outcome in
                guard case .success(let receipt) = outcome, receipt.sequence > stateBefore.sequence else {
                    return outcome
                }
                return .failure(error)
            }
        }
        return outcomes
    }

    private func giveUp(_ error: StorageError) {
        engine.rollBack()
        state = stateBefore
        lastFailure = error
    }

    // MARK: One commit

    private func apply(_ request: CommitRequest, isSynced: Bool) throws(StorageError) -> CommitReceipt {
        let orders = try request.operations.map { operation throws(StorageError) in try rowOrder(of: operation) }
        var change = KeyValueCommit(engine, remembers: try mayReadOwnWrites(request, orders))
        for (index, precondition) in request.preconditions.enumerated() where try !holds(precondition, change) {
            throw StorageError.failedPrecondition(index)
        }
        if request.operations.isEmpty { return CommitReceipt(sequence: state.sequence) }
        var receipt = CommitReceipt(sequence: state.sequence + 1)
        var shrunk: Set<String> = []
        for (index, operation) in request.operations.enumerated() {
            let deletedCount = receipt.deletedCount
            try apply(operation, at: index, in: orders[index], to: &change, counting: &receipt)
            if receipt.deletedCount > deletedCount { shrunk.insert(operation.entity) }
        }
        try log?.append(request, receipt.sequence, to: &change.batch)
        var marks: [String: Marks] = [:]
        for entity in Set(request.operations.map(\.entity)) {
            let table = try table(entity)
            var mark = try self.marks(of: table)
            mark.lastChange = receipt.sequence
            if shrunk.contains(entity) { mark.lastDeletion = receipt.sequence }
            if sharedCatalog == nil { marks[entity] = mark } else { mark.put(of: table.prefix, in: &change.batch) }
        }
        if let storeMark { change.batch.put(KeyValueCatalog.markKey, storeMark) }
        // Last, since an engine may look for it at the end of the batch.
        change.batch.put(KeyValueCatalog.sequenceKey) { KeyValueCellCodec.append(fixed: receipt.sequence, to: &$0) }
        try engine.write(change.batch, isSynced: isSynced)
        state.sequence = receipt.sequence
        state.marks.merge(marks) { $1 }
        return receipt
    }

    private func table(_ entity: String) throws(StorageError) -> KeyValueTable {
        guard let table = tables[entity] else { throw StorageError.unknownEntity(entity) }
        return table
    }

    /// Whether a step may read what an earlier one of the same commit wrote.
    private func mayReadOwnWrites(
        _ request: CommitRequest, _ orders: [KeyValueRowOrder?]
    ) throws(StorageError) -> Bool {
        var rowCount = 0
        var reads = false
        for operation in request.operations {
            switch operation {
            case .put(let entity, let rows, let mode):
                rowCount += rows.rowCount
                if mode != .upsert { reads = true }
                if try !table(entity).indexes.isEmpty { reads = true }
            case .delete(_, let keys):
                rowCount += keys.count
                reads = true
            case .clear:
                rowCount += 2
                reads = true
            }
        }
        if !reads || rowCount <= 1 { return false }
        return !writesDistinctRecords(request, orders)
    }

    /// Whether all operations put different records, and none reads more than its own.
    private func writesDistinctRecords(_ request: CommitRequest, _ orders: [KeyValueRowOrder?]) -> Bool {
        var entities: Set<String> = []
        return zip(request.operations, orders).allSatisfy { operation, order in
            guard case .put(let entity, let rows, _) = operation else { return false }
            return (rows.rowCount < 2 || order?.isStrict == true) && entities.insert(entity).inserted
        }
    }

    /// In which order an operation puts its rows; `nil` for rows that are put as they come.
    private func rowOrder(of operation: WriteOperation) throws(StorageError) -> KeyValueRowOrder? {
        guard case .put(let entity, let rows, _) = operation, rows.rowCount > 1 else { return nil }
        let table = try table(entity)
        // One of these records can be refused because of another one, so that their order matters.
        if table.indexes.contains(where: \.schema.isUnique) { return nil }
        return KeyValueRowOrder(rows, in: table)
    }

    private func apply(
        _ operation: WriteOperation, at index: Int, in order: KeyValueRowOrder?, to change: inout KeyValueCommit,
        counting receipt: inout CommitReceipt
    ) throws(StorageError) {
        let table = try table(operation.entity)
        switch operation {
        case .put(_, let rows, let mode):
            for number in 0..<rows.rowCount {
                let row = order?.rows[number] ?? number
                try rows.withRow(row) { cells throws(StorageError) in
                    try change.put(cells, version: receipt.sequence, in: table, mode, operation: index)
                }
            }
            receipt.putCount += rows.rowCount
        case .delete(_, let keys):
            for key in keys where try change.delete(table.key(key.components), in: table) {
                receipt.deletedCount += 1
            }
        case .clear: receipt.deletedCount += try change.clear(table)
        }
    }

    // MARK: Preconditions

    private func holds(_ precondition: Precondition, _ change: KeyValueCommit) throws(StorageError) -> Bool {
        func version(_ entity: String, _ key: RecordKey) throws(StorageError) -> UInt64? {
            let table = try table(entity)
            return try change.version(of: table.key(key.components), in: table)
        }
        return switch precondition {
        case .absent(let entity, let key): try version(entity, key) == nil
        case .present(let entity, let key): try version(entity, key) != nil
        case .version(let entity, let key, let expected): try version(entity, key) == expected
        case .unchanged(let range, let since): try isUnchanged(range, since: since)
        }
    }

    /// Whether nothing of a range was written after a commit, and nothing of its whole entity deleted.
    private func isUnchanged(_ range: KeyRange, since: UInt64) throws(StorageError) -> Bool {
        let table = try table(range.entity)
        let marks = try marks(of: table)
        if marks.lastChange <= since { return true }
        if let prefix = range.indexPrefix, let index = table.index(named: prefix.index) {
            return try isUnchanged(under: prefix, index, since: since, table)
        }
        if marks.lastDeletion > since { return false }
        if !range.isOneKey(of: table.entity), let versionOrder = table.versionOrder {
            return try isUnchanged(range, by: table.indexes[versionOrder], since: since)
        }
        let stored = KeyValueTable.range(KeyCodec.bounds(of: range), in: table.prefix)
        var isUnchanged = true
        try engine.scan(stored, isReversed: false) { (_, value) throws(StorageError) in
            isUnchanged = try KeyValueTable.version(of: value) <= since
            return isUnchanged
        }
        return isUnchanged
    }

    /// Whether none of the records newer than a commit lies in a range.
    private func isUnchanged(
        _ range: KeyRange, by versions: KeyValueTable.Index, since: UInt64
    ) throws(StorageError) -> Bool {
        var prefix = versions.prefix
        KeyCodec.append(version: since, to: &prefix)
        let newer = ByteRange(
            from: KeyCodec.successor(of: prefix) ?? [0xFF], to: KeyCodec.successor(of: versions.prefix))
        let bounds = KeyCodec.bounds(of: range)
        let keyStart = prefix.count
        var isUnchanged = true
        try engine.scan(newer, isReversed: false) { (entry, _) in
            isUnchanged = !bounds.contains(Array(entry.dropFirst(keyStart)))
            return isUnchanged
        }
        return isUnchanged
    }

    /// Whether the records that have some values in an index are those that had them at a commit, and none was written.
    private func isUnchanged(
        under prefix: IndexPrefix, _ index: KeyValueTable.Index, since: UInt64, _ table: KeyValueTable
    ) throws(StorageError) -> Bool {
        var start = index.prefix
        for value in prefix.values { KeyCodec.append(value, to: &start) }
        var held: [[UInt8]] = []
        try engine.scan(ByteRange(prefix: start), isReversed: false) { (entry, value) throws(StorageError) in
            let entry = try KeyValueEntry(entry, value)
            held.append(table.prefix + entry.key[entry.prefixCount...])
            return held.count <= prefix.keys.count
        }
        if held.count != prefix.keys.count { return false }
        for key in held {
            let version = try engine.value(key) { value throws(StorageError) in try KeyValueTable.version(of: value) }
            guard let version, version <= since else { return false }
        }
        return true
    }

    private func marks(of table: KeyValueTable) throws(StorageError) -> Marks {
        if sharedCatalog != nil { return try Marks(table, engine) }
        return state.marks[table.entity.name]
            ?? Marks(lastChange: state.firstSequence, lastDeletion: state.firstSequence)
    }
}

extension KeyValueCommitter.Marks {
    /// Reads what is stored for an entity.
    fileprivate init(_ table: KeyValueTable, _ reader: any KeyValueReader) throws(StorageError) {
        let stored = try reader.value(KeyValueCatalog.marksKey(of: table.prefix)) { value throws(StorageError) in
            var reader = KeyValueCellReader(value)
            return Self(lastChange: try reader.fixed(), lastDeletion: try reader.fixed())
        }
        self = stored ?? Self(lastChange: 0, lastDeletion: 0)
    }

    /// Stores them for the entity whose records are in a space.
    func put(of space: [UInt8], in batch: inout KeyValueBatch) {
        batch.put(KeyValueCatalog.marksKey(of: space)) {
            KeyValueCellCodec.append(fixed: lastChange, to: &$0)
            KeyValueCellCodec.append(fixed: lastDeletion, to: &$0)
        }
    }
}
