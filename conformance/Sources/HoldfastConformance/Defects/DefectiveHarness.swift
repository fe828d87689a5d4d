import HoldfastStorage

/// A harness whose adapter has one defect.
struct DefectiveHarness: AdapterHarness {
    let base: any AdapterHarness
    let defect: Defect
    let trigger = DefectTrigger()

    var name: String { base.name }
    var levels: Set<Level> { base.levels }

    func makeSite() async throws -> any StoreSite { wrap(try await base.makeSite()) }

    func site(at address: String) throws -> (any StoreSite)? { try base.site(at: address).map(wrap) }

    func makeBackupSite() async throws -> BackupSite? {
        guard let backup = try await base.makeBackupSite() else { return nil }
        return BackupSite(destination: backup.destination, site: wrap(backup.site))
    }

    func makeUnusableSite() async throws -> (any StoreSite)? { try await base.makeUnusableSite().map(wrap) }

    func readOnlySite(_ site: any StoreSite) throws -> (any StoreSite)? {
        try base.readOnlySite(Self.inside(site)).map(wrap)
    }

    func damage(
        _ site: any StoreSite, _ damage: StoreDamage
    ) async throws -> (@Sendable () async throws -> Void)? {
        try await base.damage(Self.inside(site), damage)
    }

    func probe(_ site: any StoreSite, entity: EntitySchema, key: RecordKey) async throws -> [String?]? {
        try await base.probe(Self.inside(site), entity: entity, key: key)
    }

    private static func inside(_ site: any StoreSite) -> any StoreSite { (site as? DefectiveSite)?.base ?? site }

    private func wrap(_ site: any StoreSite) -> any StoreSite {
        switch defect.insertion {
        case .adapter(let wrap):
            DefectiveSite(base: site) { [trigger] in wrap(try site.makeAdapter(), trigger) }
        case .site(let wrap): wrap(site, trigger)
        }
    }
}

struct DefectiveSite: StoreSite {
    let base: any StoreSite
    let make: @Sendable () throws -> any StorageAdapter

    var address: String { base.address }
    var powerLoss: PowerLoss? { base.powerLoss }
    func makeAdapter() throws -> any StorageAdapter { try make() }
    func remove() async { await base.remove() }
}
