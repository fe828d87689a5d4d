package import HoldfastStorage

// The table of versions, as pure functions.
extension ServerModel {
    /// What becomes of a mutation.
    ///
    /// Whether the record is there is judged first, then the version, then the condition.
    ///
    /// - Parameters:
    ///   - mutation: The request.
    ///   - stored: All cells of the stored record; `nil` if there is none.
    ///   - strategy: How conflicts are dealt with.
    /// - Returns: The row to write, a refusal, or a question to the conflict function.
    package func decide(
        _ mutation: Mutation, stored: [Value]?, strategy: ConflictStrategy
    ) -> MutationDecision {
        guard let stored else {
            guard mutation.operation == .create, holds(mutation.condition, blankRow(mutation.key)) else {
                return .conditionFailed
            }
            return .write(finished(applied(mutation, to: blankRow(mutation.key)), mutation, over: nil))
        }
        guard mutation.operation != .create else { return .conditionFailed }
        let current = version(of: stored)
        let isCurrent = mutation.version == current
        let isTombstone = isDeleted(stored)
        let revives = isTombstone && mutation.operation == .update
        switch strategy {
        case .optimisticConcurrency:
            if !isCurrent || revives { return .conflict }
        case .automerge:
            if !isCurrent, mutation.operation == .delete || isTombstone { return .conflict }
        case .handler:
            if !isCurrent || revives {
                guard holds(mutation.condition, stored) else { return .conditionFailed }
                return .ask(replaced(stored, by: mutation))
            }
        }
        guard holds(mutation.condition, stored) else { return .conditionFailed }
        let row = isCurrent ? applied(mutation, to: stored) : merged(mutation, into: stored)
        return .write(finished(row, mutation, over: stored))
    }

    /// The row that is written when the conflict function has decided.
    ///
    /// - Parameters:
    ///   - row: What the function made; its key, version, and times count for nothing.
    ///   - removes: Whether the record becomes a tombstone.
    ///   - mutation: The request.
    ///   - stored: All cells of the stored record.
    /// - Returns: All cells of the row, with the stored key, the next version, and the time of the change.
    func resolved(_ row: [Value], removes: Bool, _ mutation: Mutation, stored: [Value]) -> [Value] {
        var row = row
        for position in entity.primaryKeyPositions { row[position] = stored[position] }
        return finished(
            row, removes ? .delete : .update, over: stored, now: mutation.now, tombstoneLife: mutation.tombstoneLife)
    }

    /// What the record would be if there were no conflict.
    private func replaced(_ stored: [Value], by mutation: Mutation) -> [Value] {
        finished(applied(mutation, to: stored), mutation, over: stored)
    }

    private func applied(_ mutation: Mutation, to row: [Value]) -> [Value] {
        var row = row
        for change in mutation.changes { row[change.position] = change.value }
        return row
    }

    private func merged(_ mutation: Mutation, into stored: [Value]) -> [Value] {
        var row = stored
        for change in mutation.changes {
            row[change.position] = columns[change.position].merging.merge(stored[change.position], change.value)
        }
        return row
    }

    private func finished(_ row: [Value], _ mutation: Mutation, over stored: [Value]?) -> [Value] {
        finished(row, mutation.operation, over: stored, now: mutation.now, tombstoneLife: mutation.tombstoneLife)
    }

    /// The row with what only the service sets.
    ///
    /// - Parameters:
    ///   - row: All cells of the row.
    ///   - operation: What is done.
    ///   - stored: All cells of the record that is replaced; `nil` for a new record.
    ///   - now: Milliseconds since 1970.
    ///   - tombstoneLife: How many seconds a tombstone is kept.
    /// - Returns: All cells of the row, with the next version, and the time of the change.
    func finished(
        _ row: [Value], _ operation: MutationOperation, over stored: [Value]?, now: Int64, tombstoneLife: Int64
    ) -> [Value] {
        var row = row
        let version = stored.map { self.version(of: $0) } ?? 0
        row[self.version] = .integer(version + 1)
        row[lastChangedAt] = .integer(stored.map { max(now, lastChangedAt(of: $0) + 1) } ?? now)
        let isDeletion = operation == .delete
        row[deleted] = isDeletion ? .boolean(true) : .null
        row[timeToLive] = isDeletion ? .integer(now / 1000 + tombstoneLife) : .null
        return row
    }

    private func holds(_ condition: RecordFilter?, _ row: [Value]) -> Bool {
        condition.map { $0.matches(row) } ?? true
    }

    /// All cells of a record that has only its key.
    func blankRow(_ key: RecordKey) -> [Value] {
        var row = [Value](repeating: .null, count: entity.fields.count)
        for (position, value) in zip(entity.primaryKeyPositions, key.components) { row[position] = value }
        return row
    }

    // MARK: - What the service sets

    /// The version of a record, which the service raises by one with every change.
    package func version(of row: some RandomAccessCollection<Value>) -> Int64 { integer(row, version) }

    /// When a record was changed last, in milliseconds since 1970.
    package func lastChangedAt(of row: some RandomAccessCollection<Value>) -> Int64 { integer(row, lastChangedAt) }

    /// What is left of a record that the store has forgotten: its key, and that it is deleted.
    func tombstone(of key: RecordKey) -> [Value] {
        var row = blankRow(key)
        row[deleted] = .boolean(true)
        return row
    }

    /// Whether a record is a tombstone.
    package func isDeleted(_ row: some RandomAccessCollection<Value>) -> Bool {
        row[row.index(row.startIndex, offsetBy: deleted)] == .boolean(true)
    }

    private func integer(_ row: some RandomAccessCollection<Value>, _ position: Int) -> Int64 {
        if case .integer(let value) = row[row.index(row.startIndex, offsetBy: position)] { value } else { 0 }
    }
}
