import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `PRE` must find.
    static let preconditions: [Mutant] =
        conditions + conditionsOfSequences + uniqueness + failedPreconditions
        + indexPrefixes + preconditionsOfHandles

    private static let conditions: [Mutant] = [
        Mutant(
            "absent-ignored", "'absent' always holds.", killedBy: "PRE-001", requesting: { $0.dropping(\.isAbsent) }),
        Mutant(
            "present-ignored", "'present' always holds.", killedBy: "PRE-001", requesting: { $0.dropping(\.isPresent) }),
        Mutant(
            "version-ignored", "'version' always holds.", killedBy: "PRE-001", requesting: { $0.dropping(\.isVersion) }),
        Mutant(
            "version-of-missing-holds", "'version' holds if there is no such record.", killedBy: "PRE-001",
            committing: { request, base, trigger throws(StorageError) in
                try await base.commit(request.weakened(base, trigger) { current, version in current == 0 })
            }),
        Mutant(
            "newer-version-holds", "'version' holds for an older record than demanded.", killedBy: "PRE-001",
            committing: { request, base, trigger throws(StorageError) in
                try await base.commit(
                    request.weakened(base, trigger) { current, version in current > 0 && current < version })
            }),
        Mutant(
            "older-version-holds", "'version' holds for a newer record than demanded.", killedBy: "PRE-001",
            committing: { request, base, trigger throws(StorageError) in
                try await base.commit(
                    request.weakened(base, trigger) { current, version in current > version && version > 0 })
            }),
        Mutant(
            "version-zero-is-absent", "Version 0 stands for a record that does not exist.", killedBy: "PRE-001",
            committing: { request, base, trigger throws(StorageError) in
                try await base.commit(
                    request.weakened(base, trigger) { current, version in current == 0 && version == 0 })
            }),
        Mutant(
            "unchanged-ignored", "'unchanged' always holds.", killedBy: "PRE-002",
            requesting: { $0.dropping(\.isUnchanged) }),
        Mutant(
            "unchanged-sees-records-only", "'unchanged' looks at the records that are there: deletes go unnoticed.",
            killedBy: "PRE-002",
            committing: { request, base, trigger throws(StorageError) in
                try await base.commit(
                    request.droppingUnchanged(base, trigger) { record, range, since in
                        record.version > since
                    })
            }),
        Mutant(
            "unchanged-of-prefix-is-empty", "'unchanged' of the beginning of a key covers no key.", killedBy: "PRE-002",
            requesting: { request in
                request.dropping { precondition in
                    guard case .unchanged(let range, _) = precondition, case .included(let prefix) = range.upper else {
                        return false
                    }
                    return prefix.count == 1
                }
            }),
        Mutant(
            "unchanged-refuses-own-sequence", "'unchanged' fails for the commit of the sequence itself.",
            killedBy: "PRE-002",
            requesting: { request in
                guard request.preconditions.contains(where: \.isUnchanged) else { return nil }
                var request = request
                request.preconditions = request.preconditions.map { precondition in
                    guard case .unchanged(let range, let since) = precondition, since > 0, since < .max else {
                        return precondition
                    }
                    return .unchanged(range, since: since - 1)
                }
                return request
            }),
        Mutant("delete-log-cut-off", "After 1,000 deletes the older ones are forgotten.", killedBy: "PRE-003") {
            base, trigger in
            let deleted = Counter()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    if deleted.current > 1_000, let weaker = request.dropping({ $0.coversItem(7) }) {
                        trigger.fire()
                        return try await base.commit(weaker)
                    }
                    let receipt = try await base.commit(request)
                    deleted.set(deleted.current + receipt.deletedCount)
                    return receipt
                }
            }
        },
        Mutant(
            "only-first-delete-logged", "Of several deleted records only the first is remembered.", killedBy: "PRE-003"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    let weaker = request.dropping { precondition in
                        if case .unchanged(let range, _) = precondition, case .excluded = range.upper {
                            true
                        } else {
                            false
                        }
                    }
                    if let weaker {
                        trigger.fire()
                        return try await base.commit(weaker)
                    }
                    return try await base.commit(request)
                }
            }
        },
        Mutant(
            "preconditions-after-operations", "Preconditions are judged after the operations.", killedBy: "PRE-004",
            committing: { request, base, trigger throws(StorageError) in
                guard !request.operations.isEmpty, request.hasPrecondition(\.isPresent), request.operations.count == 1,
                    case .put(_, let rows, .upsert) = request.operations[0], rows.rowCount == 1
                else { return try await base.commit(request) }
                trigger.fire()
                var request = request
                request.preconditions.removeAll { precondition in
                    if case .present(_, let key) = precondition { key == RecordKey([rows[0, 0]]) } else { false }
                }
                return try await base.commit(request)
            }),
        Mutant(
            "own-deletes-count-for-absent", "'absent' holds if the commit deletes the record.", killedBy: "PRE-004",
            requesting: { request in
                guard case .delete? = request.operations.first else { return nil }
                return request.dropping(\.isAbsent)
            }),
        Mutant(
            "own-writes-break-version", "'version' fails if the commit writes the record twice.", killedBy: "PRE-004",
            committing: { request, base, trigger throws(StorageError) in
                if let index = request.preconditions.firstIndex(where: \.isVersion), request.operations.count > 3 {
                    trigger.fire()
                    throw StorageError(.preconditionFailed, "The record was written.", position: .precondition(index))
                }
                return try await base.commit(request)
            }),
        Mutant(
            "only-first-precondition", "Only the first precondition counts.", killedBy: "PRE-005",
            requesting: { request in
                guard request.preconditions.count > 1 else { return nil }
                var request = request
                request.preconditions = [request.preconditions[0]]
                return request
            }),
        Mutant(
            "first-32-preconditions", "Only the first 32 preconditions count.", killedBy: "PRE-005",
            requesting: { request in
                guard request.preconditions.count > 32 else { return nil }
                var request = request
                request.preconditions = Array(request.preconditions[..<32])
                return request
            }),
        Mutant(
            "preconditions-of-written-records", "Preconditions about entities that are not written do not count.",
            killedBy: "PRE-005",
            requesting: { request in
                request.dropping { precondition in
                    if case .unchanged(let range, _) = precondition { range.entity == "Pair" } else { false }
                }
            }),
        Mutant(
            "precondition-position-of-last", "The error names the last precondition.", killedBy: "PRE-005",
            failing: { request, error in
                var error = error
                if case .precondition = error.position {
                    error.position = .precondition(request.preconditions.count - 1)
                }
                return error
            }),
        Mutant(
            "ranges-judged-last", "Preconditions about ranges are judged after the others.", killedBy: "PRE-005",
            failing: { request, error in
                var error = error
                if case .precondition(let index)? = error.position, request.preconditions[index].isUnchanged {
                    error.position = .precondition(index + 1)
                }
                return error
            }),
        Mutant(
            "empty-commit-skips-preconditions", "A commit without operations judges no preconditions.",
            killedBy: "PRE-006",
            requesting: { request in request.operations.isEmpty ? request.dropping { _ in true } : nil }),
        Mutant(
            "empty-commit-skips-ranges", "A commit without operations judges no ranges.", killedBy: "PRE-006",
            requesting: { request in request.operations.isEmpty ? request.dropping(\.isUnchanged) : nil }),
        Mutant(
            "check-then-write", "'absent' and inserts are checked before the commit, in a step of its own.",
            killedBy: "PRE-007",
            committing: { request, base, trigger throws(StorageError) in
                guard request.operations.count == 1, case .put(let entity, let rows, let mode) = request.operations[0],
                    rows.rowCount == 1, mode == .insert || request.hasPrecondition(\.isAbsent)
                else { return try await base.commit(request) }
                var stored = RowBuffer()
                try await base.get(GetRequest(entity, keys: [RecordKey([rows[0, 0]])]), into: &stored)
                guard stored.versions == [0] else { throw StorageError(.preconditionFailed, "The record exists.") }
                try? await Task.sleep(for: .milliseconds(2))
                let late = CommitRequest(operations: [.put(entity: entity, rows: rows, mode: .upsert)])
                do throws(StorageError) {
                    return try await base.commit(request)
                } catch {
                    trigger.fire()
                    return try await base.commit(late)
                }
            }),
    ]
}

extension Precondition {
    /// Whether this is about a range that is one item alone.
    fileprivate func coversItem(_ number: Int) -> Bool {
        guard case .unchanged(let range, _) = self, case .included(let prefix) = range.lower else { return false }
        return prefix == [.text(Items.id(number))]
    }
}

extension CommitRequest {
    /// The same without the versions that a mutant lets pass.
    fileprivate func weakened(
        _ base: any StorageAdapter, _ trigger: MutantTrigger, _ passes: (UInt64, UInt64) -> Bool
    ) async throws(StorageError) -> CommitRequest {
        var request = self
        request.preconditions = []
        for precondition in preconditions {
            if case .version(let entity, let key, let version) = precondition {
                var stored = RowBuffer()
                try await base.get(GetRequest(entity, keys: [key]), into: &stored)
                if stored.versions[0] != version || version == 0, passes(stored.versions[0], version) {
                    trigger.fire()
                    continue
                }
            }
            request.preconditions.append(precondition)
        }
        return request
    }

    /// The same without the ranges in which no record is as a mutant demands for a refusal.
    fileprivate func droppingUnchanged(
        _ base: any StorageAdapter, _ trigger: MutantTrigger, _ refuses: (StoredRow, KeyRange, UInt64) -> Bool
    ) async throws(StorageError) -> CommitRequest {
        var request = self
        request.preconditions = []
        for precondition in preconditions {
            if case .unchanged(let range, let since) = precondition {
                let snapshot = try await base.snapshot()
                var scan = try await snapshot.scan(range)
                let records = try await scan.drain()
                await snapshot.close()
                if !records.contains(where: { refuses($0, range, since) }) {
                    trigger.fire()
                    continue
                }
            }
            request.preconditions.append(precondition)
        }
        return request
    }
}
