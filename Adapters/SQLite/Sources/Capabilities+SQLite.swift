#if SQLite
internal import CSQLite
internal import HoldfastStorage

extension Capabilities {
    /// What the SQLite adapter declares.
    static let sqlite: Capabilities = {
        var types: [StorageType: String] = [:]
        for scalar in StorageType.scalars {
            types[scalar] = scalar.sqliteDescription
            types[.list(scalar)] = StorageType.list(scalar).sqliteDescription
        }
        let limits = SQLiteLimits.library
        return Capabilities(
            adapterName: "sqlite", engineVersion: String(cString: sqlite3_libversion()),
            support: Dictionary(
                uniqueKeysWithValues: Feature.allCases.filter { $0 != .changeFeed }.map { ($0, .native) }),
            durability: .powerLoss,
            // A text as list element may take six times its bytes, where every character is escaped.
            limits: Limits(cellByteCount: min(64 << 20, limits.rowByteCount / 8)),
            nativeTypes: types)
    }()
}
#endif
