import Amplify
import HoldfastModel
import HoldfastStorage

/// Carries out a call and turns what it throws into ``DataStoreError``.
///
/// - Parameters:
///   - modelName: The model that the call is about.
///   - call: The call to carry out.
/// - Returns: What the call returns.
/// - Throws: ``DataStoreError`` for whatever the call throws.
nonisolated(nonsending) func translating<Result>(
    _ modelName: String, _ call: () async throws -> sending Result
) async throws -> sending Result {
    do {
        return try await call()
    } catch {
        throw DataStoreError(error, modelName: modelName)
    }
}

extension DataStoreError {
    /// An error of the store as callers of the DataStore expect it.
    init(_ error: any Error, modelName: String) {
        switch error {
        case let error as DataStoreError: self = error
        case let error as ModelError: self = Self.mapped(error, modelName)
        case let error as StorageError: self = Self.mapped(error)
        case is CancellationError: self = .unknown("The operation was cancelled.", "", error)
        default: self = .invalidOperation(causedBy: error)
        }
    }

    private static func mapped(_ error: ModelError, _ modelName: String) -> DataStoreError {
        switch error.kind {
        case .conditionFailed: .invalidCondition(error.errorDescription, error.recoverySuggestion, error)
        case .decodingFailed: .decodingError(error.errorDescription, error.recoverySuggestion)
        case .unregistered where !modelName.isEmpty: .invalidModelName(modelName)
        default: .invalidOperation(causedBy: error)
        }
    }

    private static func mapped(_ error: StorageError) -> DataStoreError {
        switch error.kind {
        case .cancelled: .unknown("The operation was cancelled.", "", CancellationError())
        case .corruption, .incompatibleStore: .invalidDatabase(path: "", error)
        default: .invalidOperation(causedBy: error)
        }
    }
}
