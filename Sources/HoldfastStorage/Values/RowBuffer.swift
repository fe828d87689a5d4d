/// Rows of one entity in one flat block of cells, made to be filled, read and reused batch after batch.
///
/// Row `r` occupies `columnCount` consecutive cells and has one record version. A row whose version is 0 stands for
/// a record that does not exist; all its cells are null.
public struct RowBuffer: Sendable {
    /// The number of cells of a row.
    public private(set) var columnCount: Int
    /// All cells, row after row.
    public private(set) var cells: [Value] = []
    /// The version of each row's record: the sequence of the commit that wrote it, or 0 for an absent record.
    public private(set) var versions: [UInt64] = []

    /// The number of rows.
    @inlinable public var rowCount: Int { versions.count }
    /// Whether there are no rows.
    @inlinable public var isEmpty: Bool { versions.isEmpty }

    /// Creates an empty buffer.
    ///
    /// - Parameters:
    ///   - columnCount: Cells of a row; a buffer that an adapter fills may start at 0.
    ///   - rowCapacity: Rows to reserve space for.
    public init(columnCount: Int = 0, rowCapacity: Int = 0) {
        self.columnCount = columnCount
        if rowCapacity > 0 {
            cells.reserveCapacity(columnCount * rowCapacity)
            versions.reserveCapacity(rowCapacity)
        }
    }

    /// Creates a buffer of one row.
    public init(row: [Value], version: UInt64 = 0) {
        columnCount = row.count
        cells = row
        versions = [version]
    }

    /// The cell of a row at a column, both counted from 0.
    public subscript(row: Int, column: Int) -> Value {
        cells[row * columnCount + column]
    }

    /// The cells of a row.
    public subscript(row: Int) -> ArraySlice<Value> {
        cells[row * columnCount..<(row + 1) * columnCount]
    }

    /// Removes all rows, keeps the space, and sets the number of columns.
    public mutating func reset(columnCount: Int) {
        self.columnCount = columnCount
        cells.removeAll(keepingCapacity: true)
        versions.removeAll(keepingCapacity: true)
    }

    /// Appends one row.
    ///
    /// - Parameters:
    ///   - row: Exactly ``columnCount`` cells.
    ///   - version: The record's version; 0 (the default) in rows to be written, which have none yet.
    public mutating func append(_ row: some Collection<Value>, version: UInt64 = 0) {
        precondition(row.count == columnCount, "a row has columnCount cells")
        cells.append(contentsOf: row)
        versions.append(version)
    }

    /// Appends one cell of the row under construction; ``finishRow(version:)`` completes it.
    public mutating func appendCell(_ value: consuming Value) { cells.append(value) }

    /// Completes the row whose cells were appended one by one.
    public mutating func finishRow(version: UInt64 = 0) {
        versions.append(version)
        precondition(cells.count == versions.count * columnCount, "a row has columnCount cells")
    }

    /// Appends a row of nulls with version 0: the record does not exist.
    public mutating func appendAbsentRow() {
        for _ in 0..<columnCount { cells.append(.null) }
        versions.append(0)
    }

    /// Replaces a cell.
    public mutating func set(_ value: Value, row: Int, column: Int) {
        cells[row * columnCount + column] = value
    }

    /// Calls `body` with the cells of a row without copying them.
    @inline(__always)
    public func withRow<Result>(_ row: Int, _ body: (UnsafeBufferPointer<Value>) -> Result) -> Result {
        cells.withUnsafeBufferPointer { cells in
            body(UnsafeBufferPointer(rebasing: cells[row * columnCount..<(row + 1) * columnCount]))
        }
    }
}
