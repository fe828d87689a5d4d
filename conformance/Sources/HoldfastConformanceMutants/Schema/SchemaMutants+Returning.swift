import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of indexes that go and come back.
    static let schemaReturning: [Mutant] = [
        Mutant(
            "index-returns-as-it-was", "An index that comes back lacks what was written meanwhile.",
            killedBy: "SCH-022",
            noting: { hooks, notes, _, trigger in
                hooks.querying = { query, base async throws(StorageError) in
                    let schemas = notes.with { $0.schemas }
                    guard schemas.count > 2, query.mayUseIndex,
                        schemas.contains(where: { $0.entities.allSatisfy(\.indexes.isEmpty) })
                    else { return try await base.query(query) }
                    var scan = try await base.query(query)
                    let rows = try await scan.drain()
                    let known = rows.filter { $0.version < notes.with { $0.sequenceAtOpening } }
                    if known.count < rows.count { trigger.fire() }
                    return RowsScan(rows: known, columnCount: query.projection.count)
                }
            })
    ]
}
