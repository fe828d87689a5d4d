#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Where the cells of a row are among the columns of a result.
struct PostgreSQLRowLayout: SQLRowLayout {
    private struct Cell: Sendable {
        let type: StorageType
        let column: Int
    }

    private let cells: [Cell]
    /// The select list.
    let selection: String
    /// The columns that the cells take; the version comes after them.
    let columnCount: Int

    init(columns: [SQLColumn]) {
        var cells: [Cell] = []
        var names: [String] = []
        for column in columns {
            cells.append(Cell(type: column.type, column: names.count))
            names.append(column.name)
            if let tail = column.tailName { names.append(tail) }
        }
        self.cells = cells
        columnCount = names.count
        selection = names.joined(separator: ", ")
    }

    /// The number of cells.
    var cellCount: Int { cells.count }

    /// Appends a row, whose version is in the column after the cells.
    ///
    /// - Throws: ``StorageError`` `.corruption` if a cell cannot be read; the row is not complete then.
    func append(_ result: PostgreSQLResult, row: Int, to rows: inout RowBuffer) throws(StorageError) {
        for cell in cells {
            rows.appendCell(try Self.value(cell.type, result, row, cell.column))
        }
        rows.finishRow(version: UInt64(bitPattern: result.integer(row, columnCount)))
    }

    /// One cell, with its tail in the next column.
    @inline(__always)
    static func value(
        _ type: StorageType, _ result: PostgreSQLResult, _ row: Int, _ column: Int
    ) throws(StorageError) -> Value {
        let bytes = result.bytes(row, column)
        if bytes.isEmpty && result.isNull(row, column) { return .null }
        switch type {
        case .text, .json: return .text(String(decoding: bytes, as: UTF8.self))
        case .integer: return .integer(result.integer(row, column))
        default:
            var tails = PostgreSQLTails(type.hasTail ? result.bytes(row, column + 1) : nil)
            guard let value = value(type, bytes, &tails), tails.isAtEnd else { throw damaged() }
            return value
        }
    }

    /// A value from its binary form; `nil` if it is malformed.
    private static func value(
        _ type: StorageType, _ bytes: UnsafeRawBufferPointer, _ tails: inout PostgreSQLTails
    ) -> Value? {
        switch type {
        case .boolean: return bytes.first.map { .boolean($0 != 0) }
        case .integer: return bytes.bigEndian(Int64.self, at: 0).map { .integer($0) }
        case .double: return bytes.bigEndian(UInt64.self, at: 0).map { .double(Double(bitPattern: $0)) }
        case .text, .json: return .text(String(decoding: bytes, as: UTF8.self))
        case .bytes: return .bytes([UInt8](bytes))
        case .date:
            guard let days = bytes.bigEndian(Int32.self, at: 0), let tail = tails.next() else { return nil }
            return .date(CalendarDate(daysSinceEpoch: days &+ Value.dateShift, tail: tail))
        case .time:
            guard let tail = tails.next() else { return nil }
            return ClockTime(clockText: bytes.bindMemory(to: UInt8.self), tail: tail).map { .time($0) }
        case .timestamp:
            guard let tail = tails.next() else { return nil }
            return Timestamp(utcText: bytes.bindMemory(to: UInt8.self), tail: tail).map { .timestamp($0) }
        case .list(.list): return nested(bytes, &tails)
        case .list(let element): return list(of: element, bytes, &tails)
        }
    }

    private static func list(
        of element: StorageType, _ bytes: UnsafeRawBufferPointer, _ tails: inout PostgreSQLTails
    ) -> Value? {
        guard let dimensions = bytes.bigEndian(Int32.self, at: 0) else { return nil }
        if dimensions == 0 { return .list([]) }
        guard dimensions == 1, let count = bytes.bigEndian(Int32.self, at: 12), count >= 0 else { return nil }
        var elements: [Value] = []
        var offset = 20
        for _ in 0..<count {
            guard let length = bytes.bigEndian(Int32.self, at: offset) else { return nil }
            offset += 4
            if length < 0 {
                elements.append(.null)
                continue
            }
            guard offset + Int(length) <= bytes.count else { return nil }
            let part = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(length)])
            guard let value = value(element, part, &tails) else { return nil }
            elements.append(value)
            offset += Int(length)
        }
        return .list(elements)
    }

    /// Lists of lists are kept as keys, which do not say how dates and times were written.
    private static func nested(_ bytes: UnsafeRawBufferPointer, _ tails: inout PostgreSQLTails) -> Value? {
        guard let values = try? KeyCodec.decode([UInt8](bytes)), values.count == 1 else { return nil }
        return values[0].taking(&tails)
    }

    static func damaged() -> StorageError {
        StorageError(
            .corruption, "A stored date, time or list cannot be read; verify the store and restore a backup.")
    }
}

/// The tails in the column beside dates and times, one after the other.
struct PostgreSQLTails {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer?) { self.bytes = bytes ?? UnsafeRawBufferPointer(start: nil, count: 0) }

    /// Whether all tails were taken.
    var isAtEnd: Bool { offset >= bytes.count }

    mutating func next() -> WrittenForm? {
        var end = offset
        while end < bytes.count, bytes[end] != UInt8(ascii: ",") { end += 1 }
        guard offset <= end, end <= bytes.count else { return nil }
        let text = UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
        offset = end + 1
        return WrittenForm(text: text.bindMemory(to: UInt8.self))
    }
}

extension Value {
    /// The value with its dates and times written as the tails say; `nil` if there are too few.
    fileprivate func taking(_ tails: inout PostgreSQLTails) -> Value? {
        switch self {
        case .date(var date):
            guard let tail = tails.next() else { return nil }
            date.tail = tail
            return .date(date)
        case .time(var time):
            guard let tail = tails.next() else { return nil }
            time.tail = tail
            return .time(time)
        case .timestamp(var timestamp):
            guard let tail = tails.next() else { return nil }
            timestamp.tail = tail
            return .timestamp(timestamp)
        case .list(let elements):
            var result: [Value] = []
            for element in elements {
                guard let element = element.taking(&tails) else { return nil }
                result.append(element)
            }
            return .list(result)
        default: return self
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The big-endian number at an offset; `nil` if the bytes end before it does.
    @inline(__always)
    func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, at offset: Int) -> Number? {
        guard offset >= 0, offset + MemoryLayout<Number>.size <= count else { return nil }
        return Number(bigEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
}
#endif
