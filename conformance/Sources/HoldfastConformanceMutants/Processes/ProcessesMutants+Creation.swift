import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of processes that make a store at the same time.
    static let processesOfCreation: [Mutant] = [
        Mutant("new-store-emptied", "Who found no store empties what is there once it is open.", killedBy: "PRC-006") {
            base, trigger in
            HookedAdapter(base) {
                $0.opening = { request, base async throws(StorageError) in
                    try await base.open(request)
                    let snapshot = try await base.snapshot()
                    let isNew = snapshot.sequence == 0
                    await snapshot.close()
                    guard isNew, let name = request.schema.entities.first?.name else { return }
                    trigger.fire()
                    try? await Task.sleep(for: .milliseconds(60))
                    _ = try await base.commit(CommitRequest(operations: [.clear(entity: name)]))
                }
            }
        }
    ]
}
