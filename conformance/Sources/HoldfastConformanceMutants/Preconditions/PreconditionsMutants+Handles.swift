import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of what the preconditions of one handle know of other handles.
    static let preconditionsOfHandles: [Mutant] = [
        Mutant(
            "deletions-remembered-by-handle", "'unchanged' knows the deletions of its own handle, and those before it.",
            killedBy: "PRE-017"
        ) { base, trigger in
            let lastDeletion = Mutex<UInt64>(0)
            return HookedAdapter(base) { hooks in
                hooks.opening = { request, base async throws(StorageError) in
                    try await base.open(request)
                    let snapshot = try await base.snapshot()
                    lastDeletion.store(snapshot.sequence)
                    await snapshot.close()
                }
                hooks.committing = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        let receipt = try await base.commit(request)
                        if receipt.deletedCount > 0 { lastDeletion.store(receipt.sequence) }
                        return receipt
                    } catch {
                        guard case .unchanged(let range, let since)? = request.preconditions.first,
                            error.kind == .preconditionFailed, since >= lastDeletion.load()
                        else { throw error }
                        let snapshot = try await base.snapshot()
                        let rows = try await snapshot.allRows(range)
                        await snapshot.close()
                        if rows.contains(where: { $0.version > since }) { throw error }
                        trigger.fire()
                        return try await base.commit(request.dropping(\.isUnchanged) ?? request)
                    }
                }
            }
        }
    ]
}
