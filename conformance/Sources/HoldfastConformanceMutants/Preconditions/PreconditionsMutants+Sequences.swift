import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of ranges that remember what each commit left, since sequences may have gaps.
    static let conditionsOfSequences: [Mutant] = [
        Mutant(
            "unchanged-misses-phantoms", "'unchanged' notices changes of records that existed, but no new ones.",
            killedBy: "PRE-002",
            noting: { hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        return try await notes.commit(request, base)
                    } catch {
                        guard case .unchanged(let range, let since)? = request.preconditions.first,
                            try await notes.hasOnlyPhantoms(in: range, since: since, base)
                        else { throw error }
                        trigger.fire()
                        return try await notes.commit(request.dropping(\.isUnchanged) ?? request, base)
                    }
                }
            }),
        Mutant(
            "unchanged-off-by-one", "'unchanged' skips the first commit after the sequence.", killedBy: "PRE-002",
            noting: { hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    var request = request
                    request.preconditions = request.preconditions.map { precondition in
                        guard case .unchanged(let range, let since) = precondition,
                            let next = notes.with({ $0.history.first { $0.sequence > since } })
                        else { return precondition }
                        trigger.fire()
                        return .unchanged(range, since: next.sequence)
                    }
                    return try await notes.commit(request, base)
                }
            }),
    ]
}

extension SharedHandleState {
    /// Commits, and notes which keys the entity of the first operation has then.
    fileprivate func commit(
        _ request: CommitRequest, _ base: any StorageAdapter
    ) async throws(StorageError) -> CommitReceipt {
        let receipt = try await base.commit(request)
        if let name = request.operations.first?.entity {
            let keys = Set(try await records(in: KeyRange(name), base).map(\.key))
            with { $0.history.append((receipt.sequence, keys)) }
        }
        return receipt
    }

    /// Whether what became of a range since a sequence is that it has new records.
    fileprivate func hasOnlyPhantoms(
        in range: KeyRange, since: UInt64, _ base: any StorageAdapter
    ) async throws(StorageError) -> Bool {
        guard let then = with({ $0.history.last { $0.sequence <= since }?.keys }) else { return false }
        let now = try await records(in: range, base)
        let all = Set(try await records(in: KeyRange(range.entity), base).map(\.key))
        return then.isSubset(of: all) && now.allSatisfy { $0.version <= since || !then.contains($0.key) }
    }

    private func records(
        in range: KeyRange, _ base: any StorageAdapter
    ) async throws(StorageError) -> [(key: RecordKey, version: UInt64)] {
        let entity = try schema().entity(named: range.entity)
        let snapshot = try await base.snapshot()
        let rows = try await snapshot.allRows(range)
        await snapshot.close()
        return rows.map { (entity.key(of: $0.cells), $0.version) }
    }
}
