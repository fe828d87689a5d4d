import HoldfastStorage

/// The unsent changes of a foreign store, folded into one for each record.
///
/// Held in memory until their records are met: one entry for each record with unsent changes, without values.
struct UnsentMutations: Sendable {
    /// What is left to send of one record.
    struct Folded: Sendable {
        /// The entry, with the identifier as its key; `nil` if the changes cancel each other out.
        var entry: OutboxEntry?
        /// The deletion that cancels the changes out, if they do.
        ///
        /// The store would have left out both the creation and the deletion of what it had not begun to send. So the
        /// service may have the record, and the deletion is sent unless the record was saved again.
        var deletion: OutboxEntry?
        /// The position that an entry gets in the outbox.
        let outboxPosition: Int64
        /// The position of the first of the changes in the source.
        let position: Int64
        var conditionCount = 0
    }

    private var folded: [RecordKey: Folded] = [:]

    /// Folds mutations, oldest first, each over those before it.
    ///
    /// Positions are the times at which the changes were made, but not after `now`, and made strictly increasing.
    init(_ mutations: [ForeignMutation], of catalog: ModelCatalog, now: Int64, report: inout ImportReport) {
        var last = Int64.min
        for mutation in mutations {
            guard let entity = catalog.model(named: mutation.entity)?.entity else {
                report.reject(
                    .mutation, mutation.entity, "The store was opened without this model.", at: mutation.position)
                continue
            }
            guard let operation = mutation.operation.flatMap({ OutboxEntry.Operation(rawValue: $0.rawValue) }) else {
                report.reject(.mutation, mutation.entity, "The kind of change is missing.", at: mutation.position)
                continue
            }
            last = max(last == .min ? .min : last + 1, min(mutation.madeAt, now))
            let allFields = catalog.shape(of: entity).changeableFields
            let later = OutboxEntry(
                model: mutation.entity, key: mutation.identifier, position: last, operation: operation,
                changedFields: operation == .update ? allFields : [], baseVersion: mutation.baseVersion)
            let key = Self.key(mutation.entity, mutation.identifier)
            var record = folded[key] ?? Folded(entry: nil, outboxPosition: last, position: mutation.position)
            if let earlier = record.entry {
                let baseVersion = [earlier.baseVersion, later.baseVersion].compactMap(\.self).max()
                record.entry = earlier.folding(later, allFields: allFields)
                record.deletion = record.entry == nil ? later : nil
                record.entry?.baseVersion = baseVersion
                record.deletion?.baseVersion = baseVersion
            } else {
                record.entry = later
            }
            if mutation.hasCondition { record.conditionCount += 1 }
            folded[key] = record
        }
    }

    /// What is left to send of a record; `nil` if nothing ever was.
    subscript(_ entity: String, _ identifier: String) -> Folded? {
        folded.isEmpty ? nil : folded[Self.key(entity, identifier)]
    }

    /// Forgets the changes of a record.
    mutating func remove(_ entity: String, _ identifier: String) {
        if !folded.isEmpty { folded[Self.key(entity, identifier)] = nil }
    }

    /// What is left, by position.
    var remaining: [OutboxEntry] {
        folded.values.compactMap { $0.entry ?? $0.deletion }.sorted { $0.position < $1.position }
    }

    private static func key(_ entity: String, _ identifier: String) -> RecordKey {
        // Compares texts by their bytes, as stores do.
        RecordKey([.text(entity), .text(identifier)])
    }
}

extension UnsentMutations.Folded {
    /// The outbox entry of a record that exists.
    ///
    /// A record that exists although its changes end with a deletion was saved again later.
    func entry(ofExisting key: String, _ shape: RecordShape) -> OutboxEntry {
        guard var entry else {
            return OutboxEntry(model: shape.entity.name, key: key, position: outboxPosition, operation: .create)
        }
        entry.key = key
        if entry.operation == .delete {
            entry.operation = .update
            entry.changedFields = shape.changeableFields
        }
        return entry
    }
}
