import HoldfastStorage

extension Clause {
    /// Feeds that wait.
    static let feedWaiting: [Clause] = [
        Clause(
            "FED-013", "A feed that waits is woken by every single commit.", level: .feed,
            requires: .feature(.changeFeed),
            catches: "A commit between the look into the log and the wait is missed until the next one comes.",
            witness: "single commits reported by a waiting feed"
        ) { context in
            let store = try await context.open(.notes)
            var feed = try await FeedReader(store, after: nil, context)
            var random = SplitMix64(seed: context.seed &+ 13)
            for round in 0..<300 {
                let waiting = feed
                let reading = Task { () async throws -> (ChangeFeedElement?, FeedReader) in
                    var reader = waiting
                    let element = try await reader.next()
                    return (element, reader)
                }
                // The commit comes before, during, or after the look; the next one only once this one is reported.
                for _ in 0..<random.below(round % 2 == 0 ? 4 : 60) { await Task.yield() }
                let receipt = try await store.commit(
                    [
                        .put(
                            entity: "Note", rows: RowBuffer(row: [.text("n"), .integer(Int64(round))]), mode: .upsert)
                    ], durability: Durability.none)
                let (element, reader) = try await reading.value
                guard case .commits(let commits)? = element else {
                    throw ClauseFailure("A feed that waited for commit \(receipt.sequence) reported something else.")
                }
                try context.expectEqual(commits.map(\.sequence), [receipt.sequence], "what a waiting feed reports")
                feed = reader
                context.witness()
            }
        }
    ]
}
