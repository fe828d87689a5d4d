import HoldfastStorage
public import HoldfastWire

/// The records of a service as its administrator reads and writes them, without requests.
///
/// Rules of `@auth` and strategies for conflicts do not apply, and owners are not filled in. Otherwise a write is a
/// mutation: it must fit the schema, only the service sets versions and times, and clients of all processes of the
/// service receive it.
///
/// A record is an object with fields in the JSON form of GraphQL. A name of a model in `__typename` is accepted
/// everywhere.
///
/// ```swift
/// let post = try await server.data.put(["id": "1", "title": "Hold fast"], in: "Post")
/// let version = post["_version"]?.integer  // 1
/// try await server.data.delete(["id": "1"], from: "Post")
/// ```
public struct ServiceData: Sendable {
    let gate: ServiceGate

    /// The fields of a model's key, in their order.
    ///
    /// - Parameter model: The name of the model.
    /// - Returns: The names of the fields.
    /// - Throws: ``DataError`` `.unknownModel` if the schema has no such model.
    public func key(of model: String) throws -> [String] { try gate.service.model(named: model).key }

    /// Reads records from one snapshot, model by model, each in the order of its keys.
    ///
    /// - Parameters:
    ///   - models: The models, in the order in which they are read; all in the order of the schema by default.
    ///   - includesDeleted: Whether tombstones are read, too; they have their last values.
    ///   - includesMetadata: Whether records have `_version`, `_deleted`, and `_lastChangedAt`.
    ///   - body: Receives each record, with `__typename` and all fields, those that are null too.
    /// - Throws: ``DataError`` `.unknownModel` before anything is read; ``/HoldfastStorage/StorageError`` of the store;
    ///   what `body` throws.
    /// - Complexity: O(records) in time; the memory is that of one batch.
    public func forEachRecord(
        of models: [String] = [], includesDeleted: Bool = false, includesMetadata: Bool = false,
        _ body: (JSONObject) async throws -> Void
    ) async throws {
        try await gate.use { service in
            let models = try models.isEmpty ? service.schema.models : models.map { try service.model(named: $0) }
            try await service.store.withSnapshot { snapshot in
                for model in models {
                    var scan = try await snapshot.query(QueryPlan(model.name))
                    var rows = RowBuffer()
                    repeat {
                        try await scan.next(into: &rows)
                        for row in 0..<rows.rowCount where includesDeleted || !model.isDeleted(rows[row]) {
                            try await body(model.record(rows[row], includesMetadata: includesMetadata))
                        }
                    } while !rows.isEmpty
                }
            }
        }
    }

    /// Creates a record, or changes fields of a stored one.
    ///
    /// A new record is completed as by a mutation: with an identifier, if the author of the schema did not choose the
    /// key, with defaults, and with the times. A record that was deleted is created again.
    ///
    /// - Parameters:
    ///   - fields: The key and the fields that get a value; null removes one. With a `_version`, the stored record must
    ///     have that version, and 0 means that there must be none.
    ///   - model: The name of the model.
    /// - Returns: The record with its new version.
    /// - Throws: ``DataError`` if the record was not written; ``/HoldfastStorage/StorageError`` of the store.
    @discardableResult public func put(_ fields: JSONObject, in model: String) async throws -> JSONObject {
        try await gate.use { service in
            let input = try DataInput(
                fields, of: service.model(named: model), in: service.schema.api, uuid: service.surroundings.uuid)
            if input.isDeletion {
                throw DataError(
                    .invalidValue, model: model, field: "_deleted", "'put' does not delete records; call 'delete'")
            }
            let now = service.now
            return try await service.write(input, now) { stored throws(DataError) in
                try input.put(over: stored, now: now)
            }
        }
    }

    /// Deletes a record; a tombstone stays until it is purged.
    ///
    /// - Parameters:
    ///   - key: The fields of the key. With a `_version`, the stored record must have that version.
    ///   - model: The name of the model.
    /// - Returns: The tombstone with its version.
    /// - Throws: ``DataError`` if there is no such record, or it was not deleted; ``/HoldfastStorage/StorageError`` of
    ///   the store.
    @discardableResult public func delete(_ key: JSONObject, from model: String) async throws -> JSONObject {
        try await gate.use { service in
            let input = try DataInput(key, of: service.model(named: model), in: service.schema.api)
            return try await service.write(input, service.now) { stored throws(DataError) in
                try input.delete(stored)
            }
        }
    }

    /// Takes over records; those of one call share commits.
    ///
    /// Several for one key are taken over in the order in which they are given, others in any order.
    ///
    /// A record with the same values as the stored one is not written, so an import can be repeated. A record with
    /// `_deleted` is deleted if it is there; `_version` and `_lastChangedAt` count for nothing. Relations are not
    /// checked, so that records can come in any order.
    ///
    /// - Parameters:
    ///   - records: The records, each with its `__typename` and its key; a few hundred at a time.
    ///   - existing: What becomes of a stored record with other values; by default the import of the record fails.
    ///   - stopsAtFailure: Whether it stops at the first record that cannot be taken over; `true` by default. If only the
    ///     store refuses a record, others near it may have been written at the same time.
    ///   - isDryRun: Whether nothing is written at all; `false` by default. Then all records are compared with the store as
    ///     it is, also the second one for a key.
    /// - Returns: What was done with each record, or a ``DataError`` or ``/HoldfastStorage/StorageError`` that says why
    ///   nothing was. If it stopped at a failure, records after the last result were not written.
    public func importRecords(
        _ records: [JSONObject], existing: ExistingRecords = .fail, stopsAtFailure: Bool = true, isDryRun: Bool = false
    ) async -> [Result<ImportOutcome, any Error>] {
        await gate.use { service in
            await RecordImport(
                service: service, existing: existing, stopsAtFailure: stopsAtFailure, isDryRun: isDryRun
            ).run(records)
        }
    }
}

extension SyncServer {
    /// The records, for the administrator of a service.
    public var data: ServiceData { ServiceData(gate: gate) }
}

extension Service {
    /// The model of a name that an administrator gives.
    func model(named name: String) throws(DataError) -> ServerModel {
        if let model = schema.model(name) { return model }
        let names = schema.models.map(\.name).joined(separator: ", ")
        throw DataError(
            .unknownModel, "the schema has no model \"\(DataInput.shown(name))\"; it has \(names)")
    }

    fileprivate func write(
        _ input: DataInput, _ now: Int64, _ decide: DataExecution.Decide
    ) async throws -> JSONObject {
        let stored = try await record(input.key, of: input.model)
        let written = try await DataExecution(service: self, input: input, now: now).run(stored, decide)
        return input.model.record(written.row, includesMetadata: true)
    }
}
