import HoldfastConformance
import HoldfastStorage

/// Mutants of reading.
extension Mutant {
    /// Creates a mutant that answers queries itself, wrongly.
    ///
    /// `answer` gets the query and all records in key order, and returns the results, not yet projected.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        answering answer: @escaping @Sendable (BoundQuery, [StoredRow]) -> [StoredRow]
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    let records = try await snapshot.allRecords(of: query.entity.name)
                    let rows = answer(query, records)
                    if rows != query.results(of: records) { trigger.fire() }
                    return RowsScan(rows: rows.map(query.projected), columnCount: query.projection.count)
                }
            }
        }
    }

    /// Creates a mutant that changes the rows a query delivers.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        delivering change: @escaping @Sendable (BoundQuery, [StoredRow]) -> [StoredRow]
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    var scan = try await snapshot.query(query)
                    let right = try await scan.drain()
                    let rows = change(query, right)
                    if rows != right { trigger.fire() }
                    return RowsScan(rows: rows, columnCount: query.projection.count)
                }
            }
        }
    }

    /// Creates a mutant that changes the rows a scan of a key range delivers.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        scanning change: @escaping @Sendable (KeyRange, [StoredRow]) -> [StoredRow]
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.scanning = { range, snapshot throws(StorageError) in
                    var scan = try await snapshot.scan(range)
                    var batch = RowBuffer()
                    try await scan.next(maximumRowCount: 1, into: &batch)
                    let right = batch.storedRows + (try await scan.drain())
                    let rows = change(range, right)
                    if rows != right { trigger.fire() }
                    return RowsScan(rows: rows, columnCount: batch.columnCount)
                }
            }
        }
    }

    /// Creates a mutant that asks a scan for another range.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        ranging change: @escaping @Sendable (KeyRange) -> KeyRange
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.scanning = { range, snapshot throws(StorageError) in
                    let changed = change(range)
                    if changed != range { trigger.fire() }
                    return try await snapshot.scan(changed)
                }
            }
        }
    }

    /// Creates a mutant that changes each batch of every scan and query.
    ///
    /// `change` gets the buffer, the number of the batch from 0, and the maximum number of rows asked for.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        batching change: @escaping @Sendable (inout RowBuffer, Int, Int) -> Void
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    ChangedBatches(base: try await snapshot.query(query), change: change, trigger: trigger)
                }
                hooks.scanning = { range, snapshot throws(StorageError) in
                    ChangedBatches(base: try await snapshot.scan(range), change: change, trigger: trigger)
                }
            }
        }
    }

    /// Creates a mutant that changes what reading by key delivers.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        fetching change: @escaping @Sendable (GetRequest, [StoredRow]) -> [StoredRow]
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.getting = { request, snapshot throws(StorageError) in
                    var rows = RowBuffer()
                    try await snapshot.get(request, into: &rows)
                    let right = rows.storedRows
                    let changed = change(request, right)
                    if changed != right { trigger.fire() }
                    return RowBuffer(changed, columnCount: rows.columnCount)
                }
            }
        }
    }

    /// Creates a mutant that changes aggregates.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        computing change: @escaping @Sendable (BoundAggregate, [Value]) -> [Value]
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.aggregating = { aggregate, snapshot throws(StorageError) in
                    let right = try await snapshot.aggregate(aggregate)
                    let values = change(aggregate, right)
                    if values != right { trigger.fire() }
                    return values
                }
            }
        }
    }

    /// Creates a mutant that computes aggregates itself, wrongly.
    ///
    /// `answer` gets the aggregate request and the cells of the matching records, and returns the aggregates.
    init(
        _ id: String, _ summary: String, killedBy clause: String,
        figuring answer: @escaping @Sendable (BoundAggregate, [[Value]]) throws(StorageError) -> [Value]
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.aggregating = { aggregate, snapshot throws(StorageError) in
                    let records = try await snapshot.allRecords(of: aggregate.query.entity.name).map(\.cells)
                    let matching = records.filter { aggregate.query.predicate.matches($0) }
                    let found = Result(catching: { () throws(StorageError) in try answer(aggregate, matching) })
                    if found != Result(catching: { () throws(StorageError) in try aggregate.aggregates(of: matching) })
                    {
                        trigger.fire()
                    }
                    return try found.get()
                }
            }
        }
    }
}

private struct ChangedBatches: AdapterScan {
    var base: any AdapterScan
    let change: @Sendable (inout RowBuffer, Int, Int) -> Void
    let trigger: MutantTrigger
    private var number = 0

    init(
        base: any AdapterScan, change: @escaping @Sendable (inout RowBuffer, Int, Int) -> Void, trigger: MutantTrigger
    ) {
        self.base = base
        self.change = change
        self.trigger = trigger
    }

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.next(maximumRowCount: maximumRowCount, into: &rows)
        let right = rows.storedRows
        change(&rows, number, maximumRowCount)
        if rows.storedRows != right { trigger.fire() }
        number += 1
    }

    mutating func close() async { await base.close() }
}
