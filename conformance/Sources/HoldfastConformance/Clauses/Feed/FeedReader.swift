import HoldfastStorage

/// Reads a change feed in a check, and never waits forever.
struct FeedReader {
    private var feed: any ChangeFeed
    private let context: ClauseContext

    init(_ store: TestStore, after sequence: UInt64?, _ context: ClauseContext) async throws {
        feed = try await store.store.changes(after: sequence)
        self.context = context
    }

    /// What is told next, or a failure after ten seconds.
    mutating func next() async throws -> ChangeFeedElement? {
        let pending = feed
        let reading = Task { () async throws -> (ChangeFeedElement?, any ChangeFeed) in
            var pending = pending
            return (try await pending.next(), pending)
        }
        let alarm = Task {
            try await Task.sleep(for: .seconds(10))
            reading.cancel()
        }
        defer { alarm.cancel() }
        do {
            let (news, rest) = try await reading.value
            feed = rest
            return news
        } catch let error as StorageError where error.kind == .cancelled {
            throw ClauseFailure("The feed told nothing within ten seconds although there was something to tell.")
        }
    }

    /// Reads until the commit of a sequence is told.
    ///
    /// - Returns: The commits told, in order; fails if any is said to be forgotten.
    mutating func commits(through sequence: UInt64) async throws -> [CommittedChange] {
        var result: [CommittedChange] = []
        while (result.last?.sequence ?? 0) < sequence {
            switch try await next() {
            case .commits(let commits)?:
                try context.expect(!commits.isEmpty, "The feed told no commit at all instead of waiting.")
                result += commits
            case .gap(let through)?:
                throw ClauseFailure("The feed forgot the commits through \(through), which were just made.")
            case nil: throw ClauseFailure("The feed ended while the store was open.")
            }
        }
        return result
    }

    mutating func close() async { await feed.close() }
}

extension CommittedChange {
    /// The keys of one text that were put or deleted.
    func keys(_ effect: Effect) -> [String] {
        records.filter { $0.effect == effect }.compactMap { record in
            if case .text(let text)? = record.key.components.first { text } else { nil }
        }
        .sorted()
    }
}
