public import HoldfastStorage

/// What the suite needs from an author to try an adapter.
public protocol AdapterHarness: Sendable {
    /// A short name in lower case, for instance `sqlite`.
    var name: String { get }
    /// The levels the adapter claims; clauses of others are skipped.
    var levels: Set<Level> { get }
    /// How the back end is configured, for reports; nothing by default.
    var options: [String: String] { get }
    /// Rules that are known to be broken; none by default.
    var waivers: [Waiver] { get }

    /// A new, empty place for a store.
    func makeSite() async throws -> any StoreSite

    /// The site of an address, made by another process; `nil` (the default) if the adapter's stores belong to one
    /// process.
    func site(at address: String) throws -> (any StoreSite)?

    /// A place for a backup; `nil` (the default) if the harness has none.
    func makeBackupSite() async throws -> BackupSite?

    /// A place at which no store can be created; `nil` (the default) if the harness has none.
    func makeUnusableSite() async throws -> (any StoreSite)?

    /// The same place with handles that may only read; `nil` (the default) if the adapter has none.
    func readOnlySite(_ site: any StoreSite) throws -> (any StoreSite)?

    /// Damages the store of a site, which nobody has open, past the adapter.
    ///
    /// - Returns: What undoes exactly the damage; `nil` (the default) if the harness cannot do this.
    func damage(
        _ site: any StoreSite, _ damage: StoreDamage
    ) async throws -> (@Sendable () async throws -> Void)?

    /// Reads a record by the back end's own means, past the adapter: one text per field, in schema order.
    ///
    /// - Returns: `nil` (the default) if the harness has no such probe; an empty list if there is no such record.
    func probe(
        _ site: any StoreSite, entity: EntitySchema, key: RecordKey
    ) async throws -> [String?]?
}

extension AdapterHarness {
    /// Nothing to tell.
    public var options: [String: String] { [:] }
    /// Nothing is waived.
    public var waivers: [Waiver] { [] }
    /// Stores belong to one process.
    public func site(at address: String) throws -> (any StoreSite)? { nil }
    /// No place for a backup.
    public func makeBackupSite() async throws -> BackupSite? { nil }
    /// No unusable place.
    public func makeUnusableSite() async throws -> (any StoreSite)? { nil }
    /// No handles that may only read.
    public func readOnlySite(_ site: any StoreSite) throws -> (any StoreSite)? { nil }
    /// No damage.
    public func damage(
        _ site: any StoreSite, _ damage: StoreDamage
    ) async throws -> (@Sendable () async throws -> Void)? { nil }
    /// No probe.
    public func probe(
        _ site: any StoreSite, entity: EntitySchema, key: RecordKey
    ) async throws -> [String?]? { nil }
}
