import HoldfastModel
package import HoldfastStorage

/// What a store has of the service's record of a key.
package struct KnownRecord: Sendable, Hashable {
    /// The service's version; `nil` if the store knows nothing of the record.
    package var version: Int64?
    /// The version that waits to become part of the record; `nil` if none does.
    package var shelvedVersion: Int64?
    /// The service's record at that version, without unsent changes; `nil` if the store holds none.
    package var row: [Value]?
    /// Whether ``row`` is known; the store does not always keep what an unsent change has replaced.
    package var isRowKnown: Bool
}

extension DataStore {
    /// What the store has of the service's records of some keys, in their order.
    ///
    /// - Throws: ``StorageError`` `.misuse` for an unknown model; `.closed`, `.io`.
    @concurrent package func knownRecords(_ keys: [RecordKey], of model: String) async throws -> [KnownRecord] {
        let entity = try remoteEntity(model)
        return try await withSnapshot { snapshot in
            try await syncedRecords(keys, of: entity, in: snapshot).map { change in
                let record = change.record
                return KnownRecord(
                    version: record.metadata?.version, shelvedVersion: record.shelf?.version, row: record.base ?? nil,
                    isRowKnown: record.base != nil)
            }
        }
    }

    /// The keys of the next 1,000 records that the store holds of the service's, in the order of their texts; empty at
    /// the end.
    ///
    /// - Parameters:
    ///   - model: The model's name.
    ///   - last: The key after which to continue; `nil` to begin.
    ///   - time: Only records that the service last changed before this time, in milliseconds since
    ///     1970-01-01T00:00Z; `nil` for all.
    /// - Returns: At most 1,000 keys.
    /// - Throws: As ``knownRecords(_:of:)``.
    @concurrent package func knownKeys(
        of model: String, after last: RecordKey?, changedBefore time: Int64?
    ) async throws -> [RecordKey] {
        let entity = try remoteEntity(model)
        var conditions: [Predicate] = [
            .compare("model", .equal, .text(model)), .compare("isDeleted", .equal, .boolean(false)),
            .compare("isOutside", .equal, .null),
        ]
        if let last { conditions.append(.compare("key", .greater, .text(last.outboxText))) }
        if let time { conditions.append(.compare("lastChangedAt", .less, .integer(time))) }
        let rows = try await withSnapshot { [conditions] snapshot in
            try await snapshot.rows(
                QueryPlan(
                    RecordMetadata.entity.name, where: .and(conditions), sort: [SortKey("key")], limit: 1_000,
                    projection: ["key"]))
        }
        return (0..<rows.rowCount).compactMap { row in
            rows[row, 0].textValue.flatMap { RecordKey(outboxText: $0, of: entity) }
        }
    }
}
