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
    /// A type without a table of its own, or a list of scalars.
    case embedded(type: any (Codable & Sendable).Type)
    /// A list of scalars, enumerations or embedded values, by its element type.
    case embeddedCollection(of: any (Codable & Sendable).Type)
    /// A record of another model, by the model's name.
    case model(name: String)
    /// Records of another model, by the model's name.
    case collection(of: String)

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
        case .embedded(let type): Self.embedded(type)
        case .embeddedCollection(let type):
            .list(of: Self.embedded(type), elementsAreRequired: false)
        case .model, .collection: nil
        }
    }

    private static func embedded(_ type: any (Codable & Sendable).Type) -> FieldType {
        if let type = type as? any RowValue.Type { return type.fieldType }
        return .embedded(String(describing: type))
    }
}
