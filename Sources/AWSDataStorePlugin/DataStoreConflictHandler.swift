/// Decides what becomes of a change that the service refused because the record has changed there.
public typealias DataStoreConflictHandler =
    @Sendable (DataStoreConflictData, @escaping DataStoreConflictHandlerResolver) -> Void

/// Takes the decision of a conflict handler; call it once.
public typealias DataStoreConflictHandlerResolver = @Sendable (DataStoreConflictHandlerResult) -> Void
