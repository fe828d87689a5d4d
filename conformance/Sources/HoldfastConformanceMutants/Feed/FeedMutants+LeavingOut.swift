import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of feeds that leave something out.
    static let feedsLeavingOut: [Mutant] = [
        Mutant("feed-drops-known-commits", "Commits that the reader knows are not reported.", killedBy: "FED-019") {
            base, trigger in
            HookedAdapter(base) {
                $0.feeding = { sequence, base async throws(StorageError) in
                    FilteredFeed(base: try await base.changes(after: sequence)) { commits, isKnown in
                        let unknown = commits.filter { !isKnown($0.sequence) }
                        if unknown.count < commits.count { trigger.hang() }
                        return unknown
                    }
                }
            }
        },
        Mutant(
            "feed-forgets-beside-known-commits", "Of what comes with a known commit, no record is reported.",
            killedBy: "FED-019"
        ) { base, trigger in
            HookedAdapter(base) {
                $0.feeding = { sequence, base async throws(StorageError) in
                    FilteredFeed(base: try await base.changes(after: sequence)) { commits, isKnown in
                        guard commits.contains(where: { isKnown($0.sequence) }) else { return commits }
                        if commits.contains(where: { !isKnown($0.sequence) }) { trigger.fire() }
                        return commits.map { CommittedChange(sequence: $0.sequence, records: []) }
                    }
                }
            }
        },
        Mutant("feed-tells-of-all-entities", "Every entity is in the change feed.", killedBy: "FED-020") {
            base, trigger in
            HookedAdapter(base) {
                $0.opening = { request, base throws(StorageError) in
                    var request = request
                    let entities = request.schema.entities.map { entity in
                        if !entity.isInChangeFeed { trigger.fire() }
                        return EntitySchema(
                            entity.name, fields: entity.fields, primaryKey: entity.primaryKey,
                            indexes: entity.indexes, isOrderedByVersion: entity.isOrderedByVersion)
                    }
                    request.schema = try StorageSchema(entities: entities)
                    try await base.open(request)
                }
            }
        },
    ]
}

/// A feed whose commits are changed when its reader knows some of them; those that are left out are skipped.
private struct FilteredFeed: ChangeFeed {
    var base: any ChangeFeed
    let change: @Sendable ([CommittedChange], (UInt64) -> Bool) -> [CommittedChange]

    mutating func next() async throws(StorageError) -> ChangeFeedElement? { try await base.next() }

    mutating func next(
        withoutRecordsOf isKnown: @escaping @Sendable (UInt64) -> Bool
    ) async throws(StorageError) -> ChangeFeedElement? {
        while let element = try await base.next(withoutRecordsOf: isKnown) {
            guard case .commits(let commits) = element else { return element }
            let changed = change(commits, isKnown)
            if !changed.isEmpty { return .commits(changed) }
        }
        return nil
    }

    mutating func close() async { await base.close() }
}
