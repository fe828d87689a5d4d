/// The `errorType` of an error that AppSync reports.
public enum AppSyncErrorType: Equatable, Sendable {
    /// The record has changed at the service, and conflicts are not merged there.
    case conflictUnhandled
    /// The record there does not satisfy the condition of the request.
    case conditionalCheck
    /// The user may not do it.
    case unauthorized
    /// The operation is switched off.
    case operationDisabled
    /// Any other.
    case unknown(String)

    /// The type for the service's word.
    public init(_ value: String) {
        self =
            switch value {
            case "ConflictUnhandled": .conflictUnhandled
            case "ConditionalCheckFailedException": .conditionalCheck
            case "Unauthorized": .unauthorized
            case "OperationDisabled": .operationDisabled
            default: .unknown(value)
            }
    }

    /// The service's word.
    public var rawValue: String {
        switch self {
        case .conflictUnhandled: "ConflictUnhandled"
        case .conditionalCheck: "ConditionalCheckFailedException"
        case .unauthorized: "Unauthorized"
        case .operationDisabled: "OperationDisabled"
        case .unknown(let value): value
        }
    }
}
