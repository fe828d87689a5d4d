/// The scalars that fields of models can have: those of the language, then those of the service.
///
/// The switches over them are exhaustive, so a new case does not compile until all is said about it.
enum GraphQLScalar: String, CaseIterable {
    case id = "ID"
    case string = "String"
    case int = "Int"
    case float = "Float"
    case boolean = "Boolean"
    case date = "AWSDate"
    case time = "AWSTime"
    case dateTime = "AWSDateTime"
    case timestamp = "AWSTimestamp"
    case email = "AWSEmail"
    case json = "AWSJSON"
    case phone = "AWSPhone"
    case url = "AWSURL"
    case address = "AWSIPAddress"

    /// The Swift type of the field.
    var valueKind: ValueKind {
        switch self {
        case .id, .string, .email, .json, .phone, .url, .address: .string
        case .int, .timestamp: .int
        case .float: .double
        case .boolean: .bool
        case .date: .date
        case .time: .time
        case .dateTime: .dateTime
        }
    }

    /// Whether the language defines it, so that schemas need no declaration of it.
    var isBuiltIn: Bool {
        switch self {
        case .id, .string, .int, .float, .boolean: true
        case .date, .time, .dateTime, .timestamp, .email, .json, .phone, .url, .address: false
        }
    }
}
