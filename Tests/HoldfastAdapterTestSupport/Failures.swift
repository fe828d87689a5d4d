package import HoldfastStorage
package import Testing

/// The error that a closure throws, or `nil`.
package func storageError(_ body: () async throws -> Void) async -> StorageError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? StorageError
    }
}

/// Expects a closure to fail.
package func expectFailure(
    _ kind: StorageError.Kind, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
    let error = await storageError(body)
    #expect(error?.kind == kind, sourceLocation: sourceLocation)
}
