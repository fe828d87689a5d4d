import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Snapshots that move in one case only.
    static let sporadicOfSnapshots: [Mutant] = [
        Mutant(
            "closing-moves-older-snapshots", "When a snapshot is closed, scans of older ones read the newest state.",
            killedBy: "ISO-002"
        ) { base, trigger in
            let closed = Counter()
            return HookedAdapter(base) { hooks in
                hooks.snapshotting = { base throws(StorageError) in
                    let snapshot = try await base.snapshot()
                    let sequence = Int(snapshot.sequence)
                    return ClosingSnapshot(base: snapshot) { closed.set(max(closed.current, sequence)) }
                }
                hooks.scanning = { range, snapshot throws(StorageError) in
                    let right = try await snapshot.scan(range)
                    guard closed.current > snapshot.sequence else { return right }
                    trigger.fire()
                    return try await base.snapshot().scan(range)
                }
            }
        },
        Mutant(
            "deleted-records-leave-old-snapshots", "A scan of an older snapshot lacks what was deleted since.",
            killedBy: "ISO-001"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.scanning = { range, snapshot throws(StorageError) in
                    var scan = try await snapshot.scan(range)
                    let rows = try await scan.drain()
                    let newest = try await base.snapshot()
                    let entity = range.entity
                    let alive = try await newest.allRecords(of: entity)
                    await newest.close()
                    guard newest.sequence > snapshot.sequence else {
                        return RowsScan(rows: rows, columnCount: rows.first?.cells.count ?? 0)
                    }
                    // Without the schema here, a record is identified by its first cell.
                    let keys = Set(alive.map { $0.cells[0] })
                    let left = rows.filter { keys.contains($0.cells[0]) }
                    if left != rows { trigger.fire() }
                    return RowsScan(rows: left, columnCount: rows.first?.cells.count ?? 0)
                }
            }
        },
        Mutant(
            "old-snapshots-read-new-versions", "Reads by key in a snapshot of ten commits ago give the newest version.",
            killedBy: "ISO-004"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.getting = { request, snapshot throws(StorageError) in
                    var rows = RowBuffer()
                    try await snapshot.get(request, into: &rows)
                    var now = RowBuffer()
                    try await base.get(request, into: &now)
                    guard (now.versions.max() ?? 0) > snapshot.sequence + 10 else { return rows }
                    let mixed = zip(rows.storedRows, now.storedRows).map { old, new in
                        old.version > 0 && new.version > 0 ? StoredRow(old.cells, version: new.version) : old
                    }
                    if mixed != rows.storedRows { trigger.fire() }
                    return RowBuffer(mixed, columnCount: rows.columnCount)
                }
            }
        },
        Mutant(
            "fiftieth-snapshot-is-the-one-before", "Every fiftieth snapshot is one that was taken before.",
            killedBy: "ISO-007"
        ) { base, trigger in
            let count = Counter()
            let kept = KeptSnapshot()
            return HookedAdapter(base) { hooks in
                hooks.snapshotting = { base throws(StorageError) in
                    let number = count.next()
                    if number % 50 == 49, let snapshot = kept.take() {
                        trigger.fire()
                        return snapshot
                    }
                    if number % 50 == 40 { kept.keep(try await base.snapshot()) }
                    return try await base.snapshot()
                }
            }
        },
    ]
}

private final class KeptSnapshot: Sendable {
    private let snapshot = Mutex<(any AdapterSnapshot)?>(nil)

    func keep(_ kept: any AdapterSnapshot) { snapshot.withLock { $0 = kept } }

    func take() -> (any AdapterSnapshot)? {
        snapshot.withLock { snapshot in
            defer { snapshot = nil }
            return snapshot
        }
    }
}
