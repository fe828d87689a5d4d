import HoldfastStorage

extension Capabilities {
    /// What the in-memory adapter declares.
    static let inMemory: Capabilities = {
        var nativeTypes: [StorageType: String] = [
            .boolean: "Value.boolean in a persistent tree",
            .integer: "Value.integer in a persistent tree",
            .double: "Value.double in a persistent tree",
            .text: "Value.text in a persistent tree",
            .bytes: "Value.bytes in a persistent tree",
            .date: "Value.date in a persistent tree",
            .time: "Value.time in a persistent tree",
            .timestamp: "Value.timestamp in a persistent tree",
            .json: "Value.text in a persistent tree",
        ]
        for type in StorageType.scalars { nativeTypes[.list(type)] = "Value.list in a persistent tree" }
        return Capabilities(
            adapterName: "memory",
            support: [
                .predicates: .native, .sorting: .native, .aggregates: .native, .indexes: .native,
                .uniqueIndexes: .native, .verification: .native, .versionOrder: .native,
            ],
            durability: .none,
            limits: Limits(keyByteCount: 64 << 10, cellByteCount: 64 << 20, commitRowCount: 1_000_000),
            nativeTypes: nativeTypes)
    }()
}
