import HoldfastStorage

/// What becomes of a record that an administrator gives.
enum DataDecision: Sendable {
    /// A row is written, without version and times of the service.
    case write([Value], MutationOperation, ImportOutcome)
    /// Nothing is written.
    case keep(ImportOutcome)
}

// The decisions, as pure functions.
extension DataInput {
    /// Creates a record, or changes the fields that are given.
    ///
    /// - Parameters:
    ///   - stored: All cells of the stored record; `nil` if there is none.
    ///   - now: Milliseconds since 1970.
    /// - Returns: What is written.
    /// - Throws: ``DataError`` if the record would lack a required field, or has another version than is given.
    func put(over stored: [Value]?, now: Int64) throws(DataError) -> DataDecision {
        try checkVersion(of: stored)
        guard let stored, !model.isDeleted(stored) else {
            return .write(timed(try newRow(), over: nil, now: now), stored == nil ? .create : .update, .created)
        }
        return .write(timed(try changed(stored), over: stored, now: now), .update, .replaced)
    }

    /// Deletes a record.
    ///
    /// - Parameter stored: All cells of the stored record; `nil` if there is none.
    /// - Returns: The tombstone to write.
    /// - Throws: ``DataError`` `.noRecord` if there is nothing to delete.
    func delete(_ stored: [Value]?) throws(DataError) -> DataDecision {
        try checkVersion(of: stored)
        guard let stored, !model.isDeleted(stored) else {
            throw DataError(.noRecord, model: model.name, "there is no record with this key")
        }
        return .write(stored, .delete, .deleted)
    }

    /// Takes over a record as it is given.
    ///
    /// - Parameters:
    ///   - stored: All cells of the stored record; `nil` if there is none.
    ///   - existing: What becomes of a stored record with other values.
    ///   - now: Milliseconds since 1970.
    /// - Returns: What is written, if anything.
    /// - Throws: ``DataError`` if a required field has no value, or if the record is there and must not be.
    func imported(
        over stored: [Value]?, existing: ExistingRecords, now: Int64
    ) throws(DataError) -> DataDecision {
        let row = isDeletion ? nil : try newRow()
        guard let stored else {
            return row.map { .write(timed($0, over: nil, now: now), .create, .created) } ?? .keep(.unchanged)
        }
        let isDeleted = model.isDeleted(stored)
        let isSame = row.map { !isDeleted && self.isSame($0, as: stored) } ?? isDeleted
        if isSame { return .keep(.unchanged) }
        switch existing {
        case .skip: return .keep(.skipped)
        case .fail:
            throw DataError(
                .recordExists, model: model.name,
                isDeleted ? "a record with this key was deleted" : "there is a record with this key and other values")
        case .replace:
            guard var row else { return .write(stored, .delete, .deleted) }
            // What an earlier schema had stays, as with every other change.
            if !isDeleted { row.replaceSubrange(model.columns.count..., with: stored[model.columns.count...]) }
            return .write(timed(row, over: isDeleted ? nil : stored, now: now), .update, .replaced)
        }
    }

    private func checkVersion(of stored: [Value]?) throws(DataError) {
        guard let version, version != stored.map({ model.version(of: $0) }) ?? 0 else { return }
        throw DataError(.otherVersion, model: model.name, "the stored record has another version")
    }
}
