import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of what feeds report about keys, migrations and old commits, and when.
    static let feedLogs: [Mutant] = [
        telling("feed-reverses-keys", "The components of keys are reported in reverse.", "FED-014") { change in
            for index in change.records.indices { change.records[index].key.components.reverse() }
        },
        telling("feed-writes-bytes-as-text", "Bytes in keys are reported as text.", "FED-014") { change in
            for index in change.records.indices {
                change.records[index].key.components = change.records[index].key.components.map { component in
                    guard case .bytes(let bytes) = component else { return component }
                    return .text(String(decoding: bytes, as: UTF8.self))
                }
            }
        },
        Mutant(
            "feed-tells-of-old-entities", "What was before a migration is reported.", killedBy: "FED-015",
            noting: { hooks, notes, _, trigger in
                hooks.feeding = { sequence, base async throws(StorageError) in
                    let old = notes.with { $0.schemas.first }?.entities.first?.name ?? ""
                    let isMigrated = notes.isReopened
                    return AlteredFeed(base: try await base.changes(after: sequence)) { element in
                        guard isMigrated, case .gap(let through) = element else { return element }
                        trigger.fire()
                        return .commits([
                            CommittedChange(sequence: through, records: [.init(old, RecordKey("a"), .put)])
                        ])
                    }
                }
            }),
    ]

    private static func telling(
        _ id: String, _ summary: String, _ clause: String,
        _ change: @escaping @Sendable (inout CommittedChange) -> Void
    ) -> Mutant {
        Mutant(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) {
                $0.feeding = { sequence, base async throws(StorageError) in
                    AlteredFeed(base: try await base.changes(after: sequence)) { element in
                        guard case .commits(let commits) = element else { return element }
                        let changed = commits.map { commit in
                            var commit = commit
                            change(&commit)
                            return commit
                        }
                        if changed != commits { trigger.fire() }
                        return .commits(changed)
                    }
                }
            }
        }
    }
}
