extension StorageType {
    /// The name under which an adapter's catalog keeps the type, such as `list(text)`; never changes.
    public var catalogName: String {
        switch self {
        case .boolean: "boolean"
        case .integer: "integer"
        case .double: "double"
        case .text: "text"
        case .bytes: "bytes"
        case .date: "date"
        case .time: "time"
        case .timestamp: "timestamp"
        case .json: "json"
        case .list(let element): "list(\(element.catalogName))"
        }
    }

    /// The type of a name in a catalog, `nil` if there is none.
    public init?(catalogName name: Substring) {
        if name.hasPrefix("list("), name.hasSuffix(")") {
            guard let element = StorageType(catalogName: name.dropFirst(5).dropLast()) else { return nil }
            self = .list(element)
            return
        }
        guard let type = StorageType.scalars.first(where: { $0.catalogName == name }) else { return nil }
        self = type
    }

    /// A field type that is kept as this type, for the schema that a catalog stands for.
    public var representativeFieldType: FieldType {
        switch self {
        case .boolean: .boolean
        case .integer: .int
        case .double: .float
        case .text: .string
        case .bytes: .bytes
        case .date: .date
        case .time: .time
        case .timestamp: .dateTime
        case .json: .json
        case .list(let element): .list(of: element.representativeFieldType, elementsAreRequired: false)
        }
    }
}
