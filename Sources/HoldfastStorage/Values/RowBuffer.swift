/// Rows of one entity in one flat block of cells, made to be filled, read and reused batch after batch.
///
/// Row `r` occupies `columnCount` consecutive cells and has one record version. A row whose version is 0 stands for
/// a record that does not exist; all its cells are null.
///
/// ```swift
/// var rows = RowBuffer(columnCount: 3)
/// rows.append([.text("b1"), .text("Moby-Dick"), .integer(635)])
/// rows.append([.text("b2"), .text("Emma"), .null])
/// let title = rows[1, 1]  // .text("Emma")
/// ```
public struct RowBuffer: Sendable {
    /// The number of cells of a row.
    @inlinable public var columnCount: Int { storedColumnCount }
    /// All cells, row after row.
    @inlinable public var cells: [Value] { _read { yield storedCells } }
    /// The version of each row's record: the sequence of the commit that wrote it, or 0 for an absent record.
    @inlinable public var versions: [UInt64] { _read { yield storedVersions } }

    @usableFromInline var storedColumnCount: Int
    @usableFromInline var storedCells: [Value] = []
    @usableFromInline var storedVersions: [UInt64] = []

    /// The number of rows.
    @inlinable public var rowCount: Int { versions.count }
    /// Whether there are no rows.
    @inlinable public var isEmpty: Bool { versions.isEmpty }

    /// Creates an empty buffer.
    ///
    /// - Parameters:
    ///   - columnCount: Cells of a row; a buffer that an adapter fills may start at 0.
    ///   - rowCapacity: Rows to reserve space for.
    @inlinable public init(columnCount: Int = 0, rowCapacity: Int = 0) {
        storedColumnCount = columnCount
        if rowCapacity > 0 {
            storedCells.reserveCapacity(columnCount * rowCapacity)
            storedVersions.reserveCapacity(rowCapacity)
        }
    }

    /// Creates a buffer of one row.
    @inlinable public init(row: [Value], version: UInt64 = 0) {
        storedColumnCount = row.count
        storedCells = row
        storedVersions = [version]
    }

    /// Creates a buffer of rows to write.
    ///
    /// - Parameters:
    ///   - columnCount: Cells of a row; at least 1.
    ///   - cells: All cells, row after row.
    package init(columnCount: Int, cells: [Value]) {
        precondition(cells.count.isMultiple(of: columnCount), "a row has columnCount cells")
        storedColumnCount = columnCount
        storedCells = cells
        storedVersions = Array(repeating: 0, count: cells.count / columnCount)
    }

    /// The cell of a row at a column, both counted from 0.
    @inlinable public subscript(row: Int, column: Int) -> Value {
        storedCells[row * storedColumnCount + column]
    }

    /// The cells of a row.
    @inlinable public subscript(row: Int) -> ArraySlice<Value> {
        storedCells[row * storedColumnCount..<(row + 1) * storedColumnCount]
    }

    /// Removes all rows, keeps the space, and sets the number of columns.
    ///
    /// - Parameters:
    ///   - columnCount: Cells of a row.
    ///   - rowCapacity: Rows to reserve space for; 0 (the default) where it is not known how many will come.
    @inlinable public mutating func reset(columnCount: Int, rowCapacity: Int = 0) {
        storedColumnCount = columnCount
        storedCells.removeAll(keepingCapacity: true)
        storedVersions.removeAll(keepingCapacity: true)
        if rowCapacity > 0 {
            storedCells.reserveCapacity(columnCount * rowCapacity)
            storedVersions.reserveCapacity(rowCapacity)
        }
    }

    /// Appends one row.
    ///
    /// - Parameters:
    ///   - row: Exactly ``columnCount`` cells.
    ///   - version: The record's version; 0 (the default) in rows to be written, which have none yet.
    @inlinable public mutating func append(_ row: some Collection<Value>, version: UInt64 = 0) {
        precondition(row.count == columnCount, "a row has columnCount cells")
        storedCells.append(contentsOf: row)
        storedVersions.append(version)
    }

    /// Appends all rows of another buffer, with their versions.
    ///
    /// - Parameter rows: Rows of ``columnCount`` cells; without rows, a buffer of any number of columns.
    @inlinable public mutating func append(contentsOf rows: RowBuffer) {
        precondition(rows.isEmpty || rows.columnCount == columnCount, "a row has columnCount cells")
        storedCells.append(contentsOf: rows.storedCells)
        storedVersions.append(contentsOf: rows.storedVersions)
    }

    /// Appends one cell of the row under construction; ``finishRow(version:)`` completes it.
    @inlinable public mutating func appendCell(_ value: consuming Value) { storedCells.append(value) }

    /// Completes the row whose cells were appended one by one.
    @inlinable public mutating func finishRow(version: UInt64 = 0) {
        storedVersions.append(version)
        precondition(storedCells.count == storedVersions.count * columnCount, "a row has columnCount cells")
    }

    /// Appends a row of nulls with version 0: the record does not exist.
    @inlinable public mutating func appendAbsentRow() {
        for _ in 0..<columnCount { storedCells.append(.null) }
        storedVersions.append(0)
    }

    /// Removes all rows but some, without copies of these.
    ///
    /// - Parameter kept: The numbers of the rows that stay, in ascending order.
    package mutating func keepRows(_ kept: some Collection<Int>) {
        if kept.count == rowCount { return }
        let columnCount = columnCount
        storedCells.withUnsafeMutableBufferPointer { cells in
            for (target, row) in kept.enumerated() where target != row {
                for column in 0..<columnCount {
                    cells.swapAt(target * columnCount + column, row * columnCount + column)
                }
            }
        }
        for (target, row) in kept.enumerated() { storedVersions[target] = storedVersions[row] }
        storedCells.removeLast((rowCount - kept.count) * columnCount)
        storedVersions.removeLast(rowCount - kept.count)
    }

    /// Replaces a cell.
    @inlinable public mutating func set(_ value: Value, row: Int, column: Int) {
        storedCells[row * columnCount + column] = value
    }

    /// Calls `body` with the cells of a row without copying them.
    ///
    /// - Throws: What `body` throws.
    @inlinable @inline(__always)
    public func withRow<Result, Failure: Error>(
        _ row: Int, _ body: (UnsafeBufferPointer<Value>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storedCells.withUnsafeBufferPointer { cells throws(Failure) in
            try body(UnsafeBufferPointer(rebasing: cells[row * columnCount..<(row + 1) * columnCount]))
        }
    }
}
