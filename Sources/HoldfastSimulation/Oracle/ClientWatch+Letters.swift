import HoldfastEngine
import HoldfastStorage

extension ClientWatch {
    /// The letters of the changes that a commit gives up.
    static func deadLetters(_ request: CommitRequest) -> [DeadLetter] {
        var letters: [DeadLetter] = []
        for case .put(DeadLetter.entity.name, let rows, _) in request.operations {
            letters += (0..<rows.rowCount).compactMap { DeadLetter(rows[$0]) }
        }
        return letters
    }

    /// A change is given up unsent only with a record that its own must belong to.
    ///
    /// - Parameters:
    ///   - letters: All letters of a commit: that of the refused creation is among them.
    ///   - schema: The models.
    /// - Returns: What must never happen.
    static func unfounded(_ letters: [DeadLetter], of schema: SimulatedSchema) -> [String] {
        let unsent = letters.filter { $0.message == SyncedRecord.refusedParent }
        if unsent.isEmpty { return [] }
        let gone = Set((letters.filter { $0.operation == .create } + unsent).map { "\($0.model) \($0.key)" })
        // What followed the change of the relation goes with it.
        return Dictionary(grouping: unsent) { "\($0.model) \($0.key)" }.filter { _, letters in
            !letters.contains { letter in
                guard let model = schema.model(letter.model), let payload = letter.payload else { return false }
                let fields = Dictionary(
                    zip(model.entity.fields.map(\.name), FieldValues.row(payload, of: model.entity)),
                    uniquingKeysWith: { first, _ in first })
                return model.links.contains { link in
                    link.isRequired && link.parent(of: fields).map { gone.contains($0.text) } ?? false
                }
            }
        }.keys.sorted().map { "a change of \($0) was given up with a record that it need not belong to" }
    }

    /// What must belong to a record goes with the refusal of its creation: the service is not asked for it.
    ///
    /// - Parameters:
    ///   - letters: All letters of a commit.
    ///   - store: The client's store after the commit.
    /// - Returns: What must never happen.
    /// - Throws: ``StorageError`` if the store cannot be read.
    func waitingChildren(of letters: [DeadLetter], in store: Store) async throws -> [String] {
        var refused: Set<ServiceHistory.Record> = []
        for letter in letters where letter.operation == .create {
            guard let record = store.record(letter.model, letter.key) else { continue }
            let (row, said, _) = try await state(of: record, in: store)
            if row == nil, said?.isDeleted ?? true { refused.insert(record) }
        }
        if refused.isEmpty { return [] }
        var problems: [String] = []
        let outbox = try await self.store.rows(of: OutboxEntry.entity.name)
        let waiting = Set(
            (0..<outbox.rowCount).compactMap { OutboxEntry(outbox[$0]) }.compactMap { store.record($0.model, $0.key) })
        for record in waiting.sorted(by: { $0.text < $1.text }) {
            guard let model = schema.model(record.model) else { continue }
            let (row, _, entries) = try await state(of: record, in: store)
            guard let row else { continue }
            let fields = Dictionary(
                zip(model.entity.fields.map(\.name), row), uniquingKeysWith: { first, _ in first })
            for link in model.links where link.isRequired {
                guard let parent = link.parent(of: fields), refused.contains(parent) else { continue }
                let change = entries.last { entry in
                    entry.operation == .create || link.names.contains(where: entry.changedFields.contains)
                }
                if change?.stage == .pending {
                    problems.append("\(record.text) waits, and must belong to \(parent.text), which was refused")
                }
            }
        }
        return problems
    }
}
