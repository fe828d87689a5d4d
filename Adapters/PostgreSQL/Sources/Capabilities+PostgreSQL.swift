#if PostgreSQL
internal import HoldfastStorage

extension Capabilities {
    /// What the PostgreSQL adapter declares.
    ///
    /// - Parameters:
    ///   - configuration: Of the store.
    ///   - serverVersion: Such as 150018; `nil` before the store is open.
    /// - Returns: The capabilities; without a change feed if the configuration keeps no change log.
    static func postgreSQL(_ configuration: PostgreSQLConfiguration, serverVersion: Int?) -> Capabilities {
        var types: [StorageType: String] = [:]
        for scalar in StorageType.scalars {
            types[scalar] = scalar.postgreSQLDescription
            types[.list(scalar)] = StorageType.list(scalar).postgreSQLDescription
        }
        var support = Dictionary(uniqueKeysWithValues: Feature.allCases.map { ($0, Support.native) })
        support[.backup] = .unsupported
        if configuration.changeLogCommitCount <= 0 { support[.changeFeed] = .unsupported }
        return Capabilities(
            adapterName: "postgresql",
            engineVersion: serverVersion.map { "\($0 / 10_000).\($0 % 10_000)" },
            support: support, durability: .powerLoss, nativeTypes: types)
    }
}
#endif
