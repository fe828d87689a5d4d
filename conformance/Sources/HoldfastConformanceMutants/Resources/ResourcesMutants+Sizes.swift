import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of what must not take longer in a large store.
    static let resourcesOfSizes: [Mutant] = [
        Mutant("indexes-unused", "Conditions and sorts look at every record.", killedBy: "RES-014") { base, trigger in
            HookedAdapter(base) {
                $0.querying = { query, snapshot async throws(StorageError) in
                    if query.mayUseIndex { trigger.fire() }
                    return try await DamagedQuery(query, trigger: MutantTrigger()).run(snapshot)
                }
            }
        },
        Mutant(
            "descending-sorts-look-at-everything", "A descending sort looks at every record.", killedBy: "RES-014"
        ) { base, trigger in
            HookedAdapter(base) {
                $0.querying = { query, snapshot async throws(StorageError) in
                    guard query.mayUseIndex, query.order.first?.isDescending == true else {
                        return try await snapshot.query(query)
                    }
                    trigger.fire()
                    return try await DamagedQuery(query, trigger: MutantTrigger()).run(snapshot)
                }
            }
        },
        Mutant("commits-look-at-everything", "Every small commit reads the whole table.", killedBy: "RES-015") {
            base, trigger in
            HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in
                    try await readEverything(request, base, trigger) { _ in true }
                }
            }
        },
        Mutant(
            "preconditions-look-at-everything", "A commit with a precondition reads the whole table.",
            killedBy: "RES-015"
        ) { base, trigger in
            HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in
                    try await readEverything(request, base, trigger) { !$0.preconditions.isEmpty }
                }
            }
        },
        Mutant(
            "version-scans-look-at-everything", "A scan by version reads and sorts the whole entity.",
            killedBy: "RES-016"
        ) { base, trigger in
            HookedAdapter(base) {
                $0.scanningVersions = { range, snapshot async throws(StorageError) in
                    trigger.fire()
                    let everything = try await snapshot.scan(KeyRange(range.entity.name))
                    return ReferenceVersionScan(source: everything, range: range)
                }
            }
        },
    ]

    private static func readEverything(
        _ request: CommitRequest, _ base: any StorageAdapter, _ trigger: MutantTrigger,
        where condition: (CommitRequest) -> Bool
    ) async throws(StorageError) -> CommitReceipt {
        if let entity = request.operations.first?.entity, request.writtenCount < 10, condition(request) {
            trigger.fire()
            let snapshot = try await base.snapshot()
            _ = try await snapshot.allRows(KeyRange(entity))
            await snapshot.close()
        }
        return try await base.commit(request)
    }
}
