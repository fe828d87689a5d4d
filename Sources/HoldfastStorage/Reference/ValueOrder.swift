/// The one order of values: filters, sorts, keys, indexes and cursors all use it, on every adapter.
///
/// ```swift
/// let numbers = ValueOrder.compare(.integer(2), .double(2.5))  // .ascending
/// let texts = ValueOrder.compare(.text("Z"), .text("a"))  // .ascending: by bytes, not by language
/// let nulls = ValueOrder.compare(.null, .boolean(false))  // .ascending: null comes first
/// ```
public enum ValueOrder {
    /// Compares two cells of one field.
    ///
    /// Null comes before everything. Booleans: false first. Integers and doubles compare by exact numeric value,
    /// also with each other. Text compares by UTF-8 bytes, bytes as unsigned numbers, dates by day, times by the
    /// written time of day, timestamps by instant. Lists compare element by element, a prefix first.
    /// Values of kinds that cannot meet in one field are ordered by kind, so that the order stays total.
    ///
    /// - Complexity: O(n) in the length of the shorter text, bytes or list.
    public static func compare(_ left: Value, _ right: Value) -> Ordering {
        switch (left, right) {
        case (.null, .null): .equal
        case (.null, _): .ascending
        case (_, .null): .descending
        case (.boolean(let left), .boolean(let right)): Ordering(left ? 1 : 0, right ? 1 : 0)
        case (.integer(let left), .integer(let right)): Ordering(left, right)
        case (.double(let left), .double(let right)): Ordering(left, right)
        case (.integer(let left), .double(let right)): compareExactly(left, right)
        case (.double(let left), .integer(let right)): compareExactly(right, left).reversed
        case (.text(let left), .text(let right)): compareText(left, right)
        case (.bytes(let left), .bytes(let right)):
            left.withUnsafeBytes { left in right.withUnsafeBytes { compareBytes(left, $0) } }
        case (.date(let left), .date(let right)): Ordering(left.daysSinceEpoch, right.daysSinceEpoch)
        case (.time(let left), .time(let right)):
            Ordering(left.nanosecondsSinceMidnight, right.nanosecondsSinceMidnight)
        case (.timestamp(let left), .timestamp(let right)):
            Ordering(
                (left.secondsSinceEpoch, left.nanoseconds), (right.secondsSinceEpoch, right.nanoseconds))
        case (.list(let left), .list(let right)): compareLists(left, right)
        default: Ordering(rank(left), rank(right))
        }
    }

    /// Whether two cells are equal for predicates, keys and unique indexes.
    public static func areEqual(_ left: Value, _ right: Value) -> Bool {
        compare(left, right) == .equal
    }

    /// Compares two lists of cells position by position; a prefix comes first.
    public static func compareLists(_ left: some Sequence<Value>, _ right: some Sequence<Value>) -> Ordering {
        var rights = right.makeIterator()
        for value in left {
            guard let other = rights.next() else { return .descending }
            let ordering = compare(value, other)
            if ordering != .equal { return ordering }
        }
        return rights.next() == nil ? .equal : .ascending
    }

    /// Compares two texts by UTF-8 bytes.
    public static func compareText(_ left: String, _ right: String) -> Ordering {
        var left = left
        var right = right
        return left.withUTF8 { left in
            right.withUTF8 { right in
                compareBytes(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
            }
        }
    }

    /// Compares two byte strings as unsigned numbers; a prefix comes first.
    static func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Ordering {
        let count = min(left.count, right.count)
        if left.baseAddress == right.baseAddress { return Ordering(left.count, right.count) }
        var index = 0
        while index + 8 <= count {
            let leftWord = left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let rightWord = right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if leftWord != rightWord { return Ordering(leftWord.bigEndian, rightWord.bigEndian) }
            index += 8
        }
        while index < count {
            if left[index] != right[index] { return left[index] < right[index] ? .ascending : .descending }
            index += 1
        }
        return Ordering(left.count, right.count)
    }

    /// Compares an integer with a finite double without rounding either.
    private static func compareExactly(_ left: Int64, _ right: Double) -> Ordering {
        if right >= 0x1p63 { return .ascending }
        if right < -0x1p63 { return .descending }
        let whole = Int64(right)
        let ordering = Ordering(left, whole)
        return ordering == .equal ? Ordering(0, right - Double(whole)) : ordering
    }

    private static func rank(_ value: Value) -> Int {
        switch value {
        case .null: 0
        case .boolean: 1
        case .integer, .double: 2
        case .text: 3
        case .bytes: 4
        case .date: 5
        case .time: 6
        case .timestamp: 7
        case .list: 8
        }
    }
}

extension Ordering {
    init(_ left: (Int64, Int32), _ right: (Int64, Int32)) {
        self = left < right ? .ascending : left == right ? .equal : .descending
    }
}
