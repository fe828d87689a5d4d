import HoldfastStorage

/// The type of a model's field as generated code states it.
public enum ModelFieldType: Sendable {
    /// `ID`, `String` and the AppSync scalars that Swift keeps as `String`.
    case string
    /// `Int`.
    case int
    /// `Float`.
    case double
    /// `AWSDate`.
    case date
    /// `AWSDateTime`.
    case dateTime
    /// `AWSTime`.
    case time
    /// `AWSTimestamp`.
    case timestamp
    /// `Boolean`.
    case bool
    /// An enumeration.
    case `enum`(type: any EnumPersistable.Type)
    /// A type without its own table; `schema` where the type does not have one itself.
    case embedded(type: any (Codable & SendableMetatype).Type, schema: ModelSchema?)
    /// A list of scalars, enumerations or embedded values, by its element type.
    case embeddedCollection(of: any (Codable & SendableMetatype).Type, schema: ModelSchema?)
    /// A record of another model, by the model's name.
    case model(name: ModelName)
    /// Records of another model, by the model's name.
    case collection(of: ModelName)

    /// A record of another model.
    public static func model(type: any Model.Type) -> ModelFieldType { .model(name: type.modelName) }

    /// Records of another model.
    public static func collection(of type: any Model.Type) -> ModelFieldType { .collection(of: type.modelName) }

    /// A type without its own table, or a list of scalars.
    public static func embedded(type: any (Codable & SendableMetatype).Type) -> ModelFieldType {
        .embedded(type: type, schema: nil)
    }

    /// A list of scalars, enumerations or embedded values, by its element type.
    public static func embeddedCollection(of type: any (Codable & SendableMetatype).Type) -> ModelFieldType {
        .embeddedCollection(of: type, schema: nil)
    }

    /// A type without its own table, as very old generated files state it.
    public static func customType(_ type: any (Codable & SendableMetatype).Type) -> ModelFieldType {
        .embedded(type: type, schema: nil)
    }

    /// The field type that holds values of a Swift type; an embedded type if no other does.
    public static func from(type: any (Codable & SendableMetatype).Type) -> ModelFieldType {
        if let type = type as? any Model.Type { return .model(type: type) }
        if let type = type as? any EnumPersistable.Type { return .enum(type: type) }
        guard let type = type as? any RowValue.Type else { return .embedded(type: type, schema: nil) }
        return switch type.fieldType {
        case .string: .string
        case .int: .int
        case .float: .double
        case .boolean: .bool
        case .date: .date
        case .time: .time
        case .dateTime: .dateTime
        default: .embedded(type: type as? any (RowValue & Codable).Type ?? String.self, schema: nil)
        }
    }

    /// Whether the field holds or leads to several values.
    public var isArray: Bool {
        switch self {
        case .collection, .embeddedCollection: true
        case .embedded(let type, _): type is any ListType.Type
        default: false
        }
    }

    /// The schema of the embedded type, if there is one.
    var embeddedSchema: ModelSchema? {
        switch self {
        case .embedded(let type, let schema), .embeddedCollection(let type, let schema):
            schema ?? ((type as? any ListType.Type)?.elementType ?? type as? any Embeddable.Type)?.schema
        default: nil
        }
    }

    /// What a field of this type holds, or `nil` for a relation, which holds the other model's key or nothing.
    var fieldType: FieldType? {
        switch self {
        case .string: .string
        case .int: .int
        case .double: .float
        case .date: .date
        case .dateTime: .dateTime
        case .time: .time
        case .timestamp: .timestamp
        case .bool: .boolean
        case .enum(let type): .enumeration(String(describing: type))
        case .embedded(let type, _): Self.embeddedFieldType(type)
        case .embeddedCollection(let type, _):
            type is any ListType.Type
                ? Self.embeddedFieldType(type)
                : .list(of: Self.embeddedFieldType(type), elementsAreRequired: false)
        case .model, .collection: nil
        }
    }

    private static func embeddedFieldType(_ type: Any.Type) -> FieldType {
        if let type = type as? any RowValue.Type { return type.fieldType }
        if let type = type as? any ListType.Type, let element = type.elementType {
            return .list(of: .embedded(String(describing: element)), elementsAreRequired: false)
        }
        return .embedded(String(describing: type))
    }
}

/// An array, so that the element type can be asked for.
protocol ListType {
    /// The element type if it is embeddable.
    static var elementType: (any Embeddable.Type)? { get }
}

extension Array: ListType {
    static var elementType: (any Embeddable.Type)? { Element.self as? any Embeddable.Type }
}
