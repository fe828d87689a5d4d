public import HoldfastModel
import HoldfastStorage

extension DataStore {
    /// The changes that were given up, oldest first; empty if mutations are not recorded.
    ///
    /// They are those of the user who is signed in, or was last, and those of no one. The letters of other users stay in
    /// the store for them; they can neither be retried nor discarded meanwhile.
    ///
    /// The store has each record as the service has it. A letter can be retried, edited, or discarded, and blocks
    /// nothing.
    ///
    /// ```swift
    /// for letter in try await store.deadLetters() {
    ///     let reason = "\(letter.operation) \(letter.model): \(letter.message ?? "")"
    ///     show(reason)  // and let the person decide: send it again, or give it up
    /// }
    /// ```
    ///
    /// - Parameter limit: The maximum number to return; `nil` for all.
    /// - Returns: The letters, oldest first.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed`, `.io`.
    @concurrent public func deadLetters(limit: Int? = nil) async throws -> [DeadLetter] {
        guard engine.recordsMutations else { return [] }
        return try await withSnapshot { snapshot in
            let isShown = DeadLetter.shown(to: try await presentIdentity(in: snapshot))
            let rows = try await snapshot.rows(QueryPlan(DeadLetter.entity.name, where: isShown, limit: limit))
            return (0..<rows.rowCount).compactMap { DeadLetter(rows[$0]) }
        }
    }

    /// The letter of a change of any user, read by its key; `nil` if the change was not given up.
    @concurrent package func deadLetter(_ id: OutgoingMutation.ID) async throws -> DeadLetter? {
        guard engine.recordsMutations else { return nil }
        return try await withSnapshot { try await $0.deadLetter(id) }
    }

    /// Repeats a change that was given up, on the record as it is now, and removes the letter, in one commit.
    ///
    /// ```swift
    /// try await store.retry(letter)  // the change is in the outbox again, and the letter is gone
    /// ```
    ///
    /// - Returns: Whether the letter existed, for this user.
    /// - Throws: ``/HoldfastModel/ModelError`` `.conditionFailed` if it changes some fields of a record that does not
    ///   exist any longer, or if a field has another type than when the change was made; save a whole record with
    ///   ``retry(_:as:)``. ``/HoldfastModel/ModelError`` `.unregistered`;
    ///   otherwise as ``save(_:where:)``. Nothing was changed.
    @discardableResult
    @concurrent public func retry(_ letter: DeadLetter) async throws -> Bool {
        guard let entity = catalog.model(named: letter.model)?.entity,
            let key = RecordKey(outboxText: letter.key, of: entity)
        else { throw ModelError.unregistered(letter.model) }
        return try await take(letter) { records in
            if letter.operation == .delete {
                try await records.delete([key], of: entity, atService: letter.condition)
                return
            }
            let stored = try await records.get([key], of: entity)
            guard letter.operation == .create || stored.versions[0] != 0 else {
                throw ModelError(
                    .conditionFailed, "The '\(letter.model)' of the dead letter does not exist; save a whole one.")
            }
            var row = stored.versions[0] == 0 ? entity.row(ofKey: key.components) : Array(stored[0])
            let text = letter.payload ?? "{}"
            let changed = entity.fields.indices.filter {
                letter.operation == .create || JSONMembers.contains(entity.fields[$0].name, in: text)
            }
            for (position, value) in zip(changed, FieldValues.values(text, changed, of: entity)) {
                let name = entity.fields[position].name
                guard !value.isNull || !JSONMembers.containsValue(of: name, in: text) else {
                    throw ModelError(
                        .conditionFailed,
                        "The dead letter's value of '\(name)' does not fit the field any longer; save a whole record.")
                }
                row[position] = value
            }
            try await records.save(RowBuffer(row: row), of: entity, atService: letter.condition)
        }
    }

    /// Saves a record in place of a change that was given up, and removes the letter, in one commit.
    ///
    /// - Returns: Whether the letter existed, for this user.
    /// - Throws: As ``save(_:where:)``. Nothing was changed.
    @discardableResult
    @concurrent public func retry<M: Model>(_ letter: DeadLetter, as model: M) async throws -> Bool {
        let (row, entity) = (try model.row(), try catalog.entity(of: M.self))
        return try await take(letter) { try await $0.save(row, of: entity) }
    }

    /// Removes a letter permanently.
    ///
    /// ```swift
    /// let existed = try await store.discard(letter)  // false: it was sent again above
    /// ```
    ///
    /// - Returns: Whether the letter existed, for this user.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.conflict` if other writers kept getting in between, `.full`,
    ///   `.io`. The letter is kept, unless the error says `outcomeUnknown`.
    @discardableResult
    @concurrent public func discard(_ letter: DeadLetter) async throws -> Bool {
        try await take(letter) { _ in }
    }

    /// Removes a letter in the commit of a transaction; without the letter the transaction does nothing.
    private func take(
        _ letter: DeadLetter, _ body: (RecordTransaction) async throws -> Void
    ) async throws -> Bool {
        var isThere = false
        try await cancellable {
            _ = try await engine.commit { _ in
                try await store.withSnapshot { snapshot in
                    let stored = try await snapshot.get([letter.storedKey], of: DeadLetter.entity)
                    let identity = try await presentIdentity(in: snapshot)
                    isThere = DeadLetter(stored[0])?.isShown(to: identity) ?? false
                    if !isThere { return WriteDraft(pending: PendingEntries(), at: nil) }
                    let records = RecordTransaction(engine: engine, snapshot: snapshot)
                    try await body(records)
                    var draft = try await records.draft()
                    draft.require([
                        .version(entity: DeadLetter.entity.name, key: letter.storedKey, stored.versions[0])
                    ])
                    draft.add(
                        [.delete(entity: DeadLetter.entity.name, keys: [letter.storedKey])], publishing: [])
                    return draft
                }
            }
        }
        return isThere
    }
}

extension StoreSnapshot {
    /// The letter of a change; `nil` if the change was not given up.
    func deadLetter(_ id: OutgoingMutation.ID) async throws -> DeadLetter? {
        let key = DeadLetter.storedKey(position: id.position, model: id.model, key: id.key)
        let letters = try await get([key], of: DeadLetter.entity)
        return letters.versions[0] == 0 ? nil : DeadLetter(letters[0])
    }
}
