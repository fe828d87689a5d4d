import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants in what one session sees of another.
    static let sessions: [Mutant] = [
        Mutant("reads-lag-behind", "Every tenth snapshot shows the state before the last commit.", killedBy: "ISO-007")
        { base, trigger in
            let (last, number) = (HeldSnapshot(), Counter())
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    last.set(try await base.snapshot())
                    return try await base.commit(request)
                }
                hooks.snapshotting = { base throws(StorageError) in
                    guard number.next() % 10 == 9, let stale = last.snapshot else { return try await base.snapshot() }
                    trigger.fire()
                    return stale
                }
            }
        },
        Mutant("page-of-two-moments", "Half of a page is read later than the rest.", killedBy: "ISO-017") {
            base, trigger in
            HookedAdapter(base) {
                $0.paging = { query, base async throws(StorageError) in
                    var (first, second) = (RowBuffer(), RowBuffer())
                    try await base.page(query, into: &first)
                    for _ in 0..<20 { await Task.yield() }
                    try await base.page(query, into: &second)
                    let half = first.rowCount / 2
                    guard first.versions != second.versions, second.rowCount == first.rowCount else { return first }
                    trigger.fire()
                    for row in 0..<half {
                        for column in 0..<first.columnCount {
                            second.set(first[row, column], row: row, column: column)
                        }
                    }
                    return second
                }
            }
        },
        Mutant("page-lags-behind", "Every third page shows the state before the last commit.", killedBy: "ISO-017") {
            base, trigger in
            let (last, number) = (HeldSnapshot(), Counter())
            return HookedAdapter(base) {
                $0.committing = { request, base throws(StorageError) in
                    last.set(try await base.snapshot())
                    return try await base.commit(request)
                }
                $0.paging = { query, base async throws(StorageError) in
                    var rows = RowBuffer()
                    try await base.page(query, into: &rows)
                    guard number.next() % 3 == 2, let stale = last.snapshot else { return rows }
                    var scan = try await stale.query(query)
                    try await scan.next(maximumRowCount: BoundQuery.maximumPageSize, into: &rows)
                    trigger.fire()
                    return rows
                }
            }
        },
        Mutant(
            "get-cache-keeps-deleted", "A record read by key is still there right after its delete.",
            killedBy: "ISO-007"
        ) { base, trigger in
            let last = HeldSnapshot()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    if case .delete? = request.operations.first, request.operations.count == 1 {
                        last.set(try await base.snapshot())
                    }
                    return try await base.commit(request)
                }
                hooks.getting = { request, snapshot throws(StorageError) in
                    var rows = RowBuffer()
                    try await snapshot.get(request, into: &rows)
                    if let stale = last.snapshot, rows.versions == [0] {
                        try await stale.get(request, into: &rows)
                        if rows.versions != [0] { trigger.fire() }
                    }
                    return rows
                }
            }
        },
        Mutant(
            "cached-get-of-record", "A record read by key is remembered for its next two reads.", killedBy: "ISO-007"
        ) { base, trigger in
            let cache = RowCache()
            return HookedAdapter(base) { hooks in
                hooks.getting = { request, snapshot throws(StorageError) in
                    var rows = RowBuffer()
                    try await snapshot.get(request, into: &rows)
                    guard request.entity == "Item" else { return rows }
                    let remembered = cache.exchange(request, rows)
                    if remembered.versions != rows.versions { trigger.fire() }
                    return remembered
                }
            }
        },
        Mutant(
            "commit-in-two-steps", "A commit of several operations becomes visible in two steps.", killedBy: "ISO-008"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    guard request.operations.count > 1 else { return try await base.commit(request) }
                    trigger.fire()
                    _ = try await base.commit(
                        CommitRequest(preconditions: request.preconditions, operations: [request.operations[0]]))
                    await Task.yield()
                    return try await base.commit(CommitRequest(operations: Array(request.operations[1...])))
                }
            }
        },
        Mutant("put-in-two-steps", "A put of more than 100 rows becomes visible in two steps.", killedBy: "ISO-008") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    guard case .put(let entity, let rows, .upsert)? = request.operations.first, rows.rowCount > 100
                    else {
                        return try await base.commit(request)
                    }
                    trigger.fire()
                    let first = RowBuffer(Array(rows.storedRows[..<100]), columnCount: rows.columnCount)
                    _ = try await base.commit(
                        CommitRequest(operations: [.put(entity: entity, rows: first, mode: .upsert)]))
                    try? await Task.sleep(for: .milliseconds(1))
                    return try await base.commit(request)
                }
            }
        },
        Mutant(
            "get-of-two-keys-reads-twice", "Reading two keys without a snapshot reads two states.", killedBy: "ISO-008"
        ) { base, trigger in
            SplitGets(base: base, trigger: trigger)
        },
        Mutant("failing-commit-visible", "What a commit writes is visible until it fails.", killedBy: "ISO-009") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        guard case .clear(let entity)? = request.operations.first else { throw error }
                        trigger.fire()
                        let snapshot = try await base.snapshot()
                        let rows = try await snapshot.allRecords(of: entity)
                        await snapshot.close()
                        guard let first = rows.first else { throw error }
                        _ = try await base.commit(CommitRequest(operations: [.clear(entity: entity)]))
                        try? await Task.sleep(for: .milliseconds(1))
                        let buffer = RowBuffer(rows, columnCount: first.cells.count)
                        _ = try await base.commit(
                            CommitRequest(operations: [.put(entity: entity, rows: buffer, mode: .upsert)]))
                        throw error
                    }
                }
            }
        },
        Mutant(
            "sequence-of-next-commit", "Every seventh commit is acknowledged with the sequence of the next.",
            killedBy: "ISO-010",
            acknowledging: { _, receipt in
                var receipt = receipt
                if receipt.sequence % 7 == 0 { receipt.sequence += 1 }
                return receipt
            }),
        Mutant(
            "two-commits-one-sequence", "Every second commit has the sequence of the one before.", killedBy: "ISO-010",
            acknowledging: { _, receipt in
                var receipt = receipt
                if receipt.sequence > 10, receipt.sequence % 2 == 0 { receipt.sequence -= 1 }
                return receipt
            }),
        Mutant(
            "acknowledged-before-visible", "A commit is acknowledged before later snapshots see it.",
            killedBy: "ISO-010", wrap: staleSnapshots),
    ]

    /// Mutants of preconditions under concurrency.
    static let anomalies: [Mutant] = [
        Mutant(
            "version-checked-before-lock", "A version is compared before the commit, in a step of its own.",
            killedBy: "ISO-011", committing: checkingFirst),
        Mutant(
            "version-of-second-handle-unchecked", "A second handle knows only versions of its own commits.",
            killedBy: "ISO-012"
        ) { base, trigger in
            let commits = Counter()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    // The first handle creates the record and so commits without preconditions.
                    if request.preconditions.isEmpty { commits.set(1) }
                    guard commits.current == 0 else { return try await base.commit(request) }
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        guard error.kind == .preconditionFailed else { throw error }
                        trigger.fire()
                        return try await base.commit(CommitRequest(operations: request.operations))
                    }
                }
            }
        },
        Mutant("write-skew", "'unchanged' is judged by the records that the commit writes itself.", killedBy: "ISO-013")
        { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        guard error.kind == .preconditionFailed, request.hasPrecondition(\.isUnchanged) else {
                            throw error
                        }
                        trigger.fire()
                        return try await base.commit(CommitRequest(operations: request.operations))
                    }
                }
            }
        },
        Mutant("phantoms", "'unchanged' lets new records pass.", killedBy: "ISO-013") { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        guard error.kind == .preconditionFailed,
                            case .put("Pair", let rows, _)? = request.operations.first,
                            case .integer(let number) = rows[0, 2], number >= 5
                        else { throw error }
                        trigger.fire()
                        return try await base.commit(CommitRequest(operations: request.operations))
                    }
                }
            }
        },
        Mutant("read-committed", "Each read of a snapshot sees the newest state of its entity.", killedBy: "ISO-014") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.getting = { request, snapshot throws(StorageError) in
                    var rows = RowBuffer()
                    guard request.entity == "Indexed" else {
                        try await snapshot.get(request, into: &rows)
                        return rows
                    }
                    try await Self.live(base, snapshot, trigger).get(request, into: &rows)
                    return rows
                }
            }
        },
        Mutant(
            "history-loses-appends", "An append is lost now and then, although it was acknowledged.",
            killedBy: "ISO-015"
        ) { base, trigger in
            let number = Counter()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    guard request.hasPrecondition(\.isVersion), number.next() % 20 == 19 else {
                        return try await base.commit(request)
                    }
                    trigger.fire()
                    return try await base.commit(
                        CommitRequest(
                            preconditions: request.preconditions, operations: [.delete(entity: "Log", keys: [])]))
                }
            }
        },
        Mutant("history-applies-refused", "An append that is refused is applied now and then.", killedBy: "ISO-015") {
            base, trigger in
            let number = Counter()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    guard request.hasPrecondition(\.isVersion), number.next() % 20 == 19 else {
                        return try await base.commit(request)
                    }
                    _ = try await base.commit(request)
                    trigger.fire()
                    throw StorageError(.preconditionFailed, "Another was faster.", position: .precondition(0))
                }
            }
        },
        Mutant(
            "history-stale-snapshot", "A snapshot shows a state of some commits ago now and then.",
            killedBy: "ISO-015", wrap: staleSnapshots),
        Mutant("history-read-skew", "One list of three is read from what is committed now.", killedBy: "ISO-015") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.getting = { request, snapshot throws(StorageError) in
                    var rows = RowBuffer()
                    if request.keys == [RecordKey([.integer(2)])] {
                        try? await Task.sleep(for: .milliseconds(1))
                        try await Self.live(base, snapshot, trigger).get(request, into: &rows)
                    } else {
                        try await snapshot.get(request, into: &rows)
                    }
                    return rows
                }
            }
        },
        Mutant(
            "history-version-checked-before-lock", "A version is compared before the commit, in a step of its own.",
            killedBy: "ISO-015", committing: checkingFirst),
    ]

    /// Gives out snapshots that are older than any commit that may still be in progress.
    private static let staleSnapshots: @Sendable (any StorageAdapter, MutantTrigger) -> any StorageAdapter = {
        base, trigger in
        let held = HeldSnapshot()
        return HookedAdapter(base) { hooks in
            hooks.committing = { request, base throws(StorageError) in
                if held.snapshot == nil { held.set(try await base.snapshot()) }
                return try await base.commit(request)
            }
            hooks.snapshotting = { base throws(StorageError) in
                let snapshot = try await base.snapshot()
                guard let stale = held.take(olderThan: snapshot.sequence, by: 8) else { return snapshot }
                trigger.fire()
                await snapshot.close()
                return stale
            }
        }
    }

    /// Compares versions first and commits without them.
    private static let checkingFirst: Committing = { request, base, trigger throws(StorageError) in
        guard request.hasPrecondition(\.isVersion) else { return try await base.commit(request) }
        for (index, precondition) in request.preconditions.enumerated() {
            guard case .version(let entity, let key, let version) = precondition else { continue }
            var rows = RowBuffer()
            try await base.get(GetRequest(entity, keys: [key]), into: &rows)
            if rows.versions != [version] {
                throw StorageError(.preconditionFailed, "The record was written.", position: .precondition(index))
            }
        }
        try? await Task.sleep(for: .milliseconds(1))
        do throws(StorageError) {
            return try await base.commit(request)
        } catch {
            trigger.fire()
            return try await base.commit(CommitRequest(operations: request.operations))
        }
    }
}

/// The answer to the last read of one key.
private final class RowCache: Sendable {
    private let state = Mutex<(keys: [RecordKey], rows: RowBuffer, uses: Int)?>(nil)

    /// What is remembered for a request, or the rows themselves, which are then remembered.
    func exchange(_ request: GetRequest, _ rows: RowBuffer) -> RowBuffer {
        state.withLock { state in
            if let (keys, remembered, uses) = state, keys == request.keys, uses < 2 {
                state = (keys, remembered, uses + 1)
                return remembered
            }
            state = (request.keys, rows, 0)
            return rows
        }
    }
}

/// Reads the keys of one request one after the other.
private struct SplitGets: StorageAdapter {
    let base: any StorageAdapter
    let trigger: MutantTrigger

    var capabilities: Capabilities { base.capabilities }
    func open(_ request: OpenRequest) async throws(StorageError) { try await base.open(request) }
    func snapshot() async throws(StorageError) -> any AdapterSnapshot { try await base.snapshot() }
    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt { try await base.commit(request) }
    func close() async throws(StorageError) { try await base.close() }

    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        guard request.keys.count == 2 else { return try await base.get(request, into: &rows) }
        trigger.fire()
        var first = RowBuffer()
        try await base.get(GetRequest(request.entity, keys: [request.keys[0]]), into: &first)
        try? await Task.sleep(for: .milliseconds(2))
        try await base.get(GetRequest(request.entity, keys: [request.keys[1]]), into: &rows)
        rows = RowBuffer(first.storedRows + rows.storedRows, columnCount: rows.columnCount)
    }
}
