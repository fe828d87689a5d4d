import HoldfastStorage

/// A process's handle on a store: it dies with the process, and fails where the scenario says so.
///
/// Unchecked because everything happens on one thread.
final class SimulatedAdapter: StorageAdapter, @unchecked Sendable {
    /// What happens at a commit.
    enum Fate: Sendable {
        case carriedOut
        case failing(Scenario.CommitFault)
        case death(isBefore: Bool)
    }

    let store: SimulatedStore
    private var base: any StorageAdapter
    private let simulator: Simulator
    private var random: SplitMix64
    /// How many milliseconds something takes at most now and then.
    private let slowest: Int?
    /// Whether another process may have the store open.
    private let isShared: Bool
    private(set) var isDead = false
    /// What happens at the next commit.
    var fate: @Sendable () -> Fate = { .carriedOut }
    /// Whether the next reading fails.
    var failsToRead: @Sendable () -> Bool = { false }
    /// Called when the process dies at a commit.
    var died: @Sendable () -> Void = {}
    /// Called after each commit, before the one who asked for it learns of it.
    var committed: @Sendable (CommitRequest, CommitReceipt) async -> Void = { _, _ in }

    init(_ store: SimulatedStore, simulator: Simulator, seed: UInt64, slowest: Int?, isShared: Bool = false) throws {
        self.store = store
        self.simulator = simulator
        self.slowest = slowest
        self.isShared = isShared
        base = try store.fresh()
        random = SplitMix64(seed: seed)
    }

    var capabilities: Capabilities {
        var capabilities = base.capabilities
        if isShared { capabilities.support[.multipleProcesses] = .native }
        return capabilities
    }

    /// Ends the process: nothing that it began reaches the store from then on.
    func die() { isDead = true }

    func open(_ request: OpenRequest) async throws(StorageError) {
        try check()
        try await store.open(request)
        // An upgrade may have put another one in its place.
        if let opened = store.adapter { base = opened }
    }

    func snapshot() async throws(StorageError) -> any AdapterSnapshot {
        await pause()
        try checkReading()
        let snapshot = SimulatedSnapshot(base: try await base.snapshot(), adapter: self)
        // Much may happen until it is used.
        if slowest != nil { await pause() }
        return snapshot
    }

    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        await pause()
        try checkReading()
        try await base.get(request, into: &rows)
        try check()
    }

    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        await pause()
        try check()
        switch fate() {
        case .carriedOut: return try await carryOut(request)
        case .death(isBefore: true):
            end()
            throw StorageError.closedStore()
        case .death(isBefore: false):
            _ = try? await carryOut(request)
            end()
            throw StorageError.closedStore()
        case .failing(.full): throw StorageError(.full, "The disk is full.")
        case .failing(.busy): throw StorageError(.busy, "The store is busy.")
        case .failing(.unknownLost):
            throw StorageError(.connectionLost, "The connection was lost.", transaction: .outcomeUnknown)
        case .failing(.unknownWritten):
            _ = try await carryOut(request)
            throw StorageError(.connectionLost, "The connection was lost.", transaction: .outcomeUnknown)
        }
    }

    func changes(after sequence: UInt64?) async throws(StorageError) -> any ChangeFeed {
        try check()
        let feed = try await base.changes(after: sequence)
        return isShared ? SimulatedFeed(base: feed, adapter: self) : feed
    }

    func verify() async throws(StorageError) -> [String] { try await base.verify() }

    func close() async throws(StorageError) {
        guard !isDead else { return }
        isDead = true
        await store.close()
    }

    func check() throws(StorageError) { if isDead { throw StorageError.closedStore() } }

    /// Fails if the process is dead, or where the scenario says so.
    func checkReading() throws(StorageError) {
        try check()
        if failsToRead() { throw StorageError(.io, "The store cannot be read.") }
    }

    /// Lets others continue, for at most two milliseconds if the store is never slow.
    func pause() async {
        if let slowest, random.chance(15) {
            await simulator.pass(microseconds: random.number(in: 1...slowest) * 1_000)
        } else {
            await simulator.pass(microseconds: random.number(in: 0...3) * 700)
        }
    }

    /// Lets everything end that continues without a pause.
    func simulatorPause() async throws { try await simulator.sleep(.seconds(1)) }

    private func carryOut(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        let receipt = try await commitAlone(request)
        await pause()
        try check()
        return receipt
    }

    /// Commits so that those who look at the commit find the store as it has left it.
    private func commitAlone(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        if isShared { await store.lock.lock() }
        defer { if isShared { store.lock.unlock() } }
        let receipt = try await base.commit(request)
        await committed(request, receipt)
        return receipt
    }

    private func end() {
        guard !isDead else { return }
        isDead = true
        died()
    }
}

/// A view of a store that ends with its process.
private struct SimulatedSnapshot: AdapterSnapshot {
    let base: any AdapterSnapshot
    let adapter: SimulatedAdapter

    var sequence: UInt64 { base.sequence }

    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        await adapter.pause()
        try adapter.checkReading()
        try await base.get(request, into: &rows)
    }

    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan {
        try adapter.check()
        return try await base.scan(range)
    }

    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
        await adapter.pause()
        try adapter.checkReading()
        return try await base.query(query)
    }

    func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        try adapter.check()
        return try await base.aggregate(aggregate)
    }

    func close() async { await base.close() }
}

/// A feed of a process; it reads the log whenever there is news, since a pause of its own would pass in real time.
private struct SimulatedFeed: ChangeFeed {
    var base: any ChangeFeed
    let adapter: SimulatedAdapter

    mutating func next() async throws(StorageError) -> ChangeFeedElement? {
        let element = try await base.next()
        await adapter.pause()
        return adapter.isDead ? nil : element
    }

    mutating func close() async { await base.close() }
}
