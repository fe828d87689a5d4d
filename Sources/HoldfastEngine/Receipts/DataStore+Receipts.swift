public import HoldfastModel
import HoldfastStorage

extension DataStore {
    /// Creates or replaces a record, and returns a receipt that follows the change to the service.
    ///
    /// Otherwise as ``save(_:where:)``.
    ///
    /// ```swift
    /// let receipt = try await store.saveWithReceipt(Post(title: "Hold fast"))
    /// let state = try await receipt.state()  // .stored: it awaits the service
    /// let id = receipt.id  // keep it to find the receipt again
    /// ```
    @concurrent public func saveWithReceipt<M: Model>(
        _ model: M, where condition: (any QueryPredicate)? = nil
    ) async throws -> Receipt {
        let (row, entity) = (try model.row(), try catalog.entity(of: M.self))
        let (bound, atService) = (try bound(M.self, condition), M.schema.serviceCondition(condition, of: entity))
        return try await withReceipt(try model.recordKey(), of: entity) { records in
            try await records.save(row, of: entity, where: bound, atService: atService)
        }
    }

    /// Deletes a record and the records that belong to it, and returns a receipt that follows the deletion to the
    /// service.
    ///
    /// Otherwise as ``delete(_:where:)->Bool``.
    @concurrent public func deleteWithReceipt<M: Model>(
        _ model: M, where condition: (any QueryPredicate)? = nil
    ) async throws -> Receipt {
        let (key, entity) = (try model.recordKey(), try catalog.entity(of: M.self))
        let (bound, atService) = (try bound(M.self, condition), M.schema.serviceCondition(condition, of: entity))
        return try await withReceipt(key, of: entity) { records in
            if let bound {
                let rows = try await records.get([key], of: entity)
                if rows.versions[0] == 0 { return }
                try await records.check(bound, rows, of: entity)
            }
            _ = try await records.delete([key], of: entity, atService: atService)
        }
    }

    /// The receipt of an earlier change, also of an earlier run of the application.
    ///
    /// ```swift
    /// let found = store.receipt(id)  // also after the app was started again
    /// ```
    ///
    /// - Parameter id: ``Receipt/id``.
    /// - Returns: `nil` if the text is not such an id, or the store was opened without the model.
    public func receipt(_ id: String) -> Receipt? {
        let parts = id.split(separator: "#", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 3, numbers.count <= 2, let position = numbers[0],
            let clearCount = numbers.count == 1 ? 0 : numbers[1], catalog.model(named: parts[1]) != nil
        else { return nil }
        return Receipt(store: self, model: parts[1], key: parts[2], position: position, clearCount: clearCount)
    }

    func state(of receipt: Receipt) async throws -> Receipt.State {
        guard engine.recordsMutations else { return .confirmed(version: nil) }
        return try await withSnapshot { snapshot in
            let (model, key, position) = (receipt.model, receipt.key, receipt.position)
            // Where nothing was to be sent, nothing was lost.
            if position != 0, try await snapshot.clearCount(of: model).count != receipt.clearCount { return .cleared }
            let keys = OutboxEntry.storedKeys(model, key, position: position)
            let entries = try await snapshot.get(keys, of: OutboxEntry.entity)
            for row in 0..<entries.rowCount where entries.versions[row] != 0 {
                guard let entry = OutboxEntry(entries[row]), entry.position == position else { continue }
                return entry.stage == .inFlight ? .sent : .stored
            }
            let id = OutgoingMutation.ID(model: model, key: key, position: position)
            if let letter = try await snapshot.deadLetter(id) { return .rejected(letter) }
            let metadata = try await snapshot.get([RecordMetadata.storedKey(model, key)], of: RecordMetadata.entity)
            return .confirmed(version: metadata.versions[0] == 0 ? nil : RecordMetadata(metadata[0])?.knownVersion)
        }
    }

    /// Changes records in one commit, and finds the outbox entry of one of them.
    private func withReceipt(
        _ key: RecordKey, of entity: EntitySchema, _ body: (RecordTransaction) async throws -> Void
    ) async throws -> Receipt {
        let text = key.outboxText
        var position: Int64?
        var clearCount: Int64 = 0
        try await cancellable {
            _ = try await engine.commit { _ in
                try await store.withSnapshot { snapshot in
                    let records = RecordTransaction(engine: engine, snapshot: snapshot)
                    try await body(records)
                    var draft = try await records.draft()
                    position = draft.position(of: entity.name, text)
                    if position != nil {
                        let cleared = try await snapshot.clearCount(of: entity.name)
                        draft.require([cleared.isCurrent])
                        clearCount = cleared.count
                    }
                    return draft
                }
            }
        }
        return Receipt(
            store: self, model: entity.name, key: text, position: position ?? 0, clearCount: clearCount)
    }
}
