import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of the sequences of snapshots.
    static let isolationOfSequences: [Mutant] = [
        Mutant("sequence-read-late", "A snapshot has the sequence of a later one.", killedBy: "ISO-016") {
            base, trigger in
            HookedAdapter(base) {
                $0.snapshotting = { base async throws(StorageError) in
                    let view = try await base.snapshot()
                    for _ in 0..<3 { await Task.yield() }
                    let later = try await base.snapshot()
                    let sequence = later.sequence
                    await later.close()
                    if sequence > view.sequence { trigger.fire() }
                    return LateSnapshot(base: view, sequence: sequence)
                }
            }
        }
    ]
}

/// A snapshot with another sequence.
private struct LateSnapshot: AdapterSnapshot {
    let base: any AdapterSnapshot
    let sequence: UInt64

    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.get(request, into: &rows)
    }
    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan { try await base.scan(range) }
    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan { try await base.query(query) }
    func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        try await base.aggregate(aggregate)
    }
    func close() async { await base.close() }
}
