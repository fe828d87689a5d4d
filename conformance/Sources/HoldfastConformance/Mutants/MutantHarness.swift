package import HoldfastStorage

/// A harness whose adapters are a mutant.
struct MutantHarness: AdapterHarness {
    let base: any AdapterHarness
    let mutant: Mutant
    let trigger = MutantTrigger()

    var name: String { base.name }
    var levels: Set<Level> { base.levels }
    var changeLogCommitCount: Int { base.changeLogCommitCount }

    func makeLocation() async throws -> any StoreLocation { wrap(try await base.makeLocation()) }

    func location(at address: String) throws -> (any StoreLocation)? { try base.location(at: address).map(wrap) }

    func makeBackupLocation() async throws -> BackupLocation? {
        guard let backup = try await base.makeBackupLocation() else { return nil }
        return BackupLocation(destination: backup.destination, location: wrap(backup.location))
    }

    func makeUnusableLocation() async throws -> (any StoreLocation)? { try await base.makeUnusableLocation().map(wrap) }

    func readOnlyLocation(_ location: any StoreLocation) throws -> (any StoreLocation)? {
        try base.readOnlyLocation(Self.inside(location)).map(wrap)
    }

    func age(_ location: any StoreLocation) async throws { try await base.age(Self.inside(location)) }

    func damage(
        _ location: any StoreLocation, _ damage: StoreDamage
    ) async throws -> DamageRepair? {
        try await base.damage(Self.inside(location), damage)
    }

    private static func inside(_ location: any StoreLocation) -> any StoreLocation {
        (location as? MutantLocation)?.base ?? location
    }

    private func wrap(_ location: any StoreLocation) -> any StoreLocation {
        switch mutant.insertion {
        case .adapter(let wrap):
            MutantLocation(base: location) { [trigger] in wrap(try location.makeAdapter(), trigger) }
        case .location(let wrap): wrap(location, trigger)
        }
    }
}

/// A location whose handles are others.
package struct MutantLocation: StoreLocation {
    let base: any StoreLocation
    private let make: @Sendable () throws -> any StorageAdapter

    /// Creates a location.
    package init(base: any StoreLocation, make: @escaping @Sendable () throws -> any StorageAdapter) {
        self.base = base
        self.make = make
    }

    /// That of the location.
    package var address: String { base.address }
    /// As the location loses it.
    package var powerLoss: PowerLoss? { base.powerLoss }
    /// A changed handle.
    package func makeAdapter() throws -> any StorageAdapter { try make() }
    /// Removes the location.
    package func remove() async { await base.remove() }
}
