import HoldfastAdapterKit
import HoldfastStorage

/// A commit within its writing transaction; if it throws, the transaction is given up as a whole.
struct LMDBCommit {
    let transaction: LMDBTransaction
    let store: LMDBStore

    /// Checks and applies a request.
    mutating func apply(_ request: CommitRequest) throws(StorageError) -> CommitReceipt {
        var head = try store.head(transaction)
        for (index, precondition) in request.preconditions.enumerated() where try !holds(precondition) {
            throw StorageError(
                .preconditionFailed, "A precondition does not hold; read again and decide anew.",
                position: .precondition(index))
        }
        if request.operations.isEmpty { return CommitReceipt(sequence: head.sequence) }
        head.sequence += 1
        var receipt = CommitReceipt(sequence: head.sequence)
        for (index, operation) in request.operations.enumerated() {
            do {
                try apply(operation, &receipt)
            } catch {
                var error = error
                // A full disk is no matter of one operation.
                if [.preconditionFailed, .limitExceeded].contains(error.kind) { error.position = .operation(index) }
                throw error
            }
        }
        try head.write(transaction)
        return receipt
    }

    private func holds(_ precondition: Precondition) throws(StorageError) -> Bool {
        switch precondition {
        case .absent(let entity, let key): return try version(entity, key) == nil
        case .present(let entity, let key): return try version(entity, key) != nil
        case .version(let entity, let key, let version): return try self.version(entity, key) == version
        case .unchanged(let range, let since):
            let table = try store.table(range.entity)
            let lastDeletion = try transaction.value(table.deletionKey, LMDBTable.version)
            if let lastDeletion, lastDeletion > since { return false }
            var isUnchanged = true
            try transaction.scan(table.range(range)) { (_, bytes) throws(StorageError) in
                isUnchanged = try LMDBTable.version(bytes) <= since
                return isUnchanged
            }
            return isUnchanged
        }
    }

    private func version(_ entity: String, _ key: RecordKey) throws(StorageError) -> UInt64? {
        try transaction.value(try store.table(entity).key(key), LMDBTable.version)
    }

    private func apply(_ operation: WriteOperation, _ receipt: inout CommitReceipt) throws(StorageError) {
        let table = try store.table(operation.entity)
        var deletedCount = 0
        switch operation {
        case .put(_, let rows, let mode):
            for row in 0..<rows.rowCount {
                let key = table.key(table.entity.key(of: rows[row]))
                try check(mode, key, table)
                try transaction.put(table.encode(rows[row], version: receipt.sequence), at: key)
            }
            receipt.putCount += rows.rowCount
        case .delete(_, let keys):
            for key in keys where try transaction.delete(table.key(key)) { deletedCount += 1 }
        case .clear: deletedCount = try transaction.deleteAll(table.range)
        }
        guard deletedCount > 0 else { return }
        receipt.deletedCount += deletedCount
        var sequence: [UInt8] = []
        LMDBRowCodec.append(receipt.sequence, to: &sequence)
        try transaction.put(sequence, at: table.deletionKey)
    }

    private func check(_ mode: WriteOperation.PutMode, _ key: [UInt8], _ table: LMDBTable) throws(StorageError) {
        if mode == .upsert { return }
        let exists = try transaction.contains(key)
        if exists == (mode == .update) { return }
        let fault = exists ? "to be created exists already" : "to be replaced does not exist"
        throw StorageError(.preconditionFailed, "A record of '\(table.entity.name)' \(fault).")
    }
}
