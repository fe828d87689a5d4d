public import HoldfastModel
import HoldfastStorage

extension DataStore {
    /// Creates or replaces a record.
    ///
    /// - Parameter model: The record; its key decides whether it is created.
    /// - Returns: The model as saved.
    /// - Throws: ``StorageError`` `.unrepresentable` for a value that its field cannot hold, `.uniqueViolation`,
    ///   `.conflict` if other writers kept changing the record, `.full`, `.io`; ``ModelError``. Nothing was changed.
    @discardableResult
    @concurrent public func save<M: Model>(_ model: M) async throws -> M {
        _ = try await engine.save(try model.row(), of: catalog.entity(of: M.self))
        return model
    }

    /// Creates or replaces records in one commit.
    ///
    /// Of several models with one key the last is saved.
    ///
    /// - Parameter models: Any number; in batches of about a thousand, the store works fastest.
    /// - Returns: How many records were created and how many replaced.
    /// - Throws: As ``save(_:)-(M)``; nothing was changed then.
    @discardableResult
    @concurrent public func save<M: Model>(_ models: [M]) async throws -> SaveResult {
        if models.isEmpty { return SaveResult(createdCount: 0, updatedCount: 0) }
        return try await engine.save(try M.rows(models), of: catalog.entity(of: M.self))
    }
}

/// What a batch save did.
public struct SaveResult: Sendable, Hashable {
    /// Records that did not exist before.
    public var createdCount: Int
    /// Records that were replaced.
    public var updatedCount: Int
}
