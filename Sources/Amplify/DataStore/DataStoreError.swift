/// Why a call of the DataStore failed.
public enum DataStoreError: AmplifyError {
    /// The service refused a request; with the change that it concerns, if any.
    case api(any AmplifyError, MutationEvent? = nil)
    /// The DataStore is not set up as it has to be.
    case configuration(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// A local and a remote change exclude each other.
    case conflict(DataStoreSyncConflict)
    /// The stored record does not satisfy the condition of a save or delete, or does not exist.
    case invalidCondition(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// A record or event cannot be read.
    case decodingError(ErrorDescription, RecoverySuggestion)
    /// The library made a mistake.
    case internalOperation(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// The stored data is damaged or not a store.
    case invalidDatabase(path: String, (any Error)? = nil)
    /// No model of this name is registered.
    case invalidModelName(String)
    /// The call cannot be carried out; the error behind it says why.
    case invalidOperation(causedBy: (any Error)? = nil)
    /// Several records were found where one is expected.
    case nonUniqueResult(model: String, count: Int)
    /// Records could not be synchronized with the service.
    case sync(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// Anything else.
    case unknown(ErrorDescription, RecoverySuggestion, (any Error)? = nil)

    /// A date is not written as it has to be.
    public static func invalidDateFormat(_ value: String) -> DataStoreError {
        .decodingError("A text is not a date of the expected form.", "Write dates as ISO 8601 says.")
    }

    /// Creates an error around another: one of the same type stays as it is, an ``AmplifyError`` becomes ``api(_:_:)``.
    public init(
        errorDescription: ErrorDescription = "An error of unknown kind occurred.",
        recoverySuggestion: RecoverySuggestion = "See the underlying error.", error: any Error
    ) {
        if let error = error as? DataStoreError {
            self = error
        } else if error is CancellationError {
            self = .unknown("The operation was cancelled.", "", error)
        } else if let error = error as? any AmplifyError {
            self = .api(error)
        } else {
            self = .unknown(errorDescription, recoverySuggestion, error)
        }
    }

    /// What went wrong.
    public var errorDescription: ErrorDescription {
        switch self {
        case .api(let error, _): error.errorDescription
        case .conflict: "A local and a remote change of one record exclude each other."
        case .configuration(let text, _, _), .invalidCondition(let text, _, _), .decodingError(let text, _),
            .internalOperation(let text, _, _), .sync(let text, _, _), .unknown(let text, _, _):
            text
        case .invalidDatabase: "The stored data cannot be used."
        case .invalidModelName(let name): "No model is registered under the name '\(name)'."
        case .invalidOperation(let error): error.map { "\($0)" } ?? "The call cannot be carried out."
        case .nonUniqueResult(let model, let count): "\(count) records of '\(model)' were found where one is expected."
        }
    }

    /// What can be done about it.
    public var recoverySuggestion: RecoverySuggestion {
        switch self {
        case .api(let error, _): error.recoverySuggestion
        case .conflict: "Decide in the conflict handler which change wins."
        case .configuration(_, let text, _), .invalidCondition(_, let text, _), .decodingError(_, let text),
            .internalOperation(_, let text, _), .sync(_, let text, _), .unknown(_, let text, _):
            text
        case .invalidDatabase(let path, _): "Restore it from a backup, or remove it to start over. \(path)"
        case .invalidModelName: "Register it with the models given to the plug-in."
        case .invalidOperation(let error):
            (error as? any AmplifyError)?.recoverySuggestion ?? "See the underlying error."
        case .nonUniqueResult: "Ask by the whole primary key."
        }
    }

    /// The underlying error.
    public var underlyingError: (any Error)? {
        switch self {
        case .api(let error, _): error
        case .configuration(_, _, let error), .invalidCondition(_, _, let error), .internalOperation(_, _, let error),
            .invalidDatabase(_, let error), .invalidOperation(let error), .sync(_, _, let error),
            .unknown(_, _, let error):
            error
        case .conflict, .decodingError, .invalidModelName, .nonUniqueResult: nil
        }
    }
}

/// A local and a remote change of one record.
public struct DataStoreSyncConflict: Sendable {
    /// The record as it is here.
    public let localModel: any Model
    /// The record as it is at the service.
    public let remoteModel: any Model
    /// What was to be done.
    public let mutationType: MutationEvent.MutationType

    /// Creates a conflict.
    public init(localModel: any Model, remoteModel: any Model, mutationType: MutationEvent.MutationType) {
        self.localModel = localModel
        self.remoteModel = remoteModel
        self.mutationType = mutationType
    }
}

/// What a call of the DataStore came to.
public typealias DataStoreResult<Success> = Result<Success, DataStoreError>

/// What is called when a call of the DataStore has ended.
public typealias DataStoreCallback<Success> = @Sendable (DataStoreResult<Success>) -> Void

extension Result where Failure == DataStoreError {
    /// Hands the result to the promise of a future.
    public func resolve(promise: (Self) -> Void) { promise(self) }

    /// A failure; an error of another type becomes ``DataStoreError/invalidOperation(causedBy:)``.
    public static func failure(causedBy error: any Error) -> Self {
        .failure(error as? DataStoreError ?? .invalidOperation(causedBy: error))
    }
}
