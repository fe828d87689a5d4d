import HoldfastStorage

/// A harness whose adapter has one defect.
struct MutantHarness: AdapterHarness {
    let base: any AdapterHarness
    let defect: Mutant
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

    func damage(
        _ location: any StoreLocation, _ damage: StoreDamage
    ) async throws -> (@Sendable () async throws -> Void)? {
        try await base.damage(Self.inside(location), damage)
    }

    func probe(_ location: any StoreLocation, entity: EntitySchema, key: RecordKey) async throws -> [String?]? {
        try await base.probe(Self.inside(location), entity: entity, key: key)
    }

    private static func inside(_ location: any StoreLocation) -> any StoreLocation {
        (location as? MutantLocation)?.base ?? location
    }

    private func wrap(_ location: any StoreLocation) -> any StoreLocation {
        switch defect.insertion {
        case .adapter(let wrap):
            MutantLocation(base: location) { [trigger] in wrap(try location.makeAdapter(), trigger) }
        case .location(let wrap): wrap(location, trigger)
        }
    }
}

struct MutantLocation: StoreLocation {
    let base: any StoreLocation
    let make: @Sendable () throws -> any StorageAdapter

    var address: String { base.address }
    var powerLoss: PowerLoss? { base.powerLoss }
    func makeAdapter() throws -> any StorageAdapter { try make() }
    func remove() async { await base.remove() }
}
