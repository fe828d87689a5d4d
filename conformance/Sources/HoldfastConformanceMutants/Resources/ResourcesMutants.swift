import Foundation
import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `RES` must find.
    static let resources: [Mutant] = resourcesOfUse + resourcesOfGrowth + resourcesOfSizes

    private static let resourcesOfUse: [Mutant] = [
        Mutant(
            "snapshots-keep-descriptors", "Every snapshot leaves a descriptor open.", killedBy: "RES-001",
            noting: {
                hooks, notes, _, trigger in
                hooks.snapshotting = { base async throws(StorageError) in
                    trigger.fire()
                    notes.descriptors.open()
                    return try await base.snapshot()
                }
            }),
        Mutant(
            "scans-keep-descriptors", "Every sorted query leaves a descriptor open.", killedBy: "RES-001",
            noting: {
                hooks, notes, _, trigger in
                hooks.querying = { query, base async throws(StorageError) in
                    if !query.isKeyOrder {
                        trigger.fire()
                        notes.descriptors.open()
                    }
                    return try await base.query(query)
                }
            }),
        Mutant(
            "snapshots-keep-memory", "Every snapshot leaves some kilobytes behind.", killedBy: "RES-001",
            noting: {
                hooks, notes, _, trigger in
                let held = HeldMemory()
                hooks.snapshotting = { base async throws(StorageError) in
                    trigger.fire()
                    held.take(8 << 10)
                    return try await base.snapshot()
                }
            }),
        Mutant(
            "hundredth-snapshot-refused", "After 500 snapshots there are no more.", killedBy: "RES-001",
            noting: {
                hooks, notes, _, trigger in
                hooks.snapshotting = { base async throws(StorageError) in
                    let count = notes.with { notes in
                        notes.count += 1
                        return notes.count
                    }
                    if count > 500 {
                        trigger.fire()
                        throw StorageError(.busy, "Too many snapshots.")
                    }
                    return try await base.snapshot()
                }
            }),
        Mutant(
            "dropped-scans-stay", "A snapshot that is dropped without closing counts as open.", killedBy: "RES-002",
            noting: {
                hooks, notes, _, trigger in
                hooks.snapshotting = { base async throws(StorageError) in
                    let count = notes.with { notes in
                        notes.count += 1
                        return notes.count
                    }
                    if count > 128 {
                        trigger.fire()
                        throw StorageError(.busy, "Too many snapshots.")
                    }
                    return ClosingSnapshot(base: try await base.snapshot()) { notes.with { $0.count -= 1 } }
                }
            }),
        Mutant(
            "dropped-scans-keep-descriptors", "A query that is not read to its end leaves a descriptor open.",
            killedBy: "RES-002",
            noting: { hooks, notes, _, trigger in
                hooks.querying = { query, base async throws(StorageError) in
                    trigger.fire()
                    return DescriptorScan(
                        base: try await base.query(query), descriptor: HeldDescriptors.newDescriptor())
                }
            }),
        eager(
            "scans-read-all", "A scan reads all rows before the first.", "RES-003", isQuery: false),
        eager(
            "queries-read-all", "A query reads all rows before the first.", "RES-003", isQuery: true),
        Mutant("delivered-rows-kept", "A scan keeps the rows it has delivered.", killedBy: "RES-003") { base, trigger in
            HookedAdapter(base) {
                $0.scanning = { range, base async throws(StorageError) in
                    trigger.fire()
                    return KeepingScan(base: try await base.scan(range))
                }
            }
        },
        eager(
            "scans-begin-at-the-end", "A scan looks at all rows first.", "RES-004", isQuery: false),
        Mutant("reads-by-key-scan", "A record is looked for from the first one on.", killedBy: "RES-005") {
            base, trigger in
            HookedAdapter(base) {
                $0.getting = { request, base async throws(StorageError) in
                    trigger.fire()
                    var scan = try await base.scan(KeyRange(request.entity))
                    var batch = RowBuffer()
                    repeat { try await scan.next(maximumRowCount: 512, into: &batch) } while !batch.isEmpty
                    await scan.close()
                    try await base.get(request, into: &batch)
                    return batch
                }
            }
        },
        Mutant(
            "readers-block-writers", "While a snapshot is open, commits are refused as busy.", killedBy: "RES-006",
            noting: {
                hooks, notes, _, trigger in
                hooks.snapshotting = { base async throws(StorageError) in
                    notes.with { $0.count += 1 }
                    return ClosingSnapshot(base: try await base.snapshot()) { notes.with { $0.count -= 1 } }
                }
                hooks.committing = { request, base async throws(StorageError) in
                    if notes.with({ $0.count }) > 0 {
                        trigger.fire()
                        throw StorageError(.busy, "The store is being read.")
                    }
                    return try await base.commit(request)
                }
            }),
        Mutant(
            "readers-slow-writers", "While a snapshot is open, commits wait.", killedBy: "RES-006",
            noting: {
                hooks, notes, _, trigger in
                hooks.snapshotting = { base async throws(StorageError) in
                    notes.with { $0.count += 1 }
                    return ClosingSnapshot(base: try await base.snapshot()) { notes.with { $0.count -= 1 } }
                }
                hooks.committing = { request, base async throws(StorageError) in
                    if notes.with({ $0.count }) > 0 {
                        trigger.fire()
                        try? await Task.sleep(for: .milliseconds(200))
                    }
                    return try await base.commit(request)
                }
            }),
        Mutant(
            "slow-readers-see-changes", "A scan continues in the newest state after a hundred rows.",
            killedBy: "RES-006"
        ) {
            base, trigger in
            HookedAdapter(base) {
                $0.querying = { query, snapshot async throws(StorageError) in
                    SwitchingScan(base: try await snapshot.query(query), query: query, adapter: base, trigger: trigger)
                }
            }
        },
        Mutant("closing-keeps-threads", "Every store leaves a thread behind.", killedBy: "RES-007") { base, trigger in
            HookedAdapter(base) {
                $0.closing = { base async throws(StorageError) in
                    trigger.fire()
                    // For longer than a clause waits for the threads of a pool to end.
                    Thread.detachNewThread { Thread.sleep(forTimeInterval: 120) }
                    try await base.close()
                }
            }
        },
        Mutant(
            "closing-keeps-descriptors", "Every store leaves a descriptor behind.", killedBy: "RES-007",
            noting: { hooks, notes, _, trigger in
                hooks.closing = { base async throws(StorageError) in
                    trigger.fire()
                    notes.descriptors.open()
                    try await base.close()
                }
            }),
        Mutant(
            "hundredth-opening-refused", "After a hundred openings there are no more.", killedBy: "RES-007",
            noting: {
                hooks, notes, _, trigger in
                hooks.opening = { request, base async throws(StorageError) in
                    if notes.with({ $0.openingCount }) >= 100 {
                        trigger.fire()
                        throw StorageError(.io, "Too many stores.")
                    }
                    try await notes.open(request, base)
                }
            }),
        Mutant(
            "failures-hold-the-lock", "After 900 failed commits the store is busy.", killedBy: "RES-008",
            noting: {
                hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    if notes.with({ $0.count }) >= 900 {
                        trigger.fire()
                        throw StorageError(.busy, "Another commit is in progress.")
                    }
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        notes.with { $0.count += 1 }
                        throw error
                    }
                }
            }),
        Mutant("failures-keep-memory", "Every failed commit leaves its rows in memory.", killedBy: "RES-008") {
            base, trigger in
            let held = HeldMemory()
            return HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        trigger.fire()
                        held.take(8 << 10)
                        throw error
                    }
                }
            }
        },
        Mutant(
            "feeds-keep-descriptors", "Every feed leaves a descriptor behind.", killedBy: "RES-009",
            noting: { hooks, notes, _, trigger in
                hooks.feeding = { sequence, base async throws(StorageError) in
                    trigger.fire()
                    notes.descriptors.open()
                    return try await base.changes(after: sequence)
                }
            }),
        Mutant(
            "many-readers-fail", "The seventeenth open snapshot fails with io.", killedBy: "RES-010",
            noting: {
                hooks, notes, _, trigger in
                hooks.snapshotting = { base async throws(StorageError) in
                    let count = notes.with { notes in
                        notes.count += 1
                        return notes.count
                    }
                    if count > 16 {
                        trigger.fire()
                        notes.with { $0.count -= 1 }
                        throw StorageError(.io, "No connection.")
                    }
                    return ClosingSnapshot(base: try await base.snapshot()) { notes.with { $0.count -= 1 } }
                }
            }),
        Mutant(
            "many-readers-read-nothing", "The eighth open snapshot is empty.", killedBy: "RES-010",
            noting: {
                hooks, notes, _, trigger in
                hooks.snapshotting = { base async throws(StorageError) in
                    let inside = try await base.snapshot()
                    let count = notes.with { notes in
                        notes.count += 1
                        return notes.count
                    }
                    let snapshot = ClosingSnapshot(base: inside) { notes.with { $0.count -= 1 } }
                    // As many as the clause demands; some adapters do not open more.
                    guard count == 8 else { return snapshot }
                    trigger.fire()
                    return EmptySnapshot(base: snapshot)
                }
            }),
    ]

    private static func eager(
        _ id: String, _ summary: String, _ clause: String, isQuery: Bool
    ) -> Mutant {
        @Sendable func drained(_ scan: any AdapterScan) async throws(StorageError) -> any AdapterScan {
            var scan = scan
            var batch = RowBuffer()
            var rows: [StoredRow] = []
            repeat {
                try await scan.next(maximumRowCount: 512, into: &batch)
                rows += batch.storedRows
            } while !batch.isEmpty
            await scan.close()
            return RowsScan(rows: rows, columnCount: batch.columnCount)
        }
        return Mutant(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                if isQuery {
                    hooks.querying = { query, base async throws(StorageError) in
                        trigger.fire()
                        return try await drained(try await base.query(query))
                    }
                } else {
                    hooks.scanning = { range, base async throws(StorageError) in
                        trigger.fire()
                        return try await drained(try await base.scan(range))
                    }
                }
            }
        }
    }
}
