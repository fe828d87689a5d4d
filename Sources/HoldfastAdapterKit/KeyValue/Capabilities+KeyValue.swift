public import HoldfastStorage

extension Capabilities {
    /// What an adapter on a key-value engine declares: native indexes, unique indexes, order by version, and
    /// verification, and how cells are stored.
    ///
    /// - Parameters:
    ///   - adapterName: Short, lower case, stable.
    ///   - engineVersion: The engine's version.
    ///   - support: Features that differ, such as `.backup: .native`.
    ///   - durability: The strongest level; the loss of power by default.
    ///   - limits: The bounds; those of an engine without limits by default.
    /// - Returns: The capabilities, with `support` in place of the usual features where both have one.
    public static func keyValue(
        adapterName: String, engineVersion: String? = nil, support: [Feature: Support] = [:],
        durability: Durability = .powerLoss, limits: Limits = Limits()
    ) -> Capabilities {
        var types: [StorageType: String] = [:]
        for scalar in StorageType.scalars {
            types[scalar] = scalar.cellDescription
            types[.list(scalar)] = StorageType.list(scalar).cellDescription
        }
        let usual: [Feature: Support] = [
            .indexes: .native, .uniqueIndexes: .native, .verification: .native,
            .versionOrder: .native,
        ]
        return Capabilities(
            adapterName: adapterName, engineVersion: engineVersion, support: usual.merging(support) { $1 },
            durability: durability, limits: limits, nativeTypes: types)
    }
}

extension StorageType {
    /// The cell's bytes in words.
    fileprivate var cellDescription: String {
        switch self {
        case .boolean: "tag"
        case .integer: "tag and zigzag varint"
        case .double: "tag and 8 bytes"
        case .text, .json, .bytes: "tag, length and bytes"
        case .date: "tag, days and tail as varints"
        case .time: "tag, nanoseconds and tail as varints"
        case .timestamp: "tag, seconds, nanoseconds and tail as varints"
        case .list: "tag, count and elements"
        }
    }
}
