import HoldfastStorage

extension Store {
    /// Reads in a snapshot, which is closed afterwards; as `withSnapshot`, and throws only errors of the store.
    func read<Result>(
        _ body: (StoreSnapshot) async throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        let snapshot = try await snapshot()
        do {
            let result = try await body(snapshot)
            await snapshot.close()
            return result
        } catch {
            await snapshot.close()
            throw error
        }
    }

    /// Records as they are stored, in the order of the keys; `nil` for those that do not exist.
    func records(_ keys: [RecordKey], of model: String) async throws(StorageError) -> [StoredRecord?] {
        var rows = RowBuffer()
        try await get(keys, of: model, into: &rows)
        return keys.indices.map { index in
            rows.versions[index] == 0 ? nil : StoredRecord(row: Array(rows[index]), version: rows.versions[index])
        }
    }

    /// Commits, unless another commit came first.
    ///
    /// - Parameter request: What to commit.
    /// - Returns: Whether it was committed.
    /// - Throws: ``StorageError`` of the commit, except `.preconditionFailed` and `.conflict`.
    func commitIfFirst(_ request: CommitRequest) async throws(StorageError) -> Bool {
        do {
            _ = try await commit(request)
            return true
        } catch {
            guard error.kind == .preconditionFailed || error.kind == .conflict else { throw error }
            return false
        }
    }
}
