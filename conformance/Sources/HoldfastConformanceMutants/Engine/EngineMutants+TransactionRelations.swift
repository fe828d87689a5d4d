import HoldfastConformance
import HoldfastStorage

extension Mutant {
    static let engineTransactionRelations = [
        Mutant(
            "eng-snapshot-reads-newest-author", "A snapshot reads authors by key as last committed.",
            killedBy: "ENG-087"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.getting = { request, snapshot throws(StorageError) in
                    var rows = RowBuffer()
                    guard request.entity == "Author" else {
                        try await snapshot.get(request, into: &rows)
                        return rows
                    }
                    trigger.fire()
                    try await base.get(request, into: &rows)
                    return rows
                }
            }
        }
    ]
}
