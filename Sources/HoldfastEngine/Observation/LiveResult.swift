import HoldfastModel
import HoldfastStorage

/// The result of a live query, kept up to date change by change: a value without I/O.
///
/// Invariant: ``rows`` and ``models`` are parallel and in the query's total order, with one entry per matching record.
/// Of a limited query they have the first ones, and more than the limit, so that few deletions need another query.
struct LiveResult<M: Model>: Sendable {
    /// The models that the query asks for, in its order.
    var items: [M] { limit.map { Array(models.prefix($0)) } ?? models }
    /// Whether records that may exist after those held are needed.
    var isShort: Bool { isCut && models.count < limit ?? 0 }
    /// Whether the models may hold related records as they were at different moments; see
    /// ``HeldParents/areOutdated``.
    var isOutdated: Bool { parents.areOutdated }

    /// How many records are held.
    var heldCount: Int { models.count }

    private var models: [M] = []
    private var rows: [[Value]] = []
    private var stored: [RecordKey: [Value]] = [:]
    private var parents: HeldParents
    private let query: BoundQuery
    private let sequence: UInt64
    private let limit: Int?
    /// Whether there may be matching records after those held.
    private var isCut = false

    /// As many changes of one commit are taken in one by one.
    static var fewChanges: Int { 16 }

    /// How many records are held of a limited query.
    static func heldCount(_ limit: Int) -> Int {
        let (count, overflows) = limit.multipliedReportingOverflow(by: 2)
        return overflows ? limit : count
    }

    /// Creates the result as a snapshot of the store has it.
    ///
    /// - Parameters:
    ///   - rows: The matching rows in the query's order, all fields; ``heldCount(_:)`` at most if there is a limit.
    ///   - items: Their models.
    ///   - sequence: The snapshot's sequence; changes up to it are contained.
    ///   - query: The query that found the rows.
    ///   - limit: How many of them are asked for; `nil` for all.
    ///   - isCut: Whether other matching rows may follow.
    ///   - parents: The related records that were looked up for all rows found; `nil` for none.
    init(
        _ rows: RowBuffer, items: [M], sequence: UInt64, query: BoundQuery, limit: Int? = nil, isCut: Bool = false,
        parents: HeldParents? = nil
    ) {
        self.parents = parents ?? HeldParents(sequence: sequence)
        self.query = query
        self.sequence = sequence
        self.limit = limit
        models = items
        self.isCut = isCut
        for row in 0..<rows.rowCount {
            let cells = Array(rows[row])
            self.rows.append(cells)
            stored[query.entity.key(of: cells)] = cells
        }
    }

    /// Whether the same records are in it, as they are, in the same order.
    ///
    /// - Parameters:
    ///   - other: A newer result of the same query.
    ///   - held: The related records that its ``items`` hold.
    /// - Returns: Whether nothing differs that ``items`` show.
    func isSame(as other: LiveResult, holding held: HeldParents? = nil) -> Bool {
        let count = limit ?? .max
        return rows.prefix(count) == other.rows.prefix(count) && held?.areSame(in: parents) ?? true
    }

    /// Whether a commit may have changed a related record that was looked up, for models that are shown or hidden.
    func mayHoldOthers(after changes: ChangeSet) -> Bool { parents.mayDiffer(after: changes) }

    /// Takes in a commit's changes.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - model: The model of one of their rows, or `nil` if the record is about to be deleted; asked only for rows
    ///     that enter the result.
    /// - Returns: Whether the result changed.
    /// - Throws: What `model` throws.
    /// - Complexity: O(k log n) comparisons for k changed records; O(n) moves for each of a few, and once for many.
    mutating func apply(_ changes: ChangeSet, model: (_ row: Int) throws -> M?) throws -> Bool {
        if changes.sequence <= sequence { return false }
        if let held = changes.held { parents.add(held, for: changes.sequence) }
        if limit == nil && changes.kinds.count > Self.fewChanges { return try merge(changes, model: model) }
        var isChanged = false
        for row in changes.kinds.indices {
            let cells = Array(changes.rows[row])
            let key = query.entity.key(of: cells)
            if let old = stored.removeValue(forKey: key) {
                let index = insertionIndex(of: old)
                rows.remove(at: index)
                models.remove(at: index)
                if index < limit ?? .max { isChanged = true }
            }
            if changes.kinds[row] != .deleted, query.predicate.matches(cells) {
                let index = insertionIndex(of: cells)
                if isCut && index == rows.count { continue }
                guard let model = try model(row) else { continue }
                rows.insert(cells, at: index)
                models.insert(model, at: index)
                stored[key] = cells
                if index < limit ?? .max { isChanged = true }
                cut()
            }
        }
        return isChanged
    }

    /// Takes in many changes with one pass over the result.
    private mutating func merge(_ changes: ChangeSet, model: (_ row: Int) throws -> M?) throws -> Bool {
        var newest: [RecordKey: Int] = [:]
        let keys = changes.kinds.indices.map { query.entity.key(of: Array(changes.rows[$0])) }
        for (row, key) in keys.enumerated() { newest[key] = row }
        var entering: [(cells: [Value], model: M)] = []
        for (row, key) in keys.enumerated() where changes.kinds[row] != .deleted && newest[key] == row {
            let cells = Array(changes.rows[row])
            if query.predicate.matches(cells), let model = try model(row) { entering.append((cells, model)) }
        }
        let leaving = Set(newest.keys.compactMap { stored.removeValue(forKey: $0) }.map { insertionIndex(of: $0) })
        if entering.isEmpty && leaving.isEmpty { return false }
        entering.sort { isOrdered($0.cells, $1.cells) }
        let indexes = entering.map { insertionIndex(of: $0.cells) }

        let old = (rows: rows, models: models)
        (rows, models) = ([], [])
        var next = 0
        func keep(before end: Int) {
            for index in next..<end where !leaving.contains(index) {
                rows.append(old.rows[index])
                models.append(old.models[index])
            }
            next = end
        }
        for (index, (cells, model)) in zip(indexes, entering) {
            keep(before: index)
            rows.append(cells)
            models.append(model)
            stored[query.entity.key(of: cells)] = cells
        }
        keep(before: old.rows.count)
        return true
    }

    /// Gives up what follows the records to be held.
    private mutating func cut() {
        guard let limit, rows.count > Self.heldCount(limit), let last = rows.popLast() else { return }
        models.removeLast()
        stored[query.entity.key(of: last)] = nil
        isCut = true
    }

    /// The number of rows that come before one.
    private func insertionIndex(of cells: [Value]) -> Int {
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if isOrdered(rows[middle], cells) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func isOrdered(_ left: [Value], _ right: [Value]) -> Bool {
        left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in query.compare(left, right) == .ascending }
        }
    }
}
