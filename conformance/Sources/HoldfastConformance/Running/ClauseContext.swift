public import HoldfastStorage

/// What a check works with: stores on fresh locations, expectations, and the record of what it saw.
public final class ClauseContext: Sendable {
    /// The adapter's harness.
    public let harness: any AdapterHarness
    /// Decides every random choice of the check.
    public let seed: UInt64
    /// Starts child processes; `nil` if the run has no executable to start.
    public let workers: WorkerLauncher?

    private struct State {
        var witnessCount = 0
        var step: String?
        var stores: [TestStore] = []
        var locations: [any StoreLocation] = []
        var closings: [@Sendable () async -> Void] = []
    }
    private let state = Mutex(State())

    init(harness: any AdapterHarness, seed: UInt64, workers: WorkerLauncher?) {
        self.harness = harness
        self.seed = seed
        self.workers = workers
    }

    // MARK: Witness

    /// Records that what the clause is about was really observed, and how often.
    public func witness(_ count: Int = 1) { state.withLock { $0.witnessCount += count } }

    var witnessCount: Int { state.withLock { $0.witnessCount } }

    /// Notes what the check does next, for the case that it never ends.
    public func begin(_ step: @autoclosure () -> String) {
        let step = step()
        state.withLock { $0.step = step }
    }

    /// What the check began last; `nil` if it did not say.
    var step: String? { state.withLock { $0.step } }

    // MARK: Processes

    /// Starts a job at a location in a child process.
    ///
    /// - Throws: ``ClauseSkip`` if this run cannot start children or the harness does not share its locations.
    func start(
        _ job: WorkerJob, at location: any StoreLocation, _ parameters: [String] = [],
        environment: [String: String] = [:], takesInput: Bool = false
    ) throws -> WorkerProcess {
        guard let workers else { throw ClauseSkip.noWorkers }
        begin("a child process with the job '\(job.rawValue)'")
        guard try harness.location(at: location.address) != nil else {
            throw ClauseSkip("The harness has no location(at:), which gives a location to other processes.")
        }
        return try workers.start(
            job, adapter: harness.name, address: location.address, parameters, environment: environment,
            takesInput: takesInput)
    }

    /// Says that the mutant under test had its effect in a child.
    func noteMutantFired() { (harness as? MutantHarness)?.trigger.fire() }

    // MARK: Stores

    /// A new, empty location; removed when the check ends.
    public func makeLocation() async throws -> any StoreLocation {
        do {
            let location = try await harness.makeLocation()
            state.withLock { $0.locations.append(location) }
            return location
        } catch {
            throw HarnessFailure("The harness made no location: \(error)")
        }
    }

    /// Has a location removed when the check ends.
    func removesLater(_ location: any StoreLocation) { state.withLock { $0.locations.append(location) } }

    /// Has something done when the check ends, before the locations are removed.
    package func closesLater(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { $0.closings.append(body) }
    }

    /// Opens a store; closed when the check ends.
    ///
    /// - Parameters:
    ///   - entities: The entities that it holds.
    ///   - location: Where; a fresh location by default.
    ///   - migration: As for ``Store/open(_:schema:migration:)``.
    /// - Returns: The open store.
    /// - Throws: ``HarnessFailure`` if the harness makes no location, or the error of making the adapter or opening the
    ///   store.
    public func open(
        _ entities: EntitySchema..., at location: (any StoreLocation)? = nil,
        migration: @escaping @Sendable (StorageSchema) throws(StorageError) -> SchemaMigration? = { _ in nil }
    ) async throws -> TestStore {
        try await open(StorageSchema(entities: entities), at: location, migration: migration)
    }

    /// Opens a store; closed when the check ends.
    public func open(
        _ schema: StorageSchema, at location: (any StoreLocation)? = nil,
        migration: @escaping @Sendable (StorageSchema) throws(StorageError) -> SchemaMigration? = { _ in nil }
    ) async throws -> TestStore {
        let storeLocation: any StoreLocation
        if let location { storeLocation = location } else { storeLocation = try await makeLocation() }
        let adapter = try storeLocation.makeAdapter()
        begin("opening a store")
        let store = TestStore(
            store: try await Store.open(adapter, schema: schema, migration: migration), adapter: adapter,
            location: storeLocation,
            context: self)
        state.withLock { $0.stores.append(store) }
        return store
    }

    /// The declaration of the adapter, from a handle that is not opened.
    public func declaredCapabilities() async throws -> Capabilities {
        try await makeLocation().makeAdapter().capabilities
    }

    func cleanUp() async {
        let (stores, locations, closings) = state.withLock { state in
            defer { state = State(witnessCount: state.witnessCount, step: state.step) }
            return (state.stores, state.locations, state.closings)
        }
        begin("closing what the check opened")
        for close in closings { await close() }
        for store in stores { try? await store.store.close() }
        for location in locations { await location.remove() }
    }

    // MARK: Expectations

    /// Fails the check if a condition does not hold.
    public func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws(ClauseFailure) {
        if !condition { throw ClauseFailure(message()) }
    }

    /// Fails the check if two values differ.
    ///
    /// - Parameters:
    ///   - actual: What came.
    ///   - expected: What the rule demands.
    ///   - subject: What they are of, for instance "the row read after reopening".
    /// - Throws: ``ClauseFailure`` with the subject and the difference.
    public func expectEqual<T: Equatable>(
        _ actual: T, _ expected: T, _ subject: @autoclosure () -> String
    ) throws(ClauseFailure) {
        if actual != expected {
            throw ClauseFailure("\(subject()): \(ValueText.difference(expected, actual))")
        }
    }

    /// Runs something that must fail with one of some kinds.
    ///
    /// - Parameters:
    ///   - kinds: The kinds allowed; any if empty.
    ///   - subject: What is done, for instance "a commit after close".
    ///   - body: The call.
    /// - Returns: The error.
    /// - Throws: ``ClauseFailure`` if the call succeeds or fails with another kind; any error of the call that is not a
    ///   `StorageError`.
    @discardableResult
    public func expectError(
        _ kinds: StorageError.Kind..., from subject: String, _ body: () async throws -> Void
    ) async throws -> StorageError {
        do {
            try await body()
        } catch let error as StorageError {
            try expect(
                kinds.isEmpty || kinds.contains(error.kind),
                "\(subject): expected \(kinds.map(\.rawValue).joined(separator: " or ")), got \(error.kind.rawValue)")
            return error
        }
        throw ClauseFailure("\(subject) must fail, but succeeded")
    }
}
