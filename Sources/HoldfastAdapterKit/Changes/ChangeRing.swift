public import HoldfastStorage

/// The last commits of a store, in memory.
public final class ChangeRing: Sendable {
    private let capacity: Int
    private let commits = Mutex<[CommittedChange]>([])

    /// Creates a ring.
    ///
    /// - Parameter capacity: How many commits it keeps, at least.
    public init(capacity: Int) { self.capacity = capacity }

    /// Adds a commit; called in commit order.
    public func append(_ change: CommittedChange) {
        commits.withLock { commits in
            commits.append(change)
            // Twice the capacity before anything is moved, so that a commit costs O(1) on average.
            if commits.count - capacity > capacity { commits.removeFirst(commits.count - capacity) }
        }
    }

    /// What a feed reads; see ``LoggedChangeFeed/ReadLog``.
    ///
    /// - Parameters:
    ///   - sequence: The sequence that the reader has reached.
    ///   - last: The sequence of the store's last commit.
    /// - Returns: The commits after that sequence, or a gap if some of them are no longer kept; `nil` if there are
    ///   none.
    /// - Complexity: O(log n + commits delivered), at most 256 of them.
    public func element(after sequence: UInt64, last: UInt64) -> ChangeFeedElement? {
        commits.withLock { commits in
            let start = Self.firstIndex(in: commits, after: sequence)
            return .fromLog(Array(commits[start...].prefix(256)), after: sequence, last: last)
        }
    }

    private static func firstIndex(in commits: [CommittedChange], after sequence: UInt64) -> Int {
        var (low, high) = (0, commits.count)
        while low < high {
            let middle = (low + high) / 2
            if commits[middle].sequence > sequence { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
