#if SQLite
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Where the cells of a result row are among the columns of a statement.
struct SQLiteRowLayout: SQLRowLayout {
    private enum Kind: Sendable {
        case boolean, integer, double, text, bytes, date, time, timestamp, list
    }

    private struct Cell: Sendable {
        let kind: Kind
        let column: Int32
        let isRequired: Bool
    }

    /// Cells hold no references, so that a row is read without retaining anything for its layout.
    private let cells: [Cell]
    /// The types of the elements of lists, by their columns.
    private let elements: [Int32: StorageType]
    /// The select list.
    let selection: String
    /// The columns that the cells take; the version comes after them.
    let columnCount: Int

    init(columns: [SQLColumn]) {
        var cells: [Cell] = []
        var elements: [Int32: StorageType] = [:]
        var names: [String] = []
        for column in columns {
            if case .list(let element) = column.type { elements[Int32(names.count)] = element }
            cells.append(
                Cell(kind: Self.kind(column.type), column: Int32(names.count), isRequired: column.isRequired))
            names.append(column.name)
            if let tail = column.tailName { names.append(tail) }
        }
        self.cells = cells
        self.elements = elements
        columnCount = names.count
        selection = names.joined(separator: ", ")
    }

    private static func kind(_ type: StorageType) -> Kind {
        switch type {
        case .boolean: .boolean
        case .integer: .integer
        case .double: .double
        case .text, .json: .text
        case .bytes: .bytes
        case .date: .date
        case .time: .time
        case .timestamp: .timestamp
        case .list: .list
        }
    }

    /// The number of cells.
    var cellCount: Int { cells.count }

    /// Appends the statement's current row, whose version is in the column after the cells.
    ///
    /// - Throws: ``StorageError`` `.corruption` if a cell cannot be read; the row is not complete then.
    @inline(__always)
    func append(_ statement: SQLiteStatement, to rows: inout RowBuffer) throws(StorageError) {
        for cell in cells {
            let column = cell.column
            if !cell.isRequired && statement.isNull(column) {
                rows.appendCell(.null)
                continue
            }
            switch cell.kind {
            case .text:
                guard let text = statement.validText(column) else { throw Self.damaged() }
                rows.appendCell(.text(text))
            case .integer: rows.appendCell(.integer(statement.integer(column)))
            case .boolean: rows.appendCell(.boolean(statement.integer(column) != 0))
            case .double: rows.appendCell(.double(statement.double(column)))
            case .bytes: rows.appendCell(.bytes(statement.bytes(column)))
            case .list: rows.appendCell(try Self.list(of: elements[column], statement, column))
            default: rows.appendCell(try Self.temporal(cell.kind, statement, column))
            }
        }
        rows.finishRow(version: UInt64(bitPattern: statement.integer(Int32(truncatingIfNeeded: columnCount))))
    }

    /// One cell, read as the type of its column and with its tail in the next one.
    static func value(_ type: StorageType, _ statement: SQLiteStatement, _ column: Int32) throws(StorageError)
        -> Value
    {
        if statement.isNull(column) { return .null }
        switch type {
        case .text, .json:
            guard let text = statement.validText(column) else { throw damaged() }
            return .text(text)
        case .integer: return .integer(statement.integer(column))
        case .boolean: return .boolean(statement.integer(column) != 0)
        case .double: return .double(statement.double(column))
        case .bytes: return .bytes(statement.bytes(column))
        case .list(let element): return try list(of: element, statement, column)
        default: return try temporal(kind(type), statement, column)
        }
    }

    private static func temporal(
        _ kind: Kind, _ statement: SQLiteStatement, _ column: Int32
    ) throws(StorageError) -> Value {
        let value: Value?
        switch kind {
        case .date:
            value = temporal(statement, column) { CalendarDate(dayText: $0, tail: $1).map { .date($0) } }
        case .time:
            value = temporal(statement, column) { ClockTime(clockText: $0, tail: $1).map { .time($0) } }
        case .timestamp:
            value = temporal(statement, column) { Timestamp(utcText: $0, tail: $1).map { .timestamp($0) } }
        default: value = nil
        }
        guard let value else { throw damaged() }
        return value
    }

    private static func list(
        of element: StorageType?, _ statement: SQLiteStatement, _ column: Int32
    ) throws(StorageError) -> Value {
        guard let element else { throw damaged() }
        let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        let tails = element.hasTail ? statement.utf8(column + 1) : none
        guard let list = SQLiteListCodec.decode(statement.utf8(column), tails: tails, of: element) else {
            throw damaged()
        }
        return .list(list)
    }

    private static func damaged() -> StorageError {
        StorageError(
            .corruption,
            "A stored text, date, time or list cannot be read; verify the store and restore a backup.")
    }

    @inline(__always)
    private static func temporal(
        _ statement: SQLiteStatement, _ column: Int32,
        _ make: (UnsafeBufferPointer<UInt8>, WrittenForm) -> Value?
    ) -> Value? {
        guard let tail = WrittenForm(text: statement.utf8(column + 1)) else { return nil }
        return make(statement.utf8(column), tail)
    }
}
#endif
