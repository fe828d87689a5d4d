import HoldfastSchema
import HoldfastStorage
import HoldfastWire

/// Carries out one field of a mutation: reads, decides, commits, and does so again if another commit came first.
struct MutationExecution {
    let service: Service
    let model: ServerModel
    let operation: MutationOperation
    /// The name of the field.
    let field: String
    let identity: Identity
    let selection: RecordSelection
    let meter: RowMeter

    /// Writes the record.
    ///
    /// - Returns: The record as written.
    /// - Throws: ``RequestFault`` if it was not written.
    func run(_ arguments: JSONObject) async throws -> LoadedRecords {
        let right = model.right(operation.action, for: identity)
        guard right != .deny else { throw RequestFault.unauthorized(field, on: "Mutation") }
        let now = service.now
        var input = try MutationInput(
            arguments["input"]?.object ?? JSONObject(), of: model, operation, now: now,
            // A record that belongs to a user by its key has the user's name there.
            newID: { model.ownerID(for: identity) ?? service.surroundings.uuid() })
        if operation == .create { fillOwners(of: &input) }
        var condition: RecordFilter?
        if let value = arguments["condition"], !value.isNull {
            condition = try FilterReader(
                model: model, identity: identity, actions: ModelAccess.reading, judgesRecords: operation != .create
            ).filter(value)
        }
        let mutation = Mutation(
            operation, key: input.key, changes: input.changes, version: input.version, condition: condition, now: now,
            tombstoneLife: service.options.tombstoneSeconds)
        // A new record is rarely there already, so it is written before anything is read.
        var stored: StoredRecord?
        if operation != .create { stored = try await service.record(input.key, of: model) }
        var conflicts = ConflictCount(asksFunction: service.strategy(of: model) == .handler)
        while !conflicts.isTooLarge {
            try authorize(right, input, stored?.row)
            if let condition, let stored { try condition.takeBytes(of: stored.row, from: meter) }
            let row = try await row(mutation, stored?.row, arguments)
            try checkSize(of: row, over: stored?.row)
            try checkIndexes(of: row, over: stored?.row)
            // A function may keep what was to be deleted. Other processes see only the record, which was updated.
            let event = operation == .delete && !model.isDeleted(row) ? .update : operation
            let write = RecordWrite(model: model, operation: event, row: row, version: stored?.version)
            let outcome = try await service.writer.write(write)
            if outcome == .written { return try await result(row, over: stored?.row) }
            conflicts.add(outcome)
            stored = try await service.record(input.key, of: model)
        }
        throw RequestFault("MaxConflicts", "The record is changed too often at the same time; try again.")
    }

    /// Refuses a record that is too large, unless it has become no larger.
    private func checkSize(of row: [Value], over stored: [Value]?) throws {
        let limit = service.options.limits.recordByteCount
        guard row.byteCount > limit, row.byteCount > stored?.byteCount ?? 0, !model.isDeleted(row) else { return }
        throw RequestFault("BadRequest", "The record would have more than \(limit) bytes.")
    }

    /// Refuses values by which lists are sorted that are so long that no request could carry them to the next page.
    private func checkIndexes(of row: [Value], over stored: [Value]?) throws {
        // A token is Base64, and a request has more than a token.
        let limit = service.options.limits.requestByteCount / 2
        guard row.byteCount > limit, !model.isDeleted(row) else { return }
        let key = model.entity.primaryKey
        for fields in [[]] + model.entity.indexes.map(\.fields) {
            let positions = Set((fields + key).compactMap(model.entity.position(of:)))
            func byteCount(_ row: [Value]) -> Int { positions.reduce(0) { $0 + [row[$1]].byteCount } }
            guard byteCount(row) > limit, byteCount(row) > stored.map(byteCount) ?? 0 else { continue }
            let names = (fields.isEmpty ? key : fields).joined(separator: ", ")
            throw RequestFault("BadRequest", "The fields of an index, \(names), would have more than \(limit) bytes.")
        }
    }

    private func fillOwners(of input: inout MutationInput) {
        for owner in model.owners(for: identity) {
            let name = model.columns[owner.position].name
            // The key is not among the changes.
            if input.given.contains(name) || model.key.contains(name) { continue }
            input.changes.append(Mutation.Change(owner.position, owner.value))
        }
    }

    // MARK: - Rights

    /// Judges the stored record, or the new one where there is none, and each field that is written.
    private func authorize(_ right: Right, _ input: MutationInput, _ stored: [Value]?) throws {
        var judged = stored
        if operation == .create {
            var row = model.blankRow(input.key)
            for change in input.changes { row[change.position] = change.value }
            judged = row
        }
        if case .when(let predicate) = right {
            guard let judged, try RecordFilter(predicate, on: model).matches(judged) else {
                throw RequestFault.unauthorized(field, on: "Mutation")
            }
        }
        guard model.hasFieldRules, operation != .delete else { return }
        var refused: [String] = []
        for name in input.given {
            switch model.right([operation.action], of: name, for: identity) {
            case .allow: continue
            case .when(let predicate):
                if let judged, try RecordFilter(predicate, on: model).matches(judged) { continue }
                refused.append(name)
            case .deny: refused.append(name)
            }
        }
        if !refused.isEmpty { throw RequestFault.unauthorized(fields: refused.sorted()) }
    }

    // MARK: - Writing

    /// The record that was written, with all that the selection needs.
    private func result(_ row: [Value], over stored: [Value]?) async throws -> LoadedRecords {
        do {
            return try await loaded(row, over: stored)
        } catch {
            // The client must not send again what was carried out.
            var fault = service.fault(error)
            fault.isTemporary = false
            throw fault
        }
    }

    /// The row to write.
    private func row(_ mutation: Mutation, _ stored: [Value]?, _ arguments: JSONObject) async throws -> [Value] {
        switch model.decide(mutation, stored: stored, strategy: service.strategy(of: model)) {
        case .write(let row):
            // The types of inputs admit null in all fields of an update. What is null already stays so, in records of an
            // earlier schema.
            for column in model.columns where operation == .update && column.isRequired {
                guard let stored, row[column.position].isNull, !stored[column.position].isNull else { continue }
                throw RequestFault.missingValue(column.name, of: model.name)
            }
            return row
        case .conditionFailed: throw RequestFault.conditionFailed
        case .conflict: throw try await conflict(with: stored ?? [])
        case .ask(let proposal):
            let stored = stored ?? []
            let request = ConflictRequest(
                model: model.name, field: field, newItem: model.json(proposal, after: mutation.changes),
                existingItem: model.json(stored), arguments: arguments, identity: identity)
            let resolution: ConflictResolution
            do {
                resolution = try await service.options.handler(request)
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                throw RequestFault("ConflictError", "The conflict function of \(model.name) failed.")
            }
            switch resolution {
            case .reject: throw try await conflict(with: stored)
            case .remove where mutation.operation == .delete:
                return model.resolved(stored, removes: true, mutation, stored: stored)
            case .remove: throw RequestFault("ConflictError", "The conflict function may remove only what is deleted.")
            case .resolve(let item):
                guard let row = model.row(item, over: stored, in: service.schema.api) else {
                    throw RequestFault("ConflictError", "The conflict function of \(model.name) made no such record.")
                }
                return model.resolved(row, removes: false, mutation, stored: stored)
            }
        }
    }

    /// A conflict with the stored record, for those who may read it.
    ///
    /// A client takes what comes with a conflict for the record: nulls instead of all fields would replace its values.
    private func conflict(with stored: [Value]) async throws -> RequestFault {
        RequestFault(
            "ConflictUnhandled", "Conflict resolver rejects mutation.",
            record: try mayRead(stored) ? try await loaded(stored) : nil)
    }

    /// The written record, or the one with which there is a conflict, with all that the selection needs.
    ///
    /// A user who may read the record that was replaced is shown what has become of it.
    private func loaded(_ row: [Value], over stored: [Value]? = nil) async throws -> LoadedRecords {
        let isShown = try isReadable(row) || stored.map(isReadable) ?? false
        return try await service.withRelations(
            RowBuffer(row: row, version: 1), isShown ? selection : selection.ofUnreadable, for: identity, meter)
    }

    /// Whether the identity may read a record, as far as the selection does not judge each field.
    private func isReadable(_ row: [Value]) throws -> Bool {
        // A user who creates a record knows it.
        try operation == .create || model.hasFieldRules || mayRead(row)
    }

    /// Whether the identity may read a record, or some of its fields.
    private func mayRead(_ row: [Value]) throws -> Bool {
        switch model.right(ModelAccess.reading, for: identity) {
        case .allow: return true
        case .deny: return false
        case .when(let predicate): return try RecordFilter(predicate, on: model).matches(row)
        }
    }
}
