import HoldfastStorage

extension DataStore {
    /// Gives up unsent changes that make records belong to records whose creations were refused.
    ///
    /// The service would carry them out, and show the records to no one: a required relation that leads to nothing
    /// makes a record unreadable. What belongs to records that vanish here is given up, too. Relations that are not
    /// required may lead to nothing.
    ///
    /// - Parameters:
    ///   - refused: The keys of the refused records, by their models.
    ///   - fence: The right to do so.
    ///   - report: Takes in what changed.
    /// - Throws: As ``apply(_:_:)``. It is done in a commit for each relation; what an error leaves is sent.
    func giveUpChildren(
        of refused: [String: [RecordKey]], _ fence: SyncFence, into report: inout ApplyReport
    ) async throws {
        var refused = refused
        while let (model, keys) = refused.popFirst() {
            guard let parent = catalog.model(named: model)?.entity else { continue }
            for relation in catalog.foreignKeys(to: parent) where catalog.isRequired(relation) {
                for part in keys.chunks(of: 1_000) {
                    let gone = try await giveUp(relation, to: part, fence, into: &report)
                    if !gone.isEmpty { refused[relation.child.name, default: []] += gone }
                }
            }
        }
    }

    /// - Returns: The keys of the records that vanished.
    private func giveUp(
        _ relation: ForeignKey, to parents: ArraySlice<RecordKey>, _ fence: SyncFence, into report: inout ApplyReport
    ) async throws -> [RecordKey] {
        let child = relation.child
        let fields = Set(relation.columns.map { child.fields[$0].name })
        let time = engine.present
        var part = ApplyReport()
        var gone: [RecordKey] = []
        _ = try await engine.commit { _ in
            (part, gone) = (ApplyReport(), [])
            var draft = SyncDraft(under: try await condition(of: fence))
            var changes = try await store.withSnapshot { snapshot in
                let rows = try await snapshot.rows(QueryPlan(child.name, where: relation.isAny(of: parents)))
                let keys = (0..<rows.rowCount).map { child.key(of: rows[$0]) }.sorted()
                return try await syncedRecords(keys, of: child, in: snapshot)
            }
            for index in changes.indices {
                changes[index].record.giveUpChange(of: fields, at: time)
                if changes[index].record.row == nil { gone.append(changes[index].record.key) }
            }
            part.note(changes, in: changes.indices)
            draft.add(changes, of: child)
            return draft.draft()
        }
        report.changes += part.changes
        report.deadLetters += part.deadLetters
        return gone
    }
}

extension SyncedRecord {
    /// Why a change was given up that the service was not asked for.
    package static let refusedParent = "The record that it belongs to was refused."

    /// Gives up the last unsent change of a relation, with what followed it.
    fileprivate mutating func giveUpChange(of fields: Set<String>, at time: Int64) {
        guard
            let index = entries.lastIndex(where: {
                $0.operation == .create || !fields.isDisjoint(with: $0.changedFields)
            }), entries[index].stage == .pending, let below = Array(entries[index...]).undone(row, of: entity)
        else { return }
        bury(from: index, errorType: nil, message: Self.refusedParent, remote: nil, at: time)
        row = below
        judgeShelf(true, time)
    }
}

extension SyncedRecordChange {
    /// Whether the record's creation was refused, and the service has no such record.
    var isRefusedCreation: Bool {
        stored.entries.first?.operation == .create && record.row == nil && record.metadata == nil
            && record.letters.contains { $0.operation == .create }
    }
}
