import HoldfastSchema

extension ValueKind {
    /// The Swift type of one value.
    var swiftType: String {
        switch self {
        case .string: "String"
        case .int: "Int"
        case .double: "Double"
        case .bool: "Bool"
        case .date: "Temporal.Date"
        case .dateTime: "Temporal.DateTime"
        case .time: "Temporal.Time"
        case .enumeration(let name): SwiftNames.enumType(name)
        case .embedded(let name): name
        }
    }

    /// The case of the schema's field types; `nil` for what a cell holds as JSON.
    var schemaType: String {
        switch self {
        case .string: ".string"
        case .int: ".int"
        case .double: ".double"
        case .bool: ".bool"
        case .date: ".date"
        case .dateTime: ".dateTime"
        case .time: ".time"
        case .enumeration: ".enum(type: \(swiftType).self)"
        case .embedded: ".embedded(type: \(swiftType).self)"
        }
    }

    /// What makes a path to such a field; `nil` if paths do not lead there.
    var pathMaker: String? {
        switch self {
        case .string: "string"
        case .int: "int"
        case .double: "double"
        case .bool: "bool"
        case .date: "date"
        case .dateTime: "datetime"
        case .time: "time"
        case .enumeration, .embedded: nil
        }
    }
}

extension ModelTypeField {
    /// The name in code.
    var identifier: String { SwiftNames.identifier(name) }

    /// The name before the colon of an argument, where the compiler warns of most back-ticks.
    var label: String { ["inout", "let", "var"].contains(name) ? identifier : name }

    /// Whether a model holds a reference in place of the record itself.
    func isReference(_ isLazy: Bool) -> Bool { isLazy && relation.map { $0.kind != .hasMany } ?? false }

    /// The name of the property that holds the value.
    func storage(_ isLazy: Bool) -> String { isReference(isLazy) ? "_" + name : identifier }

    /// The type of that property.
    func storedType(_ isLazy: Bool) -> String { isReference(isLazy) ? "LazyReference<\(requiredType)>" : type }

    /// The type without the question mark.
    var requiredType: String {
        switch content {
        case .value(let kind):
            isList ? "[\(kind.swiftType)\(elementsAreRequired ? "" : "?")]" : kind.swiftType
        case .relation(let relation):
            relation.kind == .hasMany ? "List<\(relation.model)>" : relation.model
        }
    }

    var type: String { requiredType + (isRequired ? "" : "?") }

    /// Whether a new record gets the value by itself, whatever the key of its model.
    var isIdentifier: Bool { name == "id" && value == .string && !isList }

    /// What an initializer of a model takes if nothing is given, with the equals sign.
    var defaultOfModel: String { isIdentifier ? " = UUID().uuidString" : defaultValue }

    /// What an initializer takes if nothing is given, with the equals sign.
    var defaultValue: String {
        if relation?.kind == .hasMany { return " = []" }
        if !isRequired { return " = nil" }
        return isList ? " = []" : ""
    }

    /// Whether the value is kept as JSON.
    var isEmbedded: Bool { value?.isEmbedded ?? false }

    var schemaType: String {
        guard let kind = value else { return "" }
        return isList ? ".embeddedCollection(of: \(kind.swiftType).self)" : kind.schemaType
    }
}

extension ModelType {
    var identifier: String { SwiftNames.identifier(name) }

    /// The name of the key's constant where the schema is defined.
    var keysName: String {
        let short = Names.lowerFirst(name)
        return short == name || ["model", "rule", "keys"].contains(short)
            ? short + "Keys" : SwiftNames.identifier(short)
    }

    /// Whether new records get an identifier by themselves.
    var hasIdentifier: Bool { fields.contains(where: \.isIdentifier) }
}
