/// A key or index of a model, or a mark on the model as a whole.
public enum ModelAttribute: Sendable, Hashable {
    /// An index over fields; without a name it is the primary key as older generated files state it.
    case index(fields: [ModelFieldName], name: String?)
    /// The model is kept by the store for itself and never sent to a service.
    case isSystem
    /// The primary key, most significant field first.
    case primaryKey(fields: [ModelFieldName])

    /// The primary key by the model's keys.
    public static func primaryKey(fields: [any CodingKey]) -> ModelAttribute {
        .primaryKey(fields: fields.map(\.stringValue))
    }
}

/// A mark on a field.
public enum ModelFieldAttribute: Sendable, Hashable {
    /// The field is part of the primary key, as older generated files state it.
    case primaryKey
}

/// The name of a model.
public typealias ModelName = String

/// The name of a field.
public typealias ModelFieldName = String

/// The fields of a model by their names.
public typealias ModelFields = [ModelFieldName: ModelField]
