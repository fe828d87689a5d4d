/// Decides what shares a commit: what waits while others are in progress.
///
/// Knows no store and waits for nothing.
struct WriteQueue<Element: Sendable>: Sendable {
    /// An element and the record that it writes.
    struct Entry: Sendable {
        var record: RecordIdentifier
        var element: Element
    }

    private(set) var waiting: [Entry] = []
    /// The records of the commits in progress.
    private var busy: Set<RecordIdentifier> = []
    private var commitCount = 0
    private let maximumCommitCount: Int
    private let maximumRecordCount: Int

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - maximumCommitCount: Commits that are in progress at the same time.
    ///   - maximumRecordCount: Records of one commit.
    init(maximumCommitCount: Int, maximumRecordCount: Int) {
        self.maximumCommitCount = maximumCommitCount
        self.maximumRecordCount = maximumRecordCount
    }

    /// Appends an element; ``next()`` follows.
    mutating func add(_ element: Element, for record: RecordIdentifier) {
        waiting.append(Entry(record: record, element: element))
    }

    /// Begins a commit.
    ///
    /// A record that a commit in progress writes waits: both cannot replace the same version.
    ///
    /// - Returns: What it writes, each record once, in the order of keys; `nil` if nothing can begin.
    mutating func next() -> [Entry]? {
        guard commitCount < maximumCommitCount, !waiting.isEmpty else { return nil }
        var group: [Entry] = []
        var rest: [Entry] = []
        for entry in waiting {
            if group.count < maximumRecordCount, busy.insert(entry.record).inserted {
                group.append(entry)
            } else {
                rest.append(entry)
            }
        }
        guard !group.isEmpty else { return nil }
        waiting = rest
        commitCount += 1
        // Commits of two processes that have records in common do not wait for each other.
        return group.sorted { $0.record < $1.record }
    }

    /// Ends a commit; ``next()`` follows.
    ///
    /// - Returns: What waits for one of its records, and was decided before that changed.
    mutating func end(_ group: [Entry]) -> [Entry] {
        commitCount -= 1
        let records = Set(group.map(\.record))
        busy.subtract(records)
        let late = waiting.filter { records.contains($0.record) }
        if !late.isEmpty { waiting.removeAll { records.contains($0.record) } }
        return late
    }
}
