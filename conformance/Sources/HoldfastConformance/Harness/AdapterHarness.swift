/// What the suite needs from an author to try an adapter.
///
/// ```swift
/// struct MyHarness: AdapterHarness {
///     let name = "mine"
///     let levels: Set<Level> = [.core, .query]
///
///     func makeLocation() async throws -> any StoreLocation { MyLocation() }
/// }
///
/// struct MyLocation: StoreLocation {
///     let address = "memory \(UInt64.random(in: .min ... .max))"
///
///     func makeAdapter() throws -> any StorageAdapter { InMemoryAdapter() }
///     func remove() async {}
/// }
/// ```
public protocol AdapterHarness: Sendable {
    /// A short name in lower case, for instance `sqlite`.
    var name: String { get }
    /// The levels the adapter claims; clauses of others are skipped.
    var levels: Set<Level> { get }
    /// How the back end is configured, for reports; nothing by default.
    var options: [String: String] { get }
    /// Rules that are known to be broken; none by default.
    var waivers: [Waiver] { get }

    /// How many commits the change log of a location's store is set to keep; 1,000 by default.
    var changeLogCommitCount: Int { get }

    /// A new, empty place for a store.
    func makeLocation() async throws -> any StoreLocation

    /// The location of an address, made by another process; `nil` (the default) if the adapter's stores belong to one
    /// process.
    func location(at address: String) throws -> (any StoreLocation)?

    /// A place for a backup; `nil` (the default) if the harness has none.
    func makeBackupLocation() async throws -> BackupLocation?

    /// A place at which no store can be created; `nil` (the default) if the harness has none.
    func makeUnusableLocation() async throws -> (any StoreLocation)?

    /// The same place with handles that may only read; `nil` (the default) if the adapter has none.
    func readOnlyLocation(_ location: any StoreLocation) throws -> (any StoreLocation)?

    /// Does, without going through the adapter, what happens to the store of a location in some hours by itself: what
    /// is kept for some time gets old, and the back end does its upkeep.
    ///
    /// Nothing by default: most stores ask no clock.
    func age(_ location: any StoreLocation) async throws

    /// Damages the store of a location, without going through the adapter.
    ///
    /// No handle on it is open, except on a store that is not in files, which may be cut short under one.
    ///
    /// - Returns: What undoes exactly the damage; `nil` (the default) if the harness cannot do this.
    func damage(
        _ location: any StoreLocation, _ damage: StoreDamage
    ) async throws -> DamageRepair?
}

extension AdapterHarness {
    /// No options.
    public var options: [String: String] { [:] }
    /// Nothing is waived.
    public var waivers: [Waiver] { [] }
    /// A thousand commits.
    public var changeLogCommitCount: Int { 1_000 }
    /// Stores belong to one process.
    public func location(at address: String) throws -> (any StoreLocation)? { nil }
    /// No place for a backup.
    public func makeBackupLocation() async throws -> BackupLocation? { nil }
    /// No unusable place.
    public func makeUnusableLocation() async throws -> (any StoreLocation)? { nil }
    /// No handles that may only read.
    public func readOnlyLocation(_ location: any StoreLocation) throws -> (any StoreLocation)? { nil }
    /// Time changes nothing.
    public func age(_ location: any StoreLocation) async throws {}
    /// No damage.
    public func damage(
        _ location: any StoreLocation, _ damage: StoreDamage
    ) async throws -> DamageRepair? { nil }
}
