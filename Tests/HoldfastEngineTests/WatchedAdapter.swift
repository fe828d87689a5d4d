import HoldfastStorage

/// How often records of each entity were asked for, by how many keys, and what commits asked for.
final class Reads: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    private let keyCounts = Mutex<[String: Int]>([:])

    subscript(entity: String) -> Int { counts.withLock { $0[entity] ?? 0 } }

    /// How many keys of an entity were asked for.
    func keyCount(of entity: String) -> Int { keyCounts.withLock { $0[entity] ?? 0 } }

    private let snapshots = Mutex<(open: Int, most: Int)>((0, 0))

    /// The greatest number of snapshots that were open at once.
    var mostSnapshots: Int { snapshots.withLock { $0.most } }

    fileprivate func noteOpened() {
        snapshots.withLock { $0 = ($0.open + 1, max($0.most, $0.open + 1)) }
    }

    fileprivate func noteClosed() { snapshots.withLock { $0.open -= 1 } }

    private let durabilities = Mutex<[Durability?]>([])

    /// The durability that each commit asked for.
    var commits: [Durability?] { durabilities.withLock { $0 } }

    fileprivate func note(_ durability: Durability?) { durabilities.withLock { $0.append(durability) } }

    /// Counts from 0 again.
    func reset() {
        counts.withLock { $0 = [:] }
        keyCounts.withLock { $0 = [:] }
        durabilities.withLock { $0 = [] }
    }

    fileprivate func note(_ entity: String) { counts.withLock { $0[entity, default: 0] += 1 } }

    fileprivate func note(_ request: GetRequest) {
        note(request.entity)
        keyCounts.withLock { $0[request.entity, default: 0] += request.keys.count }
    }
}

/// An adapter that counts what is read from it, one for each call.
final class WatchedAdapter: StorageAdapter {
    private let base: any StorageAdapter
    private let reads: Reads
    private let predicateNodeCount: Int?

    /// Watches an adapter, perhaps with a smaller limit for predicates.
    init(_ base: any StorageAdapter, _ reads: Reads, predicateNodeCount: Int? = nil) {
        self.base = base
        self.reads = reads
        self.predicateNodeCount = predicateNodeCount
    }

    var capabilities: Capabilities {
        var capabilities = base.capabilities
        if let predicateNodeCount { capabilities.limits.predicateNodeCount = predicateNodeCount }
        return capabilities
    }
    func open(_ request: OpenRequest) async throws(StorageError) { try await base.open(request) }
    func close() async throws(StorageError) { try await base.close() }
    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        reads.note(request.durability)
        return try await base.commit(request)
    }
    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        reads.note(request)
        try await base.get(request, into: &rows)
    }
    func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        let snapshot = WatchedSnapshot(base: try await base.snapshot(), reads: reads)
        reads.noteOpened()
        return snapshot
    }
}

private struct WatchedSnapshot: AdapterSnapshot {
    let base: any AdapterSnapshot
    let reads: Reads

    var sequence: UInt64 { base.sequence }
    func close() async {
        reads.noteClosed()
        await base.close()
    }
    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        reads.note(request)
        try await base.get(request, into: &rows)
    }
    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan {
        reads.note(range.entity)
        return try await base.scan(range)
    }
    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
        reads.note(query.entity.name)
        return try await base.query(query)
    }
    func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        try await base.aggregate(aggregate)
    }
}
