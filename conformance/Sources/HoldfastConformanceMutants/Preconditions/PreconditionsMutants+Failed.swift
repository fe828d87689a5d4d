import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of what commits that failed leave behind.
    static let failedPreconditions: [Mutant] = [
        Mutant("failed-deletes-remembered", "A delete of a commit that failed is remembered.", killedBy: "PRE-013") {
            base, trigger in
            let deleted = Mutex<[RecordKey]>([])
            return HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in
                    for case .unchanged(let range, _) in request.preconditions {
                        let keys = deleted.withLock { $0 }
                        if keys.contains(where: { range.contains($0.components) }) {
                            trigger.fire()
                            throw StorageError(
                                .preconditionFailed, "The range was changed.", position: .precondition(0))
                        }
                    }
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        for case .delete(_, let keys) in request.operations { deleted.withLock { $0 += keys } }
                        throw error
                    }
                }
            }
        }
    ]
}
