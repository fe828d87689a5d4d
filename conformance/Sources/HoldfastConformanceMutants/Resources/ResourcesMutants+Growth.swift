import Foundation
import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of what grows with use, and of what must not grow with the store.
    static let resourcesOfGrowth: [Mutant] = [
        Mutant(
            "statements-kept", "Every query that is not the last one leaves some memory behind.", killedBy: "RES-011"
        ) {
            base, trigger in
            let held = HeldMemory()
            let last = Mutex<BoundPredicate?>(nil)
            return HookedAdapter(base) {
                $0.querying = { query, snapshot async throws(StorageError) in
                    let isNew = last.withLock { last in
                        defer { last = query.predicate }
                        return last != query.predicate
                    }
                    if isNew {
                        trigger.fire()
                        held.take(4 << 10)
                    }
                    return try await snapshot.query(query)
                }
            }
        },
        Mutant(
            "refused-openings-keep-descriptors", "A refused opening leaves a descriptor open.", killedBy: "RES-012",
            noting: { hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        try await notes.open(request, base)
                    } catch {
                        trigger.fire()
                        notes.descriptors.open()
                        throw error
                    }
                }
            }),
        Mutant(
            "log-never-cut", "Every commit is written to a log that is never cut.", killedBy: "RES-013",
            noting: { hooks, notes, location, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    let receipt = try await base.commit(request)
                    guard case .directory(let path)? = location.powerLoss else {
                        trigger.skip(because: "The store is not in files of the adapter's.")
                        return receipt
                    }
                    trigger.fire()
                    let file = "\(path)/forgotten.log"
                    let log = open(file, O_WRONLY | O_CREAT | O_APPEND, 0o600)
                    _ = [UInt8](repeating: 0, count: 30_000).withUnsafeBytes { write(log, $0.baseAddress, $0.count) }
                    close(log)
                    return receipt
                }
            }),
    ]
}
