import HoldfastGraphQL
import HoldfastStorage

/// Why a request, or one field of it, has no answer.
struct RequestFault: Error {
    /// The name of the sort of failure that clients compare; `nil` for requests that are not valid for the API.
    var type: String?
    /// What is wrong; never contains a value of the request.
    var message: String
    /// The record that is there instead of the one that a client expected.
    var record: LoadedRecords?
    /// Whether nothing was done, as far as is known, and the same request may succeed later.
    var isTemporary = false

    init(_ type: String?, _ message: String, record: LoadedRecords? = nil) {
        self.type = type
        self.message = message
        self.record = record
    }
}

extension RequestFault {
    /// The fault for an error that another request would not have; `nil` for errors that are not the client's.
    init?(ofClient error: any Error) {
        switch error {
        case let fault as RequestFault: self = fault
        case let error as StorageError where [.limitExceeded, .unrepresentable].contains(error.kind):
            self.init("BadRequest", error.message)
        default: return nil
        }
    }

    static func unauthorized(_ field: String, on type: String) -> RequestFault {
        RequestFault("Unauthorized", "Not Authorized to access \(field) on type \(type)")
    }

    static func unauthorized(fields: [String]) -> RequestFault {
        RequestFault("Unauthorized", "Unauthorized on [\(fields.joined(separator: ", "))]")
    }

    /// The record would lack a value without which clients cannot read it.
    static func missingValue(_ field: String, of model: String) -> RequestFault {
        RequestFault("BadRequest", "The field '\(field)' of \(model) cannot be null.")
    }

    static let conditionFailed = RequestFault(
        "ConditionalCheckFailedException", "The conditional request failed (Service: DynamoDb, Status Code: 400)")

    static let tooLarge = RequestFault(
        "LimitExceededException", "The response is too large; ask for less at a time.")

    static func invalidArgument(_ message: String) -> RequestFault {
        RequestFault("InvalidArgumentsError", message)
    }

    /// Something that the client cannot help; the cause is for the service's log.
    static let internalFailure = RequestFault("InternalFailure", "The service could not answer. Try again later.")
}
