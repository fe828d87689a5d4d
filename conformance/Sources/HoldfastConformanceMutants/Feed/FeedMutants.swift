import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `FED` must find.
    static let feed: [Mutant] = feedContent + feedLogs + feedWaiting + feedsAtOnce + feedsLeavingOut

    private static let feedContent: [Mutant] = [
        counting("feed-repeats-commits", "Every tenth commit is reported twice.") { commit, number in
            number % 10 == 9 ? [commit, commit] : [commit]
        },
        counting("feed-drops-commits", "Every fiftieth commit is not reported.") { commit, number in
            number % 50 == 49 ? [] : [commit]
        },
        fed("feed-reverses-batches", "Commits reported together come in reverse.", "FED-009") { $0.reversed() },
        fed("feed-forgets-deletes", "Deleted records are not reported.", "FED-002") { commits in
            commits.map { commit in
                var commit = commit
                commit.records.removeAll { $0.effect == .deleted }
                return commit
            }
        },
        fed("feed-tells-upserts-as-created", "Every upsert is reported as a new record.", "FED-018") { commits in
            commits.map { $0.changing(.put, to: .created) }
        },
        fed("feed-tells-created-as-replaced", "A record that was inserted is reported as replaced.", "FED-018") {
            commits in
            commits.map { $0.changing(.created, to: .replaced) }
        },
        fed("feed-tells-updates-as-created", "A record that was updated is reported as a new one.", "FED-018") {
            commits in
            commits.map { $0.changing(.replaced, to: .created) }
        },
        fed("feed-forgets-clears", "Cleared entities are not reported.", "FED-002") { commits in
            commits.map { commit in
                var commit = commit
                commit.wholeEntities = []
                return commit
            }
        },
        fed("feed-cuts-records", "At most 1,000 records of a commit are reported.", "FED-004") { commits in
            commits.map { commit in
                var commit = commit
                if !commit.wholeEntities.isEmpty { commit.wholeEntities = [] }
                commit.records = Array(commit.records.prefix(1_000))
                return commit
            }
        },
        Mutant("feed-skips-boundary", "A feed begins one commit too late.", killedBy: "FED-005") { base, trigger in
            HookedAdapter(base) {
                $0.feeding = { sequence, base async throws(StorageError) in
                    if sequence != nil { trigger.hang() }
                    return try await base.changes(after: sequence.map { $0 + 1 })
                }
            }
        },
        Mutant("feed-repeats-boundary", "A feed begins with the commit it should begin after.", killedBy: "FED-005") {
            base, trigger in
            HookedAdapter(base) {
                $0.feeding = { sequence, base async throws(StorageError) in
                    if sequence ?? 0 > 0 { trigger.fire() }
                    return try await base.changes(after: sequence.map { $0 > 0 ? $0 - 1 : 0 })
                }
            }
        },
        Mutant("feed-forgets-silently", "What was forgotten is silently skipped.", killedBy: "FED-007") {
            base, trigger in
            HookedAdapter(base) {
                $0.feeding = { sequence, base async throws(StorageError) in
                    AlteredFeed(base: try await base.changes(after: sequence)) { news in
                        if case .gap = news {
                            trigger.hang()
                            return nil
                        }
                        if case .commits(let commits) = news, commits.count > 200 {
                            trigger.fire()
                            return .commits(Array(commits.suffix(100)))
                        }
                        return news
                    }
                }
            }
        },
        Mutant("failed-commits-reported", "Commits that fail are reported.", killedBy: "FED-003") { base, trigger in
            let box = ExtraRecords()
            return HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        trigger.fire()
                        box.add(.init("Note", RecordKey("phantom"), .put))
                        throw error
                    }
                }
                $0.feeding = { sequence, base async throws(StorageError) in
                    AlteredFeed(base: try await base.changes(after: sequence)) { news in
                        guard case .commits(var commits) = news, !commits.isEmpty else { return news }
                        commits[0].records += box.take()
                        return .commits(commits)
                    }
                }
            }
        },
        Mutant(
            "feed-dies-with-handle", "A feed after reopening begins with what is still to come.", killedBy: "FED-006"
        ) {
            base, trigger in
            HookedAdapter(base) {
                $0.feeding = { sequence, base async throws(StorageError) in
                    let snapshot = try await base.snapshot()
                    let now = snapshot.sequence
                    await snapshot.close()
                    if let sequence, sequence < now { trigger.hang() }
                    return try await base.changes(after: now)
                }
            }
        },
    ]

    /// Creates a mutant that changes commits by their number in the feed, since sequences have gaps.
    private static func counting(
        _ id: String, _ summary: String, _ change: @escaping @Sendable (CommittedChange, Int) -> [CommittedChange]
    ) -> Mutant {
        Mutant(id, summary, killedBy: "FED-001") { base, trigger in
            HookedAdapter(base) {
                $0.feeding = { sequence, base async throws(StorageError) in
                    let count = Counter()
                    return AlteredFeed(base: try await base.changes(after: sequence)) { news in
                        guard case .commits(let commits) = news else { return news }
                        let changed = commits.flatMap { change($0, count.next()) }
                        if changed != commits { trigger.fire() }
                        return changed.isEmpty ? nil : .commits(changed)
                    }
                }
            }
        }
    }

    private static func fed(
        _ id: String, _ summary: String, _ clause: String,
        _ change: @escaping @Sendable ([CommittedChange]) -> [CommittedChange]
    ) -> Mutant {
        Mutant(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) {
                $0.feeding = { sequence, base async throws(StorageError) in
                    AlteredFeed(base: try await base.changes(after: sequence)) { news in
                        guard case .commits(let commits) = news else { return news }
                        let changed = change(commits)
                        if changed != commits { trigger.fire() }
                        return changed.isEmpty ? nil : .commits(changed)
                    }
                }
            }
        }
    }
}

extension CommittedChange {
    /// The same with another effect in the place of one.
    fileprivate func changing(_ effect: Effect, to other: Effect) -> CommittedChange {
        var change = self
        for index in records.indices where records[index].effect == effect { change.records[index].effect = other }
        return change
    }
}

/// A feed whose news are changed; `nil` skips them.
struct AlteredFeed: ChangeFeed {
    var base: any ChangeFeed
    let change: @Sendable (ChangeFeedElement) -> ChangeFeedElement?

    mutating func next() async throws(StorageError) -> ChangeFeedElement? {
        while let news = try await base.next() {
            if let changed = change(news) { return changed }
        }
        return nil
    }

    mutating func close() async { await base.close() }
}

/// Records that a mutant adds to the next commit reported.
private final class ExtraRecords: Sendable {
    private let records = Mutex<[CommittedChange.Record]>([])

    func add(_ record: CommittedChange.Record) { records.withLock { $0.append(record) } }

    func take() -> [CommittedChange.Record] {
        records.withLock { records in
            defer { records = [] }
            return records
        }
    }
}
