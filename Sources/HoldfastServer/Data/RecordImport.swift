import HoldfastStorage
import HoldfastWire

/// Takes over records for an administrator.
struct RecordImport {
    typealias Outcome = Result<ImportOutcome, any Error>

    let service: Service
    let existing: ExistingRecords
    let stopsAtFailure: Bool
    let isDryRun: Bool

    /// Takes over records; see ``ServiceData/importRecords(_:existing:stopsAtFailure:isDryRun:)``.
    func run(_ records: [JSONObject]) async -> [Outcome] {
        var outcomes: [Outcome] = []
        var inputs: [Result<DataInput, DataError>] = []
        var seen: Set<RecordIdentifier> = []
        for record in records {
            let input = Result { () throws(DataError) in try self.input(record) }
            if case .success(let input) = input,
                !seen.insert(RecordIdentifier(model: input.model.name, key: input.key)).inserted
            {
                // The second one for a record is applied on top of the first one.
                outcomes += await write(inputs)
                if hasStopped(outcomes) { return outcomes }
                inputs = []
                seen = [RecordIdentifier(model: input.model.name, key: input.key)]
            }
            inputs.append(input)
        }
        return outcomes + (await write(inputs))
    }

    private func input(_ record: JSONObject) throws(DataError) -> DataInput {
        guard let name = record["__typename"]?.string else {
            throw DataError(.unknownModel, "\"__typename\" must be the name of a model")
        }
        return try DataInput(record, of: service.model(named: name), in: service.schema.api)
    }

    private func hasStopped(_ outcomes: [Outcome]) -> Bool {
        // What the store refuses can have records after it that were written at the same time.
        stopsAtFailure && outcomes.contains { if case .failure = $0 { true } else { false } }
    }

    /// Writes records that are all different ones.
    private func write(_ inputs: [Result<DataInput, DataError>]) async -> [Outcome] {
        let now = service.now
        let stored: [StoredRecord?]
        do {
            stored = try await self.stored(inputs)
        } catch {
            return inputs.prefix(stopsAtFailure ? 1 : inputs.count).map { _ in .failure(error) }
        }
        // What will fail is found before anything is written, so that nothing after it is.
        var outcomes: [Outcome] = []
        for (input, stored) in zip(inputs, stored) {
            outcomes.append(Result { try outcome(input.get(), stored?.row, now) })
            if stopsAtFailure, case .failure? = outcomes.last { break }
        }
        guard !isDryRun else { return outcomes }
        await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, outcome) in outcomes.enumerated() {
                guard case .success(let outcome) = outcome, outcome.isWritten, case .success(let input) = inputs[index]
                else { continue }
                let execution = DataExecution(service: service, input: input, now: now)
                group.addTask { [existing] in
                    do {
                        let written = try await execution.run(stored[index]) { stored throws(DataError) in
                            try input.imported(over: stored, existing: existing, now: now)
                        }
                        return (index, .success(written.outcome))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            for await (index, outcome) in group { outcomes[index] = outcome }
        }
        return outcomes
    }

    private func outcome(_ input: DataInput, _ stored: [Value]?, _ now: Int64) throws(DataError) -> ImportOutcome {
        switch try input.imported(over: stored, existing: existing, now: now) {
        case .write(_, _, let outcome), .keep(let outcome): outcome
        }
    }

    /// The stored records, in the order of those that are given.
    private func stored(_ inputs: [Result<DataInput, DataError>]) async throws(StorageError) -> [StoredRecord?] {
        var found: [RecordIdentifier: StoredRecord] = [:]
        let identifiers = inputs.compactMap { input in
            (try? input.get()).map { RecordIdentifier(model: $0.model.name, key: $0.key) }
        }
        for model in service.schema.models {
            let keys = identifiers.filter { $0.model == model.name }.map(\.key)
            guard !keys.isEmpty else { continue }
            for (key, record) in zip(keys, try await service.records(keys, of: model)) {
                found[RecordIdentifier(model: model.name, key: key)] = record
            }
        }
        return inputs.map { input in
            (try? input.get()).flatMap { found[RecordIdentifier(model: $0.model.name, key: $0.key)] }
        }
    }
}

extension ImportOutcome {
    /// Whether the record is written.
    fileprivate var isWritten: Bool {
        switch self {
        case .created, .replaced, .deleted: true
        case .unchanged, .skipped: false
        }
    }
}
