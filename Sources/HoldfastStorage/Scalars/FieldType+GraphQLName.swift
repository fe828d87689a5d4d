extension FieldType {
    /// The type as a GraphQL schema spells it, for messages and documentation.
    package var graphQLName: String {
        switch self {
        case .id: "ID"
        case .string: "String"
        case .int: "Int"
        case .float: "Float"
        case .boolean: "Boolean"
        case .date: "AWSDate"
        case .time: "AWSTime"
        case .dateTime: "AWSDateTime"
        case .timestamp: "AWSTimestamp"
        case .email: "AWSEmail"
        case .json: "AWSJSON"
        case .url: "AWSURL"
        case .phone: "AWSPhone"
        case .ipAddress: "AWSIPAddress"
        case .bytes: "Bytes"
        case .enumeration(let name), .embedded(let name): name
        case .list(let element, let elementsAreRequired):
            "[\(element.graphQLName)\(elementsAreRequired ? "!" : "")]"
        }
    }
}
