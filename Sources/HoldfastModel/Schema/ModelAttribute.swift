/// A key or index of a model.
public enum ModelAttribute: Sendable, Hashable {
    /// An index over fields; without a name it is the primary key as older generated files state it.
    case index(fields: [String], name: String?)
    /// The primary key, most significant field first.
    case primaryKey(fields: [String])

    /// The primary key by the model's keys.
    public static func primaryKey(fields: [any CodingKey]) -> ModelAttribute {
        .primaryKey(fields: fields.map(\.stringValue))
    }
}
