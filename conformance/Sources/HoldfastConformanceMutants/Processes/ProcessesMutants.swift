import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `PRC` must find.
    static let processes: [Mutant] = processesAtWork + processesOfCreation + processesOfMigration

    private static let processesAtWork: [Mutant] = [
        Mutant("versions-unchecked-across-processes", "Version preconditions are not checked.", killedBy: "PRC-001") {
            base, trigger in
            HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in
                    var request = request
                    if !request.preconditions.isEmpty { trigger.fire() }
                    request.preconditions = []
                    return try await base.commit(request)
                }
            }
        },
        Mutant("first-snapshot-kept", "The first snapshot of a handle is used for all reads.", killedBy: "PRC-002") {
            base, trigger in
            let first = FirstSnapshot()
            return HookedAdapter(base) {
                $0.snapshotting = { base async throws(StorageError) in
                    let kept = await first.snapshot
                    if let kept {
                        trigger.fire()
                        return kept
                    }
                    let snapshot = UnclosedSnapshot(base: try await base.snapshot())
                    await first.keep(snapshot)
                    return snapshot
                }
            }
        },
        Mutant("snapshot-follows-the-store", "A snapshot's queries see what was committed later.", killedBy: "PRC-003")
        {
            base, trigger in
            HookedAdapter(base) {
                $0.querying = { query, snapshot async throws(StorageError) in
                    let now = try await base.snapshot()
                    if now.sequence != snapshot.sequence { trigger.fire() }
                    return try await now.query(query)
                }
            }
        },
    ]
}

private actor FirstSnapshot {
    private(set) var snapshot: (any AdapterSnapshot)?
    func keep(_ snapshot: any AdapterSnapshot) { self.snapshot = snapshot }
}

/// A snapshot that ignores its closing.
private struct UnclosedSnapshot: AdapterSnapshot {
    let base: any AdapterSnapshot
    var sequence: UInt64 { base.sequence }
    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.get(request, into: &rows)
    }
    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan { try await base.scan(range) }
    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan { try await base.query(query) }
    func close() async {}
}
