import HoldfastStorage

/// What a subscriber has not yet taken: every change in order, until very much piles up.
///
/// Beyond ``capacity`` rows the changes of one record are folded into its newest state, so the memory is bounded by
/// the number of distinct records and the newest state is never lost.
struct ChangeBuffer: Sendable {
    /// Rows that are kept one by one.
    static let capacity = 10_000

    private var sets: ArraySlice<ChangeSet> = []
    private var rowCount = 0
    private var foldAbove = capacity
    /// Whether folding keeps the deletion of a record that was also created: for a consumer that may know it.
    private let keepsCancelled: Bool

    init(keepsCancelled: Bool = false) { self.keepsCancelled = keepsCancelled }

    /// Adds the newest changes.
    mutating func append(_ changes: ChangeSet) {
        sets.append(changes)
        rowCount += changes.kinds.count
        if rowCount > foldAbove { fold() }
    }

    /// Whether everything is taken.
    var isEmpty: Bool { sets.isEmpty }

    /// Takes the oldest, so many at most.
    mutating func take(atMost limit: Int = .max) -> [ChangeSet] {
        let taken = Array(sets.prefix(limit))
        sets = sets.dropFirst(taken.count)
        rowCount -= taken.reduce(0) { $0 + $1.kinds.count }
        if sets.isEmpty { (sets, foldAbove) = ([], Self.capacity) }
        return taken
    }

    /// Puts everything back that was taken, as it is.
    mutating func putBack(_ taken: [ChangeSet]) {
        sets = taken[...]
        rowCount = taken.reduce(0) { $0 + $1.kinds.count }
    }

    private mutating func fold() {
        var entities: [String] = []
        for set in sets where !entities.contains(set.entity.name) { entities.append(set.entity.name) }
        sets = entities.compactMap { name in folded(sets.filter { $0.entity.name == name }) }[...]
        rowCount = sets.reduce(0) { $0 + $1.kinds.count }
        foldAbove = max(Self.capacity, rowCount * 2)
    }

    /// The changes of one entity as one.
    private func folded(_ sets: [ChangeSet]) -> ChangeSet? {
        guard let newest = sets.last else { return nil }
        var places: [RecordKey: Int] = [:]
        var changes: [(kind: ChangeKind?, set: Int, row: Int)] = []
        for (index, set) in sets.enumerated() {
            for row in set.kinds.indices {
                let key = set.entity.key(of: set.rows[row])
                let kind = set.kinds[row]
                if let place = places[key] {
                    let folded = changes[place].kind.map { $0.folding(kind) } ?? kind
                    changes[place] = (folded ?? (keepsCancelled ? .deleted : nil), index, row)
                } else {
                    places[key] = changes.count
                    changes.append((kind, index, row))
                }
            }
        }
        var folded = ChangeSet(
            sequence: newest.sequence, entity: newest.entity, kinds: [],
            rows: RowBuffer(columnCount: newest.rows.columnCount))
        for change in changes {
            guard let kind = change.kind else { continue }
            folded.kinds.append(kind)
            folded.rows.append(sets[change.set].rows[change.row])
        }
        for set in sets { folded.deletedTogether.merge(set.deletedTogether) { $0 + $1 } }
        return folded
    }
}
