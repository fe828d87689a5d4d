import HoldfastStorage

/// What a subscriber has not yet taken: every change in order, until very much piles up.
///
/// Beyond ``capacity`` rows the changes of one record are folded into its newest state, so the memory is bounded by
/// the number of distinct records and the newest state is never lost.
struct ChangeBuffer: Sendable {
    /// Rows that are kept one by one.
    static let capacity = 10_000

    private var sets: [ChangeSet] = []
    private var rowCount = 0
    private var foldAbove = capacity

    /// Adds the newest changes.
    mutating func append(_ changes: ChangeSet) {
        sets.append(changes)
        rowCount += changes.kinds.count
        if rowCount > foldAbove { fold() }
    }

    /// Takes everything, oldest first.
    mutating func takeAll() -> [ChangeSet] {
        defer {
            sets = []
            rowCount = 0
            foldAbove = Self.capacity
        }
        return sets
    }

    private mutating func fold() {
        guard let newest = sets.last else { return }
        var places: [RecordKey: Int] = [:]
        var changes: [(kind: ChangeKind?, set: Int, row: Int)] = []
        for (index, set) in sets.enumerated() {
            for row in set.kinds.indices {
                let key = set.entity.key(of: set.rows[row])
                let kind = set.kinds[row]
                if let place = places[key] {
                    let folded = changes[place].kind.map { $0.folding(kind) } ?? kind
                    changes[place] = (folded, index, row)
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
        sets = [folded]
        rowCount = folded.kinds.count
        foldAbove = max(Self.capacity, rowCount * 2)
    }
}
