#if LevelDB
internal import CLevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage

extension Capabilities {
    /// What the LevelDB adapter declares.
    static let levelDB = Capabilities.keyValue(
        adapterName: "leveldb", engineVersion: "\(leveldb_major_version()).\(leveldb_minor_version())",
        support: [.backup: .native])
}
#endif
