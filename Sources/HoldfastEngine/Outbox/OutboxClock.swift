import HoldfastStorage

/// Gives every outbox entry a position after those of all changes that its own builds on.
///
/// Positions increase within one process, even when the clock stops or goes back. Other processes give positions, too:
/// what a change builds on was read at a version, and if that is of a commit not yet known here, the positions in the
/// store are looked up first (``covers(_:)``, ``update(_:asOf:)``). An own commit is known although one before it is
/// not:
///
///     this: reserves 5, reads x at 101    other: commits 100, with position 9    this: commits 102, with position 5
///
/// The commit 101 was made here, so its position is less than 5. What it builds on was known when it was made; the
/// commit 100 is not among that.
final class OutboxClock: Sendable {
    /// Who makes changes during a session.
    struct Author: Sendable {
        /// The user; `nil` if no one is signed in.
        let identity: String?
    }

    private struct State {
        /// The greatest position given or seen.
        var last: Int64 = .min
        /// The positions of all commits up to this are known; `nil` before the store was first asked.
        var covered: UInt64?
        /// Own commits beyond, which count once all before them do.
        var own: Set<UInt64> = []
        var author: Author?
        /// Whether the store had no session when it was asked for the user of the last one.
        var isWithoutSession = false
    }

    private static let maximumOwnCount = 1_000

    private let now: @Sendable () -> Int64
    private let state = Mutex(State())

    init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// Who makes the changes; `nil` without a session.
    var author: Author? {
        get { state.withLock { $0.author } }
        set { state.withLock { ($0.author, $0.isWithoutSession) = (newValue, false) } }
    }

    /// A session is about to begin: until it knows its user, changes belong to no one.
    func expectAuthor() {
        state.withLock { if $0.author == nil { $0.author = Author(identity: nil) } }
    }

    /// Whether only the store may know who makes the changes: this handle has no session.
    ///
    /// A store that had none when it was asked is not asked again: what is changed before the first session of another
    /// handle belongs to no one, and that session sends it for its user.
    var needsLastUser: Bool { state.withLock { $0.author == nil && !$0.isWithoutSession } }

    /// The store has no session, and never had one.
    func noteNoSession() { state.withLock { $0.isWithoutSession = true } }

    /// The present in microseconds since 1970-01-01T00:00Z.
    var present: Int64 { now() }

    /// Whether a change was given a position within the last 20 milliseconds.
    var isBusy: Bool {
        let present = now()
        let last = state.withLock { $0.last }
        // Positions of many changes at once lie in the future, and so do those from before the clock went back.
        return last > present - 20_000 && last < present + 20_000
    }

    /// Whether the next position lies more than a second in the future, since the clock went back.
    ///
    /// Another process counts on from the same position then, and may have given the next ones already:
    ///
    ///     this: last is 9    other: creates x at 10, which is given up    this: creates x at 10, too
    ///
    /// What creates a record builds on no commit that would show this.
    var isAhead: Bool {
        let present = now()
        return state.withLock { $0.last > present + 1_000_000 }
    }

    /// The first of `count` consecutive positions.
    func reserve(_ count: Int) -> Int64 {
        let present = now()
        return state.withLock { state in
            let first = state.last >= present ? state.last + 1 : present
            state.last = first + Int64(count) - 1
            return first
        }
    }

    /// Whether the positions of some commits, and of all that these build on, are known.
    func covers(_ commits: some Sequence<UInt64>) -> Bool {
        state.withLock { state in
            guard let covered = state.covered else { return false }
            return commits.allSatisfy { $0 <= covered || state.own.contains($0) }
        }
    }

    /// Remembers the greatest position in the store as of a commit; `nil` if there is none.
    func update(_ position: Int64?, asOf sequence: UInt64) {
        state.withLock { state in
            if let position { state.last = max(state.last, position) }
            state.covered = max(state.covered ?? 0, sequence)
            state.own = state.own.filter { $0 > sequence }
        }
    }

    /// Remembers one of its own commits.
    func committed(_ sequence: UInt64) {
        state.withLock { state in
            guard var covered = state.covered, sequence > covered else { return }
            if state.own.count >= Self.maximumOwnCount { state.own = [] }
            state.own.insert(sequence)
            while state.own.remove(covered + 1) != nil { covered += 1 }
            state.covered = covered
        }
    }
}
