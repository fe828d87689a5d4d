extension ServiceError {
    /// What a client can do about an error.
    public enum Kind: Sendable, Hashable {
        /// The base version is outdated: decide between both records and send again.
        case conflict
        /// The condition does not hold, or a record to be created exists.
        case conditionFailed
        /// The user may not do it in this way: try another way to sign in, or give up.
        case unauthorized
        /// The user's token has expired: get another, and send again.
        case tokenExpired
        /// The service does not know or accept who asks: try other credentials.
        case unauthenticated
        /// The service does not offer the operation: continue without it.
        case operationDisabled
        /// Too much at a time: wait, and send again.
        case throttled
        /// The socket has as many subscriptions as it may have: use another.
        case tooManySubscriptions
        /// The service failed, perhaps only now: wait, and send again.
        case serviceFailed
        /// The service's schema lacks a type, a field, or an argument that the request names: the service may have it
        /// later.
        case schemaMismatch
        /// The request is wrong in another way: sending it again is of no use.
        case invalidRequest
        /// The service's data does not fit its own schema: the value at the path is missing.
        case invalidData
        /// Anything else.
        case other
    }

    /// What sort of error it is.
    public var kind: Kind {
        if isSchemaMismatch { return .schemaMismatch }
        guard let type = errorType.map(Self.bareType), !type.isEmpty else { return kindByMessage }
        if let kind = Self.kinds[type] { return kind }
        // Namespaces and suffixes differ from one part of the service to the other.
        if type.contains("Unauthorized") { return message.contains("expired") ? .tokenExpired : .unauthorized }
        if type.contains("MaxSubscriptionsReached") { return .tooManySubscriptions }
        for word in ["LimitExceeded", "TooManyRequests", "Throttl", "ThroughputExceeded"] where type.contains(word) {
            return .throttled
        }
        for start in ["InternalServer", "ServiceUnavailable"] where type.hasPrefix(start) { return .serviceFailed }
        return errorType?.hasPrefix("DynamoDB:") == true ? kindByMessageOfDynamoDB : .other
    }

    private static let kinds: [String: Kind] = [
        "ConflictUnhandled": .conflict, "ConditionalCheckFailedException": .conditionFailed,
        "UnrecognizedClientException": .unauthenticated, "IncompleteSignatureException": .unauthenticated,
        "InvalidSignatureException": .unauthenticated, "MissingAuthenticationTokenException": .unauthenticated,
        "ExpiredTokenException": .tokenExpired, "OperationDisabled": .operationDisabled,
        "ConflictError": .serviceFailed, "MaxConflicts": .serviceFailed,
        "DeltaSyncWriteError": .serviceFailed, "InternalFailure": .serviceFailed,
        "InternalFailureException": .serviceFailed, "ExecutionTimeout": .serviceFailed,
        "BadRequest": .invalidRequest, "BadRequestException": .invalidRequest,
        "MalformedHttpRequestException": .invalidRequest, "UnsupportedOperation": .invalidRequest,
        "GraphQLSchemaException": .invalidRequest, "InvalidArgumentsError": .invalidRequest,
        "ValidationError": .invalidRequest,
    ]

    /// The type without its prefix: `DynamoDB:` for data sources, `com.amazonaws…#` for namespaces.
    private static func bareType(_ type: String) -> String {
        guard let end = type.utf8.lastIndex(where: { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: ":") }) else {
            return type
        }
        return String(type[type.utf8.index(after: end)...])
    }

    /// AppSync gives `DynamoDB:DynamoDbException` as the type of most errors of DynamoDB.
    private var kindByMessageOfDynamoDB: Kind {
        for words in ["Throughput exceeds", "Rate of requests exceeds"] where message.contains(words) {
            return .throttled
        }
        return message.contains("Status Code: 5") ? .serviceFailed : .other
    }

    /// Whether the service does not know all that the request names.
    ///
    /// Values that do not fit their types are another matter. So are filters and conditions, whose types begin with
    /// `Model`: they have no place for some of a model's fields.
    private var isSchemaMismatch: Bool {
        guard path?.isEmpty ?? true, [nil, "", "ValidationError"].contains(errorType) else { return false }
        for rule in ["FieldUndefined", "UnknownType", "UnknownArgument"]
        where message.hasPrefix("Validation error of type \(rule)") { return true }
        return message.hasPrefix("The variables input contains a field ")
            && message.contains(" not defined for input object type ")
            && !message.contains(" not defined for input object type 'Model")
    }

    /// Errors of validation have no type.
    private var kindByMessage: Kind {
        for start in ["Validation error", "The variables input", "Variable '", "Invalid Syntax", "Invalid syntax"]
        where message.hasPrefix(start) { return .invalidRequest }
        if message.hasPrefix("Cannot return null for non-nullable") { return .invalidData }
        if message.hasPrefix("Not Authorized") || message.hasPrefix("Unauthorized") { return .unauthorized }
        return .other
    }
}

extension ServiceError.Kind {
    /// What an HTTP status without errors in the body says; `nil` for 2xx.
    public init?(status: Int) {
        switch status {
        case 200..<300: return nil
        case 401, 403: self = .unauthorized
        case 429: self = .throttled
        case 408, 500...: self = .serviceFailed
        default: self = .invalidRequest
        }
    }
}
