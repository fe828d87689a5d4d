import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of feeds that wait, and of how much they can look back.
    static let feedWaiting: [Mutant] = [
        Mutant(
            "feed-sleeps-through", "A feed that waits misses every hundredth commit that should wake it.",
            killedBy: "FED-013"
        ) { base, trigger in
            let wakings = Counter()
            return HookedAdapter(base) {
                $0.feeding = { sequence, base async throws(StorageError) in
                    LossyFeed(base: try await base.changes(after: sequence), wakings: wakings, trigger: trigger)
                }
            }
        },
        Mutant("feed-never-forgets", "The log keeps every commit.", killedBy: "FED-016") { base, trigger in
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
        },
        Mutant("feed-forgets-early", "The log keeps half of what it should keep.", killedBy: "FED-016") {
            base, trigger in
            let log = Mutex<[UInt64]>([])
            return HookedAdapter(base) {
                $0.committing = { request, base async throws(StorageError) in
                    let receipt = try await base.commit(request)
                    log.withLock { $0.append(receipt.sequence) }
                    return receipt
                }
                $0.feeding = { sequence, base async throws(StorageError) in
                    let kept = log.withLock { $0.sorted().suffix(501) }
                    guard let sequence, kept.count > 500, let end = kept.first, sequence < end else {
                        return try await base.changes(after: sequence)
                    }
                    trigger.fire()
                    return GapFeed(base: try await base.changes(after: end), end: end)
                }
            }
        },
    ]
}

/// A feed that goes back to sleep when it is woken for the hundredth time.
private struct LossyFeed: ChangeFeed {
    var base: any ChangeFeed
    let wakings: Counter
    let trigger: MutantTrigger

    mutating func next() async throws(StorageError) -> ChangeFeedElement? {
        let news = try await base.next()
        guard case .commits(let commits)? = news, commits.count == 1, wakings.next() % 100 == 99 else { return news }
        trigger.hang()
        return try await base.next()
    }

    mutating func close() async { await base.close() }
}

/// A feed that reports first that it forgot everything through a sequence.
private struct GapFeed: ChangeFeed {
    var base: any ChangeFeed
    var end: UInt64?

    mutating func next() async throws(StorageError) -> ChangeFeedElement? {
        if let end = end.take() { return .gap(through: end) }
        return try await base.next()
    }

    mutating func close() async { await base.close() }
}
