import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `ISO` must find.
    static let isolation: [Mutant] = snapshots + sessions + anomalies + isolationOfSequences

    private static let snapshots: [Mutant] = [
        Mutant("snapshot-live-for-get", "A snapshot reads by key what is committed now.", killedBy: "ISO-001") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.getting = { request, snapshot throws(StorageError) in
                    let live = try await Self.live(base, snapshot, trigger)
                    var rows = RowBuffer()
                    try await live.get(request, into: &rows)
                    return rows
                }
            }
        },
        Mutant("snapshot-live-for-scan", "A snapshot scans what is committed now.", killedBy: "ISO-001") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.scanning = { range, snapshot throws(StorageError) in
                    try await Self.live(base, snapshot, trigger).scan(range)
                }
            }
        },
        Mutant("snapshot-live-for-query", "A snapshot queries what is committed now.", killedBy: "ISO-001") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    try await Self.live(base, snapshot, trigger).query(query)
                }
            }
        },
        Mutant(
            "snapshot-live-for-index", "Queries that an index answers read what is committed now.", killedBy: "ISO-001"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    guard query.mayUseIndex else { return try await snapshot.query(query) }
                    return try await Self.live(base, snapshot, trigger).query(query)
                }
            }
        },
        Mutant(
            "snapshot-live-for-aggregate", "Aggregates of a snapshot are of what is committed now.", killedBy: "ISO-001"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.aggregating = { aggregate, snapshot throws(StorageError) in
                    try await Self.live(base, snapshot, trigger).aggregate(aggregate)
                }
            }
        },
        Mutant(
            "snapshot-live-for-count", "The plain count of a snapshot is of what is committed now.", killedBy: "ISO-001"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.aggregating = { aggregate, snapshot throws(StorageError) in
                    guard aggregate.functions == [.count] else { return try await snapshot.aggregate(aggregate) }
                    return try await Self.live(base, snapshot, trigger).aggregate(aggregate)
                }
            }
        },
        Mutant(
            "snapshot-begins-with-first-read", "A snapshot shows what is committed when it is first read.",
            killedBy: "ISO-001"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.snapshotting = { base throws(StorageError) in
                    LazySnapshot(base: try await base.snapshot(), store: base, trigger: trigger)
                }
            }
        },
        Mutant("snapshot-misses-cleared", "After a clear, older snapshots are empty.", killedBy: "ISO-001") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.scanning = { range, snapshot throws(StorageError) in
                    let live = try await base.snapshot()
                    let isEmpty = try await live.allRecords(of: range.entity).isEmpty
                    if isEmpty, live.sequence != snapshot.sequence {
                        trigger.fire()
                        return try await live.scan(range)
                    }
                    await live.close()
                    return try await snapshot.scan(range)
                }
            }
        },
        Mutant(
            "snapshots-share-the-newest", "A snapshot taken while two others are open shows the state of the last.",
            killedBy: "ISO-002"
        ) { base, trigger in
            let latest = HeldSnapshot()
            return HookedAdapter(base) { hooks in
                hooks.snapshotting = { base throws(StorageError) in
                    let snapshot = try await base.snapshot()
                    latest.set(snapshot)
                    return snapshot
                }
                hooks.querying = { query, snapshot throws(StorageError) in
                    if let newest = latest.snapshot, newest.sequence > snapshot.sequence + 6 {
                        trigger.fire()
                        return try await newest.query(query)
                    }
                    return try await snapshot.query(query)
                }
            }
        },
        Mutant(
            "ninth-snapshot-is-live", "More than eight snapshots at once: the others read what is committed now.",
            killedBy: "ISO-002"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.scanning = { range, snapshot throws(StorageError) in
                    let live = try await base.snapshot()
                    guard live.sequence > snapshot.sequence + 8 else {
                        await live.close()
                        return try await snapshot.scan(range)
                    }
                    trigger.fire()
                    return try await live.scan(range)
                }
            }
        },
        Mutant(
            "scan-reads-batches-live", "Every batch of a scan after the first is read from what is committed then.",
            killedBy: "ISO-003"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.scanning = { range, snapshot throws(StorageError) in
                    LiveBatches(base: base, range: range, width: nil, trigger: trigger)
                }
            }
        },
        Mutant("sorted-query-reads-late", "A sorted query reads its rows with its second batch.", killedBy: "ISO-003") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    guard query.firstSortPosition != nil else { return try await snapshot.query(query) }
                    return LateQuery(
                        base: try await snapshot.query(query), store: base, query: query, sequence: snapshot.sequence,
                        trigger: trigger)
                }
            }
        },
        Mutant(
            "old-snapshot-becomes-live", "A snapshot older than 100 commits reads what is committed now.",
            killedBy: "ISO-004"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    let live = try await base.snapshot()
                    guard live.sequence > snapshot.sequence + 100 else {
                        await live.close()
                        return try await snapshot.query(query)
                    }
                    trigger.fire()
                    return try await live.query(query)
                }
            }
        },
        Mutant("old-snapshot-is-closed", "A snapshot older than 200 commits is closed.", killedBy: "ISO-004") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.getting = { request, snapshot throws(StorageError) in
                    let live = try await base.snapshot()
                    defer { Task { await live.close() } }
                    if live.sequence > snapshot.sequence + 200 {
                        trigger.fire()
                        throw StorageError(.closed, "The snapshot is too old.")
                    }
                    var rows = RowBuffer()
                    try await snapshot.get(request, into: &rows)
                    return rows
                }
            }
        },
        Mutant(
            "writer-waits-for-readers", "A commit is refused as busy while a snapshot is 50 commits old.",
            killedBy: "ISO-004"
        ) { base, trigger in
            let oldest = HeldSnapshot()
            return HookedAdapter(base) { hooks in
                hooks.snapshotting = { base throws(StorageError) in
                    let snapshot = try await base.snapshot()
                    if oldest.snapshot == nil { oldest.set(snapshot) }
                    return snapshot
                }
                hooks.committing = { request, base throws(StorageError) in
                    let receipt = try await base.commit(request)
                    if let snapshot = oldest.snapshot, receipt.sequence > snapshot.sequence + 50 {
                        trigger.fire()
                        throw StorageError(.busy, "A reader is in the way.")
                    }
                    return receipt
                }
            }
        },
        Mutant("closed-snapshot-reads-on", "A snapshot that was closed reads by key as before.", killedBy: "ISO-005") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.getting = { request, snapshot throws(StorageError) in
                    var rows = RowBuffer()
                    do throws(StorageError) {
                        try await snapshot.get(request, into: &rows)
                    } catch {
                        trigger.fire()
                        try await base.get(request, into: &rows)
                    }
                    return rows
                }
            }
        },
        Mutant(
            "closed-snapshot-ends-scan", "A scan of a closed snapshot ends as if there were no more rows.",
            killedBy: "ISO-005"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.scanning = { range, snapshot throws(StorageError) in
                    EndingScan(base: try await snapshot.scan(range), trigger: trigger)
                }
            }
        },
        Mutant(
            "closed-query-ends", "A query of a closed snapshot ends as if there were no more rows.", killedBy: "ISO-005"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    EndingScan(base: try await snapshot.query(query), trigger: trigger)
                }
            }
        },
        Mutant(
            "sorted-rows-outlive-snapshot",
            "The rows of a query with a condition are delivered in their order after the snapshot was closed.",
            killedBy: "ISO-005"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    var scan = try await snapshot.query(query)
                    if query.isKeyOrder || query.predicate == .constant(true) { return scan }
                    let rows = try await scan.drain()
                    trigger.fire()
                    return RowsScan(rows: rows, columnCount: query.projection.count)
                }
            }
        },
        Mutant("closed-snapshot-counts-zero", "A count of a closed snapshot is 0.", killedBy: "ISO-005") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.aggregating = { aggregate, snapshot throws(StorageError) in
                    do throws(StorageError) {
                        return try await snapshot.aggregate(aggregate)
                    } catch {
                        trigger.fire()
                        return aggregate.functions.map { _ in .integer(0) }
                    }
                }
            }
        },
        Mutant(
            "closed-snapshot-is-io", "Reading from a closed snapshot is reported as an I/O error.", killedBy: "ISO-005"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.getting = { request, snapshot throws(StorageError) in
                    var rows = RowBuffer()
                    do throws(StorageError) {
                        try await snapshot.get(request, into: &rows)
                    } catch {
                        trigger.fire()
                        throw StorageError(.io, error.message)
                    }
                    return rows
                }
            }
        },
        Mutant("snapshot-for-one-task", "Two tasks that scan one snapshot share their rows.", killedBy: "ISO-006") {
            base, trigger in
            let busy = Counter()
            return HookedAdapter(base) { hooks in
                hooks.aggregating = { aggregate, snapshot throws(StorageError) in
                    let running = busy.next()
                    await Task.yield()
                    let values = try await snapshot.aggregate(aggregate)
                    let isAlone = busy.current == running + 1
                    busy.set(0)
                    if isAlone { return values }
                    trigger.fire()
                    return values.map { $0 == .integer(150) ? .integer(149) : $0 }
                }
            }
        },
    ]

    /// A snapshot of now in place of another.
    static func live(
        _ base: any StorageAdapter, _ snapshot: any AdapterSnapshot, _ trigger: MutantTrigger
    ) async throws(StorageError) -> any AdapterSnapshot {
        let live = try await base.snapshot()
        if live.sequence != snapshot.sequence { trigger.fire() }
        return live
    }
}

/// A snapshot that several calls of a mutant share.
final class HeldSnapshot: Sendable {
    private let held = Mutex<(any AdapterSnapshot)?>(nil)

    var snapshot: (any AdapterSnapshot)? { held.withLock { $0 } }

    func set(_ snapshot: any AdapterSnapshot) { held.withLock { $0 = snapshot } }

    /// Gives the snapshot away if it is older by more than a number of commits.
    func take(olderThan sequence: UInt64, by count: UInt64) -> (any AdapterSnapshot)? {
        held.withLock { held in
            guard let snapshot = held, snapshot.sequence + count < sequence else { return nil }
            held = nil
            return snapshot
        }
    }
}

/// A snapshot that is taken when it is first read.
private final class LazySnapshot: AdapterSnapshot {
    private let base: any AdapterSnapshot
    private let store: any StorageAdapter
    private let trigger: MutantTrigger
    private let taken = HeldSnapshot()

    init(base: any AdapterSnapshot, store: any StorageAdapter, trigger: MutantTrigger) {
        self.base = base
        self.store = store
        self.trigger = trigger
    }

    var sequence: UInt64 { base.sequence }

    private func view() async throws(StorageError) -> any AdapterSnapshot {
        if let snapshot = taken.snapshot { return snapshot }
        let snapshot = try await store.snapshot()
        if snapshot.sequence != base.sequence { trigger.fire() }
        taken.set(snapshot)
        return snapshot
    }

    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try await view().get(request, into: &rows)
    }
    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan { try await view().scan(range) }
    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan { try await view().query(query) }
    func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        try await view().aggregate(aggregate)
    }
    func close() async {
        await taken.snapshot?.close()
        await base.close()
    }
}

/// A scan that continues after its last key in whatever is committed by then.
private struct LiveBatches: AdapterScan {
    let base: any StorageAdapter
    var range: KeyRange
    var width: Int?
    let trigger: MutantTrigger

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        let snapshot = try await base.snapshot()
        var scan = try await snapshot.scan(range)
        try await scan.next(maximumRowCount: maximumRowCount, into: &rows)
        await scan.close()
        await snapshot.close()
        if let last = rows.storedRows.last {
            trigger.fire()
            range.lower = .excluded([last.cells[0]])
        }
    }

    mutating func close() async {}
}

/// A query that starts over in what is committed by the time of its second batch.
private struct LateQuery: AdapterScan {
    var base: any AdapterScan
    let store: any StorageAdapter
    let query: BoundQuery
    let sequence: UInt64
    let trigger: MutantTrigger
    private var delivered = 0
    private var isLate = false

    init(base: any AdapterScan, store: any StorageAdapter, query: BoundQuery, sequence: UInt64, trigger: MutantTrigger)
    {
        self.base = base
        self.store = store
        self.query = query
        self.sequence = sequence
        self.trigger = trigger
    }

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        if delivered > 0 && !isLate {
            isLate = true
            let snapshot = try await store.snapshot()
            if snapshot.sequence != sequence { trigger.fire() }
            var scan = try await snapshot.query(query)
            let rest = try await scan.drain().dropFirst(delivered)
            base = RowsScan(rows: rest, columnCount: query.projection.count)
            await snapshot.close()
        }
        try await base.next(maximumRowCount: maximumRowCount, into: &rows)
        delivered += rows.rowCount
    }

    mutating func close() async { await base.close() }
}

/// A scan that ends where it should fail.
private struct EndingScan: AdapterScan {
    var base: any AdapterScan
    let trigger: MutantTrigger

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        do throws(StorageError) {
            try await base.next(maximumRowCount: maximumRowCount, into: &rows)
        } catch {
            guard error.kind == .closed else { throw error }
            trigger.fire()
            rows.reset(columnCount: rows.columnCount)
        }
    }

    mutating func close() async { await base.close() }
}
