#if LevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Carries out commits, each in a batch of its own, and syncs once for a group.
///
/// Unchecked because it is touched on the commit queue's thread only.
final class LevelDBCommitter: GroupWriter, @unchecked Sendable {
    /// When an entity was last changed, and when something was last deleted of it.
    private struct Changes {
        var last: UInt64
        var lastDeletion: UInt64
    }

    private let database: LevelDBDatabase
    private let writer: LevelDBWriter
    private let tables: [String: LevelDBTable]
    private let log: LevelDBChangeLog?
    private let signal: ChangeSignal
    private var sequence: UInt64
    private var changes: [String: Changes] = [:]
    /// What was changed before the store was opened is known by its versions, deletions not at all.
    private let firstSequence: UInt64

    init(
        _ database: LevelDBDatabase, _ writer: LevelDBWriter, tables: [String: LevelDBTable], sequence: UInt64,
        log: LevelDBChangeLog?, signal: ChangeSignal
    ) {
        self.database = database
        self.writer = writer
        self.tables = tables
        self.log = log
        self.signal = signal
        self.sequence = sequence
        firstSequence = sequence
    }

    func commit(_ requests: [CommitRequest], _ durability: Durability) -> [Result<CommitReceipt, StorageError>] {
        let isDurable = durability == .powerLoss
        var outcomes = requests.map { request -> Result<CommitReceipt, StorageError> in
            do throws(StorageError) {
                return .success(
                    try database.use { _ throws(StorageError) in
                        try apply(request, isSynced: isDurable && requests.count == 1)
                    })
            } catch {
                return .failure(error)
            }
        }
        if isDurable {
            do throws(StorageError) {
                try database.use { _ throws(StorageError) in try writer.sync() }
            } catch {
                for position in outcomes.indices where (try? outcomes[position].get()) != nil {
                    outcomes[position] = .failure(error)
                }
            }
        }
        if log != nil, let last = outcomes.compactMap({ try? $0.get().sequence }).max() { signal.advance(to: last) }
        return outcomes
    }

    // MARK: One commit

    private func apply(_ request: CommitRequest, isSynced: Bool) throws(StorageError) -> CommitReceipt {
        var change = LevelDBCommit(writer.handle, remembers: try looksBack(request))
        for (index, precondition) in request.preconditions.enumerated() where try !holds(precondition, change) {
            throw StorageError(
                .preconditionFailed, "A precondition does not hold; read again and decide anew.",
                position: .precondition(index))
        }
        if request.operations.isEmpty { return CommitReceipt(sequence: sequence) }
        var receipt = CommitReceipt(sequence: sequence + 1)
        var shrunk: Set<String> = []
        for (index, operation) in request.operations.enumerated() {
            let deletedCount = receipt.deletedCount
            try apply(operation, at: index, to: &change, counting: &receipt)
            if receipt.deletedCount > deletedCount { shrunk.insert(operation.entity) }
        }
        try log?.append(request, receipt.sequence, to: change.batch)
        try writer.write(change.batch, sequence: receipt.sequence, isSynced: isSynced)
        sequence = receipt.sequence
        for operation in request.operations {
            let entity = operation.entity
            let lastDeletion = shrunk.contains(entity) ? sequence : changes[entity]?.lastDeletion
            changes[entity] = Changes(last: sequence, lastDeletion: lastDeletion ?? firstSequence)
        }
        return receipt
    }

    private func table(_ entity: String) throws(StorageError) -> LevelDBTable {
        guard let table = tables[entity] else { throw StorageError.unknownEntity(entity) }
        return table
    }

    /// Whether a step may look at what an earlier one of the same commit wrote.
    private func looksBack(_ request: CommitRequest) throws(StorageError) -> Bool {
        var rowCount = 0
        var looks = false
        for operation in request.operations {
            switch operation {
            case .put(let entity, let rows, let mode):
                rowCount += rows.rowCount
                if mode != .upsert { looks = true }
                if try !table(entity).indexes.isEmpty { looks = true }
            case .delete(_, let keys):
                rowCount += keys.count
                looks = true
            case .clear:
                rowCount += 2
                looks = true
            }
        }
        return looks && rowCount > 1
    }

    private func apply(
        _ operation: WriteOperation, at index: Int, to change: inout LevelDBCommit,
        counting receipt: inout CommitReceipt
    ) throws(StorageError) {
        let table = try table(operation.entity)
        switch operation {
        case .put(_, let rows, let mode):
            for row in 0..<rows.rowCount {
                let outcome = rows.withRow(row) { cells -> Result<Void, StorageError> in
                    do throws(StorageError) {
                        try change.put(cells, version: receipt.sequence, in: table, mode, operation: index)
                        return .success(())
                    } catch {
                        return .failure(error)
                    }
                }
                try outcome.get()
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

    private func holds(_ precondition: Precondition, _ change: LevelDBCommit) throws(StorageError) -> Bool {
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
        let changes = changes[range.entity] ?? Changes(last: firstSequence, lastDeletion: firstSequence)
        if changes.last <= since { return true }
        if changes.lastDeletion > since { return false }
        let (lower, upper) = LevelDBTable.range(KeyCodec.bounds(of: range), in: table.prefix)
        let place = writer.handle.iterator(.latest)
        place.seek(lower)
        while place.isValid && place.key.precedes(upper) {
            if try LevelDBTable.version(of: place.value) > since { return false }
            place.next()
        }
        try place.check()
        return true
    }
}
#endif
