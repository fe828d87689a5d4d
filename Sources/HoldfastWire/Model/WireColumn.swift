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
    /// Whether the filters of subscriptions can name it.
    ///
    /// They have neither the keys that the service adds for relations nor the fields that list groups of users.
    let isInSubscriptionFilters: Bool
}

extension [WireColumn] {
    /// The service's name of the column that has a name in the store; the name itself if there is none.
    func wireName(of name: String) -> String { first { $0.name == name }?.wireName ?? name }
}
