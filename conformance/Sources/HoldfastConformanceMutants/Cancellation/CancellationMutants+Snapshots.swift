import Foundation
import HoldfastConformance
import HoldfastStorage
import Synchronization

extension Mutant {
    /// Mutants of executors while a snapshot is busy.
    static let cancellationInSnapshots: [Mutant] = [
        Mutant("reads-wait-on-the-spot", "A read waits for a query on the thread of its caller.", killedBy: "CAN-006") {
            base, trigger in
            let box = CountBox()
            return HookedAdapter(base) {
                $0.aggregating = { aggregate, snapshot async throws(StorageError) in
                    box.add(1)
                    do throws(StorageError) {
                        let values = try await snapshot.aggregate(aggregate)
                        box.add(-1)
                        return values
                    } catch {
                        box.add(-1)
                        throw error
                    }
                }
                $0.getting = { request, snapshot async throws(StorageError) in
                    if box.value > 0 { trigger.fire() }
                    while box.value > 0 { usleep(1_000) }
                    var rows = RowBuffer()
                    try await snapshot.get(request, into: &rows)
                    return rows
                }
            }
        }
    ]
}

/// How many queries run.
private final class CountBox: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }
    func add(_ number: Int) { count.add(number, ordering: .relaxed) }
}
