public import HoldfastStorage

/// One place where a store can live: a directory, a database, a name in memory.
///
/// Locations are independent: what happens at one is never seen at another.
public protocol StoreLocation: Sendable {
    /// Text from which ``AdapterHarness/location(at:)`` makes the same location in another process.
    var address: String { get }

    /// A new handle on the store of this location, not yet opened.
    func makeAdapter() throws -> any StorageAdapter

    /// How it loses power; `nil` (the default) if that cannot be simulated.
    var powerLoss: PowerLoss? { get }

    /// Deletes the store and all that belongs to it; every handle is closed by then. Idempotent.
    func remove() async
}

extension StoreLocation {
    /// Cannot be simulated.
    public var powerLoss: PowerLoss? { nil }
}
