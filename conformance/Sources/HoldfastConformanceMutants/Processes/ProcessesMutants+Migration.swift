import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of handles on a store that another handle has migrated.
    static let processesOfMigration: [Mutant] = [
        Mutant(
            "outdated-commit-acknowledged", "A commit that does not fit the store is acknowledged.", killedBy: "PRC-007"
        ) { base, trigger in
            HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        guard error.kind == .schemaMismatch else { throw error }
                        trigger.fire()
                        return CommitReceipt(sequence: 1)
                    }
                }
            }
        },
        Mutant(
            "outdated-page-empty", "A page of a table that is another now is empty.", killedBy: "PRC-007"
        ) { base, trigger in
            HookedAdapter(base) {
                $0.paging = { query, base async throws(StorageError) in
                    var rows = RowBuffer()
                    do throws(StorageError) {
                        try await base.page(query, into: &rows)
                    } catch {
                        guard error.kind == .schemaMismatch else { throw error }
                        trigger.fire()
                    }
                    return rows
                }
            }
        },
    ]
}
