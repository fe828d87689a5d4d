import HoldfastStorage

/// Reads a change feed in a check.
///
/// If something is never reported, the check ends as hanging.
struct FeedReader {
    private var feed: any ChangeFeed
    private let context: ClauseContext

    init(_ store: TestStore, after sequence: UInt64?, _ context: ClauseContext) async throws {
        feed = try await store.store.changes(after: sequence)
        self.context = context
    }

    /// What is reported next.
    mutating func next() async throws -> ChangeFeedElement? {
        context.begin("waiting for the change feed, which has something to report")
        return try await feed.next()
    }

    /// What is reported next, perhaps without the records of some commits.
    mutating func next(
        withoutRecordsOf isKnown: @escaping @Sendable (UInt64) -> Bool
    ) async throws -> ChangeFeedElement? {
        context.begin("waiting for the change feed, which has something to report")
        return try await feed.next(withoutRecordsOf: isKnown)
    }

    /// Reads until the commit of a sequence is reported.
    ///
    /// - Returns: The commits reported, in order; fails if any is reported as forgotten.
    mutating func commits(through sequence: UInt64) async throws -> [CommittedChange] {
        var result: [CommittedChange] = []
        while (result.map(\.sequence).max() ?? 0) < sequence {
            switch try await next() {
            case .commits(let commits)?:
                try context.expect(!commits.isEmpty, "The feed reported no commit at all instead of waiting.")
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
    /// The keys of one text that were put, whether the records are new or not.
    var keysPut: [String] { keys { $0.isPut } }
    /// The keys of one text that were deleted.
    var keysDeleted: [String] { keys { $0 == .deleted } }

    private func keys(_ isIncluded: (Effect) -> Bool) -> [String] {
        records.filter { isIncluded($0.effect) }.compactMap { record in
            if case .text(let text)? = record.key.components.first { text } else { nil }
        }
        .sorted()
    }
}
