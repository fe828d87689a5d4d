import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of batches, ranges, projections and scans.
    static let orderOfDelivery: [Mutant] = [
        Mutant(
            "batch-one-row-too-many", "A batch may have one row more than asked for.", killedBy: "ORD-013",
            batching: { rows, _, maximum in
                if rows.rowCount == maximum, maximum > 1 { rows.append(Array(rows[0]), version: rows.versions[0]) }
            }),
        Mutant(
            "row-lost-at-batch-of-33", "The last row of a full batch of 33 is lost.", killedBy: "ORD-013",
            batching: { rows, _, maximum in if maximum == 33 { rows.dropLastIfFull(33) } }),
        Mutant(
            "row-lost-in-second-batch", "The last row of the second batch is lost if it is full with 100 or more.",
            killedBy: "ORD-013",
            batching: { rows, number, maximum in
                if number == 1, maximum >= 100, rows.rowCount == maximum { rows.dropLastIfFull(maximum) }
            }),
        Mutant(
            "row-lost-at-batch-of-1001", "The last row of a full batch of 1,001 is lost.", killedBy: "ORD-013",
            batching: { rows, _, maximum in if maximum == 1_001 { rows.dropLastIfFull(1_001) } }),
        Mutant(
            "batch-repeats-last-row", "Each batch but the first begins with the last row before it.",
            killedBy: "ORD-013"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.scanning = { range, snapshot throws(StorageError) in
                    RepeatingScan(base: try await snapshot.scan(range), trigger: trigger)
                }
            }
        },
        Mutant(
            "reads-at-once-sort-by-entity", "Answers to reads at once come in the order of the entities' names.",
            killedBy: "ORD-023"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.gettingAtOnce = { requests, adapter throws(StorageError) in
                    let sorted = requests.sorted { $0.entity < $1.entity }
                    if sorted.map(\.entity) != requests.map(\.entity) { trigger.fire() }
                    return try await adapter.get(sorted)
                }
            }
        },
        Mutant("end-starts-over", "A scan that has ended starts over when it is asked again.", killedBy: "ORD-013") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.scanning = { range, snapshot throws(StorageError) in
                    RestartingScan(
                        base: try await snapshot.scan(range), range: range, snapshot: snapshot, trigger: trigger)
                }
            }
        },
        Mutant(
            "row-lost-beyond-50", "Of more than 50 results, the 51st is lost.", killedBy: "ORD-014",
            delivering: { _, rows in rows.count == 51 ? Array(rows.dropLast()) : rows }),
        Mutant(
            "row-lost-at-256-in-scan", "A range of exactly 256 records lacks the last one.", killedBy: "ORD-014",
            scanning: { _, rows in rows.count == 256 ? Array(rows.dropLast()) : rows }),
        Mutant(
            "row-doubled-at-1024", "The 1,024th result comes twice if there are more.", killedBy: "ORD-014",
            delivering: { _, rows in
                rows.count > 1_024 ? Array(rows[..<1_024] + [rows[1_023]] + rows[1_025...]) : rows
            }),
        Mutant(
            "row-lost-at-4097", "Exactly 4,097 results lack the last one if an index answers.", killedBy: "ORD-014",
            delivering: { query, rows in query.mayUseIndex && rows.count == 4_097 ? Array(rows.dropLast()) : rows }),
        Mutant(
            "count-off-at-1001", "The count of 1,001 records is 1,000.", killedBy: "ORD-014",
            computing: { _, values in values.map { $0 == .integer(1_001) ? .integer(1_000) : $0 } }),
        Mutant(
            "scan-ends-at-65536", "A scan ends after 65,536 records.", killedBy: "ORD-015",
            scanning: { _, rows in Array(rows.prefix(65_536)) }),
        Mutant(
            "commit-of-65535-rows", "A put writes 65,535 rows at most.", killedBy: "ORD-015",
            requesting: { request in
                request.changing { $0.changingRows { $0.count > 65_535 ? Array($0.prefix(65_535)) : $0 } }
            }),
        Mutant(
            "excluded-prefix-of-lower-end", "An excluded beginning of a key at the lower end excludes nothing.",
            killedBy: "ORD-016",
            ranging: { range in
                guard case .excluded(let prefix) = range.lower, prefix.count == 1 else { return range }
                return KeyRange(range.entity, from: .included(prefix), to: range.upper)
            }),
        Mutant(
            "included-prefix-of-upper-end", "An included beginning of a key at the upper end includes one key at most.",
            killedBy: "ORD-016",
            ranging: { range in
                guard case .included(let prefix) = range.upper, prefix.count == 1 else { return range }
                return KeyRange(range.entity, from: range.lower, to: .excluded(prefix))
            }),
        Mutant(
            "text-prefix-of-range-end", "An included text at the upper end includes texts that begin with it.",
            killedBy: "ORD-016",
            ranging: { range in
                guard case .included(let prefix) = range.upper, case .text(let text)? = prefix.first else {
                    return range
                }
                return KeyRange(
                    range.entity, from: range.lower, to: .included([.text(text + "\u{10FFFF}")] + prefix.dropFirst()))
            }),
        Mutant(
            "whole-key-end-excluded", "A whole key as included upper end is excluded.", killedBy: "ORD-016",
            ranging: { range in
                guard case .included(let prefix) = range.upper, prefix.count == 2 else { return range }
                return KeyRange(range.entity, from: range.lower, to: .excluded(prefix))
            }),
        Mutant(
            "projection-reordered", "Projected fields come in schema order.", killedBy: "ORD-017",
            delivering: { query, rows in
                let positions = query.projection.indices.sorted { query.projection[$0] < query.projection[$1] }
                return rows.map { row in StoredRow(positions.map { row.cells[$0] }, version: row.version) }
            }),
        Mutant(
            "projection-without-version", "Projected rows carry version 1.", killedBy: "ORD-017",
            delivering: { query, rows in
                query.projectsAllFields ? rows : rows.map { StoredRow($0.cells, version: 1) }
            }),
        Mutant(
            "projection-breaks-sort", "Rows are sorted after projection: by delivered fields only.",
            killedBy: "ORD-017",
            answering: { query, records in
                guard let position = query.firstSortPosition, !query.projection.contains(position) else {
                    return query.results(of: records)
                }
                return query.results(
                    of: records, by: { query.entity.key(of: $0) < query.entity.key(of: $1) ? .ascending : .descending })
            }),
        Mutant(
            "scans-share-a-place", "All queries of one snapshot with one sort share their place.", killedBy: "ORD-018"
        ) { base, trigger in
            let shared = SharedScan()
            return HookedAdapter(base) { hooks in
                hooks.scanning = { range, snapshot throws(StorageError) in
                    if shared.isRunning(snapshot.sequence) { trigger.fire() }
                    return try await shared.join(range, snapshot)
                }
            }
        },
        Mutant("second-query-ends-first", "A query ends the one that was in progress.", killedBy: "ORD-018") {
            base, trigger in
            let number = Counter()
            return HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    number.set(number.current + 1)
                    return LatestOnlyScan(
                        base: try await snapshot.query(query), own: number.current, latest: number, trigger: trigger)
                }
            }
        },
        Mutant("closed-scans-count", "After 100 scans that were given up, snapshots are busy.", killedBy: "ORD-019") {
            base, trigger in
            let number = Counter()
            return HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    if number.next() > 100 {
                        trigger.fire()
                        throw StorageError(.busy, "Too many scans are open.")
                    }
                    return try await snapshot.query(query)
                }
            }
        },
        Mutant("closing-scan-closes-snapshot", "Closing a scan closes its snapshot.", killedBy: "ORD-019") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    SnapshotClosingScan(base: try await snapshot.query(query), snapshot: snapshot, trigger: trigger)
                }
            }
        },
        Mutant("rows-appended-to-buffer", "A scan appends to what the buffer held.", killedBy: "ORD-020") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    AppendingScan(base: try await snapshot.query(query), trigger: trigger)
                }
            }
        },
        Mutant("end-leaves-buffer", "At the end the buffer keeps its rows.", killedBy: "ORD-020") { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.scanning = { range, snapshot throws(StorageError) in
                    EndlessScan(base: try await snapshot.scan(range), trigger: trigger)
                }
            }
        },
        Mutant(
            "reads-come-from-the-last-buffer", "A record read twice by key comes as the reader changed it.",
            killedBy: "ORD-021"
        ) { base, trigger in
            let reads = Counter()
            return HookedAdapter(base) { hooks in
                hooks.getting = { request, snapshot throws(StorageError) in
                    var rows = RowBuffer()
                    try await snapshot.get(request, into: &rows)
                    guard reads.next() > 0, rows.columnCount == 5 else { return rows }
                    trigger.fire()
                    for row in 0..<rows.rowCount where rows.versions[row] > 0 {
                        rows.set(.text("changed"), row: row, column: 2)
                    }
                    return rows
                }
            }
        },
    ]
}

extension RowBuffer {
    /// Removes the last row of a batch that is full.
    fileprivate mutating func dropLastIfFull(_ maximum: Int) {
        guard rowCount == maximum else { return }
        self = RowBuffer(Array(storedRows.dropLast()), columnCount: columnCount)
    }
}

private struct RepeatingScan: AdapterScan {
    var base: any AdapterScan
    let trigger: MutantTrigger
    var last: StoredRow?

    init(base: any AdapterScan, trigger: MutantTrigger) {
        self.base = base
        self.trigger = trigger
    }

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.next(maximumRowCount: maximumRowCount, into: &rows)
        let read = rows.storedRows
        if let last, !read.isEmpty, read.count < maximumRowCount {
            trigger.fire()
            rows = RowBuffer([last] + read, columnCount: rows.columnCount)
        }
        last = read.last
    }

    mutating func close() async { await base.close() }
}

private struct RestartingScan: AdapterScan {
    var base: any AdapterScan
    let range: KeyRange
    let snapshot: any AdapterSnapshot
    let trigger: MutantTrigger
    var isOver = false

    init(base: any AdapterScan, range: KeyRange, snapshot: any AdapterSnapshot, trigger: MutantTrigger) {
        self.base = base
        self.range = range
        self.snapshot = snapshot
        self.trigger = trigger
    }

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        if isOver {
            trigger.fire()
            base = try await snapshot.scan(range)
        }
        try await base.next(maximumRowCount: maximumRowCount, into: &rows)
        isOver = rows.isEmpty
    }

    mutating func close() async { await base.close() }
}

/// One scan per range that all who ask for it share.
private final class SharedScan: Sendable {
    private let state = Mutex<(sequence: UInt64, rows: [StoredRow], width: Int, position: Int)?>(nil)

    func isRunning(_ sequence: UInt64) -> Bool { state.withLock { $0?.sequence == sequence } }

    func join(_ range: KeyRange, _ snapshot: any AdapterSnapshot) async throws(StorageError) -> any AdapterScan {
        if !isRunning(snapshot.sequence) {
            var scan = try await snapshot.scan(range)
            let rows = try await scan.drain()
            state.withLock { $0 = (snapshot.sequence, rows, rows.first?.cells.count ?? 0, 0) }
        }
        return Member(shared: self)
    }

    private func take(_ count: Int, _ rows: inout RowBuffer) {
        let (taken, width) = state.withLock { state -> ([StoredRow], Int) in
            guard var shared = state else { return ([], 0) }
            let taken = Array(shared.rows.dropFirst(shared.position).prefix(count))
            shared.position += taken.count
            state = shared
            return (taken, shared.width)
        }
        rows = RowBuffer(taken, columnCount: width)
    }

    private struct Member: AdapterScan {
        let shared: SharedScan
        mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
            shared.take(maximumRowCount, &rows)
        }
        mutating func close() async {}
    }
}

private struct LatestOnlyScan: AdapterScan {
    var base: any AdapterScan
    let own: Int
    let latest: Counter
    let trigger: MutantTrigger

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.next(maximumRowCount: maximumRowCount, into: &rows)
        if latest.current != own, !rows.isEmpty {
            trigger.fire()
            rows.reset(columnCount: rows.columnCount)
        }
    }

    mutating func close() async { await base.close() }
}

private struct SnapshotClosingScan: AdapterScan {
    var base: any AdapterScan
    let snapshot: any AdapterSnapshot
    let trigger: MutantTrigger

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.next(maximumRowCount: maximumRowCount, into: &rows)
    }

    mutating func close() async {
        trigger.fire()
        await base.close()
        await snapshot.close()
    }
}

private struct AppendingScan: AdapterScan {
    var base: any AdapterScan
    let trigger: MutantTrigger

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        let before = rows.storedRows
        try await base.next(maximumRowCount: maximumRowCount, into: &rows)
        guard before.first?.cells.count == rows.columnCount || !before.isEmpty, !rows.isEmpty else { return }
        trigger.fire()
        let width = rows.columnCount
        let kept = before.map {
            StoredRow(
                Array($0.cells.prefix(width)) + Array(repeating: .null, count: max(0, width - $0.cells.count)),
                version: $0.version)
        }
        rows = RowBuffer(kept + rows.storedRows, columnCount: width)
    }

    mutating func close() async { await base.close() }
}

private struct EndlessScan: AdapterScan {
    var base: any AdapterScan
    let trigger: MutantTrigger
    var last: RowBuffer?

    init(base: any AdapterScan, trigger: MutantTrigger) {
        self.base = base
        self.trigger = trigger
    }

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.next(maximumRowCount: maximumRowCount, into: &rows)
        if rows.isEmpty, let last, last.rowCount == 1 {
            trigger.fire()
            rows = last
        }
        last = rows
    }

    mutating func close() async { await base.close() }
}
