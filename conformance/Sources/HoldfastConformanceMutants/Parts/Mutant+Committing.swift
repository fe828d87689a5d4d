import HoldfastConformance
import HoldfastStorage

/// Mutants of commits.
extension Mutant {
    /// A commit carried out wrongly; it fires the trigger when that happens.
    typealias Committing =
        @Sendable (CommitRequest, any StorageAdapter, MutantTrigger) async throws(StorageError) -> CommitReceipt

    /// Creates a mutant that carries out commits itself.
    init(_ id: String, _ summary: String, killedBy clause: String, committing commit: @escaping Committing) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in try await commit(request, base, trigger) }
            }
        }
    }

    /// Creates a mutant that commits something else than was asked.
    ///
    /// `change` returns the other request, or `nil` where the mutant does not apply.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        requesting change: @escaping @Sendable (CommitRequest) -> CommitRequest?
    ) {
        self.init(id, summary, killedBy: clause) { request, base, trigger throws(StorageError) in
            guard let changed = change(request) else { return try await base.commit(request) }
            trigger.fire()
            return try await base.commit(changed)
        }
    }

    /// Creates a mutant that changes receipts.
    ///
    /// If `hangs` is `true`, what waits for a commit can wait forever after a changed receipt. The default is `false`.
    init(
        _ id: String, _ summary: String, killedBy clause: String, hangs: Bool = false,
        acknowledging change: @escaping @Sendable (CommitRequest, CommitReceipt) -> CommitReceipt
    ) {
        self.init(id, summary, killedBy: clause) { request, base, trigger throws(StorageError) in
            let receipt = try await base.commit(request)
            let changed = change(request, receipt)
            if changed != receipt { if hangs { trigger.hang() } else { trigger.fire() } }
            return changed
        }
    }

    /// Creates a mutant that changes the errors of commits.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        failing change: @escaping @Sendable (CommitRequest, StorageError) -> StorageError
    ) {
        self.init(id, summary, killedBy: clause) { request, base, trigger throws(StorageError) in
            do throws(StorageError) {
                return try await base.commit(request)
            } catch {
                let changed = change(request, error)
                if changed.debugDescription != error.debugDescription { trigger.fire() }
                throw changed
            }
        }
    }
}

extension CommitRequest {
    /// The rows and keys of all operations.
    var writtenCount: Int {
        operations.reduce(0) { count, operation in
            switch operation {
            case .put(_, let rows, _): count + rows.rowCount
            case .delete(_, let keys): count + keys.count
            case .clear: count + 1
            }
        }
    }

    /// Whether one of the preconditions is of a kind.
    func hasPrecondition(_ test: (Precondition) -> Bool) -> Bool { preconditions.contains(where: test) }

    /// The same with other operations; `nil` if every operation stays as it is.
    func changing(_ change: (WriteOperation) -> WriteOperation?) -> CommitRequest? {
        var request = self
        var isChanged = false
        request.operations = operations.map { operation in
            guard let changed = change(operation) else { return operation }
            isChanged = true
            return changed
        }
        return isChanged ? request : nil
    }

    /// The same with other preconditions; `nil` if all stay.
    func dropping(_ test: (Precondition) -> Bool) -> CommitRequest? {
        guard preconditions.contains(where: test) else { return nil }
        var request = self
        request.preconditions.removeAll(where: test)
        return request
    }
}

extension WriteOperation {
    /// The same put with other rows; `nil` if the rows stay, or this is not a put.
    func changingRows(_ change: ([[Value]]) -> [[Value]]) -> WriteOperation? {
        guard case .put(let entity, let rows, let mode) = self else { return nil }
        let cells = (0..<rows.rowCount).map { Array(rows[$0]) }
        let changed = change(cells)
        return changed == cells ? nil : .put(entity: entity, rows: RowBuffer(rows: changed), mode: mode)
    }
}

extension Precondition {
    /// Whether this is `.unchanged`.
    var isUnchanged: Bool { if case .unchanged = self { true } else { false } }
    /// Whether this is `.absent`.
    var isAbsent: Bool { if case .absent = self { true } else { false } }
    /// Whether this is `.present`.
    var isPresent: Bool { if case .present = self { true } else { false } }
    /// Whether this is `.version`.
    var isVersion: Bool { if case .version = self { true } else { false } }
}
