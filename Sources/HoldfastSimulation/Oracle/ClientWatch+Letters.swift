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
}
