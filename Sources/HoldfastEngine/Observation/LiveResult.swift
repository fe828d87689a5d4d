import HoldfastModel
import HoldfastStorage

/// The result of a live query, kept up to date change by change: a value without I/O.
///
/// Invariant: ``rows`` and ``items`` stand side by side in the query's total order, one entry per matching record.
struct LiveResult<M: Model>: Sendable {
    /// The models, in the query's order.
    private(set) var items: [M] = []
    private var rows: [[Value]] = []
    private var stored: [RecordKey: [Value]] = [:]
    private let query: BoundQuery
    private let sequence: UInt64

    /// Creates the result as a snapshot of the store has it.
    ///
    /// - Parameters:
    ///   - rows: The matching rows in the query's order, all fields.
    ///   - items: Their models.
    ///   - sequence: The snapshot's sequence; changes up to it are contained.
    init(_ rows: RowBuffer, items: [M], sequence: UInt64, query: BoundQuery) {
        self.query = query
        self.sequence = sequence
        self.items = items
        for row in 0..<rows.rowCount {
            let cells = Array(rows[row])
            self.rows.append(cells)
            stored[query.entity.key(of: cells)] = cells
        }
    }

    /// Whether the same records are in it, as they are, in the same order.
    func isSame(as other: LiveResult) -> Bool { rows == other.rows }

    /// Takes in a commit's changes.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - model: The model of one of their rows, or `nil` if the record is about to be deleted; asked only for rows
    ///     that enter the result.
    /// - Returns: Whether the result changed.
    /// - Complexity: O(log n) comparisons and O(n) moves for each changed record.
    mutating func apply(_ changes: ChangeSet, model: (_ row: Int) throws -> M?) throws -> Bool {
        if changes.sequence <= sequence { return false }
        var isChanged = false
        for row in changes.kinds.indices {
            let cells = Array(changes.rows[row])
            let key = query.entity.key(of: cells)
            if let old = stored.removeValue(forKey: key) {
                let place = place(of: old)
                rows.remove(at: place)
                items.remove(at: place)
                isChanged = true
            }
            if changes.kinds[row] != .deleted, query.predicate.matches(cells), let model = try model(row) {
                let place = place(of: cells)
                rows.insert(cells, at: place)
                items.insert(model, at: place)
                stored[key] = cells
                isChanged = true
            }
        }
        return isChanged
    }

    /// The number of rows that come before one.
    private func place(of cells: [Value]) -> Int {
        cells.withUnsafeBufferPointer { cells in
            var low = 0
            var high = rows.count
            while low < high {
                let middle = (low + high) / 2
                if rows[middle].withUnsafeBufferPointer({ query.compare($0, cells) }) == .ascending {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            return low
        }
    }
}
