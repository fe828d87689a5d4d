#if LevelDB
internal import CLevelDB
internal import HoldfastStorage

extension Capabilities {
    /// What the LevelDB adapter declares.
    static let levelDB: Capabilities = {
        var types: [StorageType: String] = [:]
        for scalar in StorageType.scalars {
            types[scalar] = scalar.levelDBDescription
            types[.list(scalar)] = "tag, count and elements"
        }
        return Capabilities(
            adapterName: "leveldb", engineVersion: "\(leveldb_major_version()).\(leveldb_minor_version())",
            support: [.indexes: .native, .uniqueIndexes: .native, .verification: .native, .backup: .native],
            durability: .powerLoss, nativeTypes: types)
    }()
}

extension StorageType {
    /// The cell's bytes in words.
    fileprivate var levelDBDescription: String {
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
#endif
