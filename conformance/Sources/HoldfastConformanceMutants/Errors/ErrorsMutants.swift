import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `ERR` must find.
    static let errors: [Mutant] = errorsOfCalls + errorsOfDisks

    private static let errorsOfCalls: [Mutant] = [
        Mutant(
            "position-missing", "A failed commit does not say where.", killedBy: "ERR-001",
            failing: { _, error in StorageError(error.kind, error.message, transaction: error.transaction) }),
        Mutant(
            "position-of-operation-off-by-one", "Positions of operations count from 1.", killedBy: "ERR-001",
            failing: { _, error in
                var error = error
                if case .operation(let index)? = error.position { error.position = .operation(index + 1) }
                return error
            }),
        Mutant(
            "precondition-failure-is-conflict", "A precondition that fails is reported as a conflict.",
            killedBy: "ERR-001",
            failing: { _, error in
                guard error.kind == .preconditionFailed else { return error }
                return StorageError(.conflict, error.message, transaction: error.transaction, position: error.position)
            }),
        Mutant(
            "precondition-failure-never-retry", "A precondition that fails advises against trying again.",
            killedBy: "ERR-001",
            failing: { _, error in
                var error = error
                if error.kind == .preconditionFailed { error.retry = .never }
                return error
            }),
        Mutant(
            "failure-with-unknown-outcome", "A commit that was undone says that its outcome is unknown.",
            killedBy: "ERR-001",
            failing: { _, error in
                var error = error
                error.transaction = .outcomeUnknown
                return error
            }),
        Mutant(
            "unique-violation-is-io", "A unique index's refusal is reported as an I/O error.", killedBy: "ERR-002",
            failing: { _, error in
                guard error.kind == .uniqueViolation else { return error }
                return StorageError(.io, error.message, transaction: error.transaction, position: error.position)
            }),
        Mutant(
            "unique-violation-says-retry", "A unique index's refusal advises to try again.", killedBy: "ERR-002",
            failing: { _, error in
                var error = error
                if error.kind == .uniqueViolation { error.retry = .immediately }
                return error
            }),
        Mutant(
            "unique-violation-is-precondition", "A unique index's refusal is reported as a failed precondition.",
            killedBy: "ERR-002",
            failing: { _, error in
                guard error.kind == .uniqueViolation else { return error }
                return StorageError(.preconditionFailed, error.message, position: error.position)
            }),
        Mutant(
            "values-in-messages", "The message of a failed put contains the row.", killedBy: "ERR-003",
            failing: { request, error in
                var error = error
                for case .put(_, let rows, _) in request.operations { error.message += " \(rows.cells)" }
                return error
            }),
        Mutant(
            "keys-in-messages", "The message of a failed precondition contains the key.", killedBy: "ERR-003",
            failing: { request, error in
                var error = error
                if case .precondition(let index)? = error.position {
                    error.message += " \(request.preconditions[index])"
                }
                return error
            }),
        Mutant(
            "commit-after-failure-lost", "The commit after a failed one is acknowledged and lost.", killedBy: "ERR-004"
        ) { base, trigger in
            let hasFailed = Counter()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    if hasFailed.current > 0, request.operations.count == 1 {
                        hasFailed.set(0)
                        trigger.fire()
                        return try await base.commit(
                            CommitRequest(operations: [.delete(entity: request.operations[0].entity, keys: [])]))
                    }
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        hasFailed.set(1)
                        throw error
                    }
                }
            }
        },
        Mutant("store-worn-out-by-failures", "After 100 failed commits the store is busy.", killedBy: "ERR-004") {
            base, trigger in
            let failures = Counter()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    if failures.current > 100 {
                        trigger.fire()
                        throw StorageError(.busy, "A transaction is open.")
                    }
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        _ = failures.next()
                        throw error
                    }
                }
            }
        },
        Mutant(
            "next-commit-repeats-failed-delete", "The deletes of a failed commit run with the next one.",
            killedBy: "ERR-004"
        ) { base, trigger in
            let keep = KeptOperation()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    var request = request
                    if let kept = keep.take(), request.operations.count == 1 {
                        trigger.fire()
                        request.operations.append(kept)
                    }
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        if case .delete? = request.operations.first { keep.put(request.operations[0]) }
                        throw error
                    }
                }
            }
        },
        Mutant(
            "failure-takes-neighbors-along", "A commit acknowledged while another fails is undone with it.",
            killedBy: "ERR-005"
        ) { base, trigger in
            let keep = KeptOperation()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    do throws(StorageError) {
                        let receipt = try await base.commit(request)
                        if request.operations.count == 1 { keep.put(request.operations[0]) }
                        return receipt
                    } catch {
                        if case .put(let entity, let rows, .insert)? = keep.take() {
                            trigger.fire()
                            _ = try await base.commit(
                                CommitRequest(operations: [.delete(entity: entity, keys: [RecordKey([rows[0, 0]])])]))
                        }
                        throw error
                    }
                }
            }
        },
        Mutant(
            "neighbor-shares-failure", "A commit that follows a failed one fails likewise, once in ten.",
            killedBy: "ERR-005"
        ) { base, trigger in
            let failures = Counter()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    do throws(StorageError) {
                        let receipt = try await base.commit(request)
                        guard failures.current >= 10 else { return receipt }
                        failures.set(0)
                        trigger.fire()
                    } catch {
                        _ = failures.next()
                        throw error
                    }
                    throw StorageError(.preconditionFailed, "A record exists.", position: .operation(0))
                }
            }
        },
        Mutant("closed-store-takes-commits", "A commit after `close()` is acknowledged.", killedBy: "ERR-006") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        guard error.kind == .closed else { throw error }
                        trigger.fire()
                        return CommitReceipt(sequence: 1)
                    }
                }
            }
        },
        Mutant(
            "closed-is-misuse", "Calls after `close()` are reported as misuse.", killedBy: "ERR-006",
            failing: { _, error in error.kind == .closed ? StorageError(.misuse, error.message) : error }),
        Mutant("empty-commit-on-closed-store", "An empty commit succeeds after `close()`.", killedBy: "ERR-006") {
            base, trigger in
            let isClosed = Counter()
            return HookedAdapter(base) { hooks in
                hooks.closing = { base throws(StorageError) in
                    isClosed.set(1)
                    try await base.close()
                }
                hooks.committing = { request, base throws(StorageError) in
                    guard isClosed.current == 1, request.operations.isEmpty else {
                        return try await base.commit(request)
                    }
                    trigger.fire()
                    return CommitReceipt(sequence: 1)
                }
            }
        },
        Mutant("second-close-fails", "Closing twice fails.", killedBy: "ERR-006") { base, trigger in
            let count = Counter()
            return HookedAdapter(base) { hooks in
                hooks.closing = { base throws(StorageError) in
                    if count.next() > 0 {
                        trigger.fire()
                        throw StorageError(.closed, "The store is closed.")
                    }
                    try await base.close()
                }
            }
        },
        Mutant("second-open-succeeds", "Opening twice succeeds.", killedBy: "ERR-007") { base, trigger in
            let count = Counter()
            return HookedAdapter(base) { hooks in
                hooks.opening = { request, base throws(StorageError) in
                    if count.next() > 0 {
                        trigger.fire()
                        return
                    }
                    try await base.open(request)
                }
            }
        },
        Mutant("second-open-closes", "Opening twice fails and closes the store.", killedBy: "ERR-007") {
            base, trigger in
            let count = Counter()
            return HookedAdapter(base) { hooks in
                hooks.opening = { request, base throws(StorageError) in
                    if count.next() > 0 {
                        trigger.fire()
                        try await base.close()
                        throw StorageError(.misuse, "The store is open.")
                    }
                    try await base.open(request)
                }
            }
        },
    ]
}

/// An operation that a mutant keeps for later.
private final class KeptOperation: Sendable {
    private let kept = Mutex<WriteOperation?>(nil)

    func put(_ operation: WriteOperation) { kept.withLock { $0 = operation } }

    func take() -> WriteOperation? {
        kept.withLock { kept in
            defer { kept = nil }
            return kept
        }
    }
}
