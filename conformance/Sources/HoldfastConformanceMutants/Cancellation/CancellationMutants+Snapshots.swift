import Foundation
import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of executors while a snapshot is busy.
    static let cancellationInSnapshots: [Mutant] = [
        Mutant("reads-wait-on-the-spot", "A read waits for a query on the thread of its caller.", killedBy: "CAN-006") {
            base, trigger in
            // Whether a query runs.
            let isBusy = Counter()
            return HookedAdapter(base) {
                $0.aggregating = { aggregate, snapshot async throws(StorageError) in
                    isBusy.set(1)
                    defer { isBusy.set(0) }
                    return try await snapshot.aggregate(aggregate)
                }
                $0.getting = { request, snapshot async throws(StorageError) in
                    // With one thread for both, the query would never go on.
                    for _ in 0..<3_000 where isBusy.current == 1 {
                        trigger.fire()
                        usleep(1_000)
                    }
                    var rows = RowBuffer()
                    try await snapshot.get(request, into: &rows)
                    return rows
                }
            }
        }
    ]
}
