#if Server
public import HoldfastServer

/// Lets functions of the application decide conflicts, as AppSync does with its Lambda functions.
///
/// For `ServerOptions.handler`, with models whose strategy is `handler`. A function gets the JSON that AppSync sends,
/// and answers `RESOLVE` with an item, `REJECT`, or `REMOVE`.
public struct ConflictFunctions: Sendable {
    /// The function of a model does not answer, or not in the form that AppSync asks for.
    public struct Failure: Error {}

    private let functions: [String: RemoteFunction]

    /// Creates a value.
    ///
    /// - Parameter functions: The functions by the names of models.
    public init(_ functions: [String: RemoteFunction]) { self.functions = functions }

    /// Asks the function of a conflict's model.
    ///
    /// - Throws: ``Failure``, or the error of the connection.
    public func resolve(_ conflict: ConflictRequest) async throws -> ConflictResolution {
        guard let function = functions[conflict.model],
            let resolution = ConflictResolution(try await function(conflict.json))
        else { throw Failure() }
        return resolution
    }
}
#endif
