import HoldfastStorage

/// Writes records for an administrator: reads, decides, commits, and does so again if another commit came first.
struct DataExecution: Sendable {
    /// What becomes of a record, by all cells of the stored one.
    typealias Decide = @Sendable ([Value]?) throws(DataError) -> DataDecision

    let service: Service
    let input: DataInput
    let now: Int64

    /// Writes the record.
    ///
    /// - Parameters:
    ///   - stored: The record as it was read; `nil` if it was not there.
    ///   - decide: Decides; asked again if another commit came first.
    /// - Returns: All cells of the record, and what was done.
    /// - Throws: ``DataError`` if it was not written; ``StorageError`` as the store's commit does.
    func run(
        _ stored: StoredRecord?, _ decide: Decide
    ) async throws -> (row: [Value], outcome: ImportOutcome) {
        let model = input.model
        var stored = stored
        var conflicts = ConflictCount()
        while !conflicts.isTooLarge {
            switch try decide(stored?.row) {
            case .keep(let outcome): return (stored?.row ?? [], outcome)
            case .write(let row, let operation, let outcome):
                let finished = model.finished(
                    row, operation, over: stored?.row, now: now, tombstoneLife: service.options.tombstoneSeconds)
                let write = RecordWrite(
                    model: model, operation: operation, row: finished, version: stored?.version)
                let commit = try await written(write)
                if commit == .written { return (finished, outcome) }
                conflicts.add(commit)
            }
            stored = try await service.record(input.key, of: model)
        }
        throw DataError(.contended, model: model.name, "the record is changed too often at the same time; try again")
    }

    private func written(_ write: RecordWrite) async throws -> RecordWriter.Outcome {
        do {
            return try await service.writer.write(write)
        } catch let error as StorageError
            where [.limitExceeded, .unrepresentable, .uniqueViolation].contains(error.kind)
        {
            throw DataError(.refused, model: write.model.name, error.message)
        }
    }
}
