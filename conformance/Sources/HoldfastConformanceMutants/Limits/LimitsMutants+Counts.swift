import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of numbers beyond 16 bits.
    static let limitsOfCounts: [Mutant] = [
        Mutant(
            "versions-of-16-bits", "Preconditions compare the last 16 bits of versions.", killedBy: "LIM-018",
            committing: { request, base, trigger throws(StorageError) in
                var request = request
                for (index, precondition) in request.preconditions.enumerated() {
                    guard case .version(let entity, let key, let version) = precondition else { continue }
                    var rows = RowBuffer()
                    try await base.get(GetRequest(entity, keys: [key]), into: &rows)
                    let stored = rows.versions[0]
                    guard stored != version, stored & 0xFFFF == version & 0xFFFF else { continue }
                    trigger.fire()
                    request.preconditions[index] = .version(entity: entity, key: key, stored)
                }
                return try await base.commit(request)
            })
    ]
}
