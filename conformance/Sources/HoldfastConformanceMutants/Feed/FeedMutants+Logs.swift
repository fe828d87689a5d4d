import HoldfastConformance
import HoldfastStorage
import Synchronization

extension Mutant {
    /// Mutants of what feeds tell of keys, migrations and old commits, and when.
    static let feedLogs: [Mutant] = [
        Mutant(
            "feed-sleeps-through", "A feed does not look again before it sleeps.", killedBy: "FED-013",
            wrap: { base, trigger in
                let signal = CommitSignal()
                return HookedAdapter(base) {
                    $0.committing = { request, base async throws(StorageError) in
                        let receipt = try await base.commit(request)
                        signal.wake()
                        return receipt
                    }
                    $0.feeding = { sequence, base async throws(StorageError) in
                        SleepyFeed(base: try await base.changes(after: sequence), signal: signal, trigger: trigger)
                    }
                }
            }),
        telling("feed-reverses-keys", "The components of keys are told in reverse.", "FED-014") { change in
            for place in change.records.indices { change.records[place].key.components.reverse() }
        },
        telling("feed-writes-bytes-as-text", "Bytes in keys are told as text.", "FED-014") { change in
            for place in change.records.indices {
                change.records[place].key.components = change.records[place].key.components.map { component in
                    guard case .bytes(let bytes) = component else { return component }
                    return .text(String(decoding: bytes, as: UTF8.self))
                }
            }
        },
        Mutant(
            "feed-tells-of-old-entities", "What was before a migration is told.", killedBy: "FED-015",
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
        Mutant(
            "feed-never-forgets", "The log keeps every commit.", killedBy: "FED-016",
            wrap: { base, trigger in
                let log = Mutex<[UInt64]>([])
                return HookedAdapter(base) {
                    $0.committing = { request, base async throws(StorageError) in
                        let receipt = try await base.commit(request)
                        log.withLock { $0.append(receipt.sequence) }
                        return receipt
                    }
                    $0.feeding = { sequence, base async throws(StorageError) in
                        AlteredFeed(base: try await base.changes(after: sequence)) { element in
                            guard case .gap(let through) = element else { return element }
                            trigger.fire()
                            let old = log.withLock { $0.filter { $0 <= through } }.sorted()
                            return .commits(
                                old.map { CommittedChange(sequence: $0, records: [], wholeEntities: ["Note"]) })
                        }
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

/// What tells feeds that there was a commit.
private final class CommitSignal: Sendable {
    private struct State {
        var count = 0
        var sleepers: [AsyncStream<Void>.Continuation] = []
    }
    private let state = Mutex(State())

    /// How many commits there were.
    var count: Int { state.withLock { $0.count } }

    func wake() {
        let sleepers = state.withLock { state in
            state.count += 1
            defer { state.sleepers = [] }
            return state.sleepers
        }
        for sleeper in sleepers { sleeper.finish() }
    }

    /// Returns at the next commit, or when the task is cancelled.
    func sleep() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        state.withLock { $0.sleepers.append(continuation) }
        for await _ in stream {}
    }
}

/// A feed that looks, and a little later sleeps until the commit after that.
private struct SleepyFeed: ChangeFeed {
    var base: any ChangeFeed
    let signal: CommitSignal
    let trigger: MutantTrigger
    /// How many commits there were when it looked last.
    private var seen = 0

    init(base: any ChangeFeed, signal: CommitSignal, trigger: MutantTrigger) {
        self.base = base
        self.signal = signal
        self.trigger = trigger
    }

    mutating func next() async throws(StorageError) -> ChangeFeedElement? {
        let count = signal.count
        if count == seen {
            for _ in 0..<3 { await Task.yield() }
            if signal.count > count { trigger.fire() }
            await signal.sleep()
            if Task.isCancelled { throw StorageError(.cancelled, "The task was cancelled.") }
        }
        seen = signal.count
        return try await base.next()
    }

    mutating func close() async { await base.close() }
}
