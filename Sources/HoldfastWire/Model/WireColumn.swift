public import HoldfastStorage

/// One column of a model's records and how the dialect has it.
public struct WireColumn: Sendable, Hashable {
    /// The name in the store.
    public let name: String
    /// The name in inputs and filters; differs for the key of a relation without a stated name.
    public let wireName: String
    /// What the column holds.
    public let type: FieldType
    /// Whether null is refused.
    public let isRequired: Bool
    /// Whether only the service writes it.
    public let isReadOnly: Bool
    /// Whether it is the key of a relation and no field of its own.
    let isRelationKey: Bool
}
