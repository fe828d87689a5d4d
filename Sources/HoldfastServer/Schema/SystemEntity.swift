import HoldfastStorage

/// The entities that the service keeps for itself.
enum SystemEntity {
    /// Which commits were visible when a label was given out; see ``Labels``.
    static let label = EntitySchema(
        "__label", fields: [FieldSchema("label", .int), FieldSchema("sequence", .int)], primaryKey: ["label"],
        isInChangeFeed: false)
    /// The newest label.
    static let labelHead = EntitySchema(
        "__label_head",
        fields: [FieldSchema("id", .string), FieldSchema("label", .int), FieldSchema("sequence", .int)],
        isInChangeFeed: false)
    /// What processes of one service share: the secret that page tokens are signed with, and how far tombstones were
    /// purged.
    static let setting = EntitySchema(
        "__service", fields: [FieldSchema("id", .string), FieldSchema("value", .bytes)], isInChangeFeed: false)

    static let all = [label, labelHead, setting]
}
