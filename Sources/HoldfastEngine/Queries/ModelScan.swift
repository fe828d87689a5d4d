import HoldfastStorage

/// The records of a query, pulled in batches and filtered by a condition if need be.
struct ModelScan: Sendable {
    private var scan: RecordScan
    private var filter: BoundCondition?
    private var evaluator: ConditionEvaluator?
    private var offset = 0
    private var limit: Int?

    /// The rows as they come.
    init(_ scan: RecordScan) { self.scan = scan }

    /// The rows that satisfy a condition.
    ///
    /// - Parameters:
    ///   - scan: Rows of all fields, if there is a condition.
    ///   - filter: The condition; `nil` for none, and then nothing is skipped or limited.
    ///   - evaluator: Decides the condition.
    ///   - offset: Satisfying rows to skip.
    ///   - limit: The largest number of rows.
    init(
        _ scan: RecordScan, filter: BoundCondition?, evaluator: ConditionEvaluator, offset: Int = 0, limit: Int? = nil
    ) {
        self.scan = scan
        self.filter = filter
        self.evaluator = evaluator
        self.offset = offset
        self.limit = limit
    }

    /// Replaces the buffer's content with the next rows; leaves it empty at the end.
    mutating func next(into rows: inout RowBuffer) async throws {
        guard let filter, let evaluator else { return try await scan.next(into: &rows) }
        while true {
            if limit == 0 {
                rows.reset(columnCount: rows.columnCount)
                return await scan.close()
            }
            try await scan.next(into: &rows)
            if rows.isEmpty { return }
            let matches = try await evaluator.matches(rows, filter)
            var kept = RowBuffer(columnCount: rows.columnCount)
            for row in matches.indices where matches[row] && limit != 0 {
                if offset > 0 {
                    offset -= 1
                    continue
                }
                limit = limit.map { $0 - 1 }
                kept.append(rows[row], version: rows.versions[row])
            }
            if !kept.isEmpty {
                rows = kept
                return
            }
        }
    }

    /// Ends the query early.
    mutating func close() async { await scan.close() }
}
