/// One line of a generated schema: a field or a relation.
public enum ModelFieldDefinition: Sendable {
    /// A field with everything that can be said of it.
    case field(
        name: String, type: ModelFieldType, nullability: ModelFieldNullability, isReadOnly: Bool,
        association: ModelAssociation?, attributes: [ModelFieldAttribute], authRules: AuthRules)

    /// The field as the schema keeps it.
    public var modelField: ModelField {
        switch self {
        case .field(let name, let type, let nullability, let isReadOnly, let association, let attributes, let rules):
            ModelField(
                name: name, type: type, isRequired: nullability.isRequired, isReadOnly: isReadOnly,
                isArray: type.isArray, attributes: attributes, association: association, authRules: rules)
        }
    }

    /// A field that holds a value; required text by default.
    public static func field(
        _ key: any CodingKey, is nullability: ModelFieldNullability = .required, isReadOnly: Bool = false,
        ofType type: ModelFieldType = .string, attributes: [ModelFieldAttribute] = [],
        association: ModelAssociation? = nil, authRules: AuthRules = []
    ) -> ModelFieldDefinition {
        .field(
            name: key.stringValue, type: type, nullability: nullability, isReadOnly: isReadOnly,
            association: association, attributes: attributes, authRules: authRules)
    }

    /// The identifier as older generated files state it: required text that is the primary key.
    public static func id(_ key: any CodingKey) -> ModelFieldDefinition { id(key.stringValue) }

    /// The identifier by its name, `id` by default.
    public static func id(_ name: String = "id") -> ModelFieldDefinition {
        .field(
            name: name, type: .string, nullability: .required, isReadOnly: false, association: nil,
            attributes: [.primaryKey], authRules: [])
    }
}
