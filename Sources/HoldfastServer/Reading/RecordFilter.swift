package import HoldfastStorage
import HoldfastWire

/// A condition on the records of a model: what the store decides, and what is left to be decided on each row.
package struct RecordFilter: Sendable {
    /// What the store can decide; true for every record that matches.
    package let predicate: Predicate
    /// The same, checked against the entity.
    private let bound: BoundPredicate
    /// What the store cannot decide; `nil` if ``predicate`` says everything.
    private let rest: FilterTest?
    private let comparisonCount: Int
    /// What the comparisons look at of the value at each position.
    private let comparedParts: [Int: ComparedParts]

    init(_ test: FilterTest, on model: ServerModel) throws(StorageError) {
        (predicate, rest) = test.split
        comparisonCount = test.comparisonCount
        var parts: [Int: ComparedParts] = [:]
        test.addComparisons(to: &parts)
        comparedParts = parts
        bound = try model.bind(predicate)
    }

    /// A condition that the store decides alone.
    package init(_ predicate: Predicate, on model: ServerModel) throws(StorageError) {
        try self.init(.stored(predicate, try model.bind(predicate)), on: model)
    }

    /// Whether a row that the store selected matches the rest as well.
    func matchesRest(_ row: UnsafeBufferPointer<Value>) -> Bool { rest?.matches(row) ?? true }

    /// Whether something is left to be decided on each row.
    var hasRest: Bool { rest != nil }

    /// What it costs to state the condition to the store, in records that are read.
    var queryCost: Int { comparisonCount / 10 }

    /// How many records a compared record counts as, if its values are short.
    var recordCost: Int { 1 + comparisonCount / 100 }

    /// The bytes that count as one more record when comparisons look at them.
    private static let byteCountPerRecord = 4 << 10

    /// The bytes that the comparisons look at in a record, given as all its cells; a value counts for each of them.
    func comparedByteCount(of row: UnsafeBufferPointer<Value>) -> Int {
        comparedParts.reduce(0) { $0 + $1.value.byteCount(ofValueWith: row[$1.key].byteCount) }
    }

    /// Counts the bytes of a row that the condition is about to look at, beyond what ``recordCost`` allows for.
    ///
    /// - Parameters:
    ///   - row: The number of the row.
    ///   - rows: All cells of the records.
    ///   - meter: Counts what the request reads.
    /// - Returns: How many more records than ``recordCost`` the row counts as.
    /// - Throws: ``RequestFault`` if the request reads too much; ``StorageError`` `.cancelled` before a long comparison
    ///   that no one waits for.
    func takeBytes(of row: Int, in rows: RowBuffer, from meter: RowMeter) throws -> Int {
        try take(rows.withRow(row) { comparedByteCount(of: $0) }, from: meter)
    }

    /// As ``takeBytes(of:in:from:)``, for a record that is given as all its cells.
    func takeBytes(of row: [Value], from meter: RowMeter) throws {
        _ = try take(row.withUnsafeBufferPointer { comparedByteCount(of: $0) }, from: meter)
    }

    private func take(_ byteCount: Int, from meter: RowMeter) throws -> Int {
        let cost = 1 + byteCount / Self.byteCountPerRecord - recordCost
        guard cost > 0 else { return 0 }
        try StorageError.checkCancellation()
        try meter.take(cost)
        return cost
    }

    /// Whether a record satisfies the condition.
    ///
    /// - Parameter row: All cells of a record.
    /// - Returns: `true` if all of the condition holds.
    package func matches(_ row: [Value]) -> Bool {
        row.withUnsafeBufferPointer { matches($0) }
    }

    /// Whether a record, given as all its cells, satisfies the condition.
    func matches(_ row: UnsafeBufferPointer<Value>) -> Bool { bound.matches(row) && matchesRest(row) }
}

/// A condition as a tree whose leaves are decided by the store, if it can.
indirect enum FilterTest: Sendable {
    /// Decided by the store.
    case stored(Predicate, BoundPredicate)
    /// Compares the text by which clients see a value.
    case text(Int, TextTest)
    /// Compares the size of a value: bytes of text, elements of a list.
    case size(Int, BoundPredicate)
    /// Asks for the type of a value by the name that filters use.
    case type(Int, String)
    /// Tests an owner by the name that clients know.
    case ofShortOwner(Int, FilterTest)
    case not(FilterTest)
    case and([FilterTest])
    case or([FilterTest])

    /// A comparison of text.
    enum TextTest: Sendable {
        case compare(Predicate.Comparison, String)
        case between(String, String)
        case beginsWith(String)
        case contains(String)
    }

    static let always = FilterTest.stored(.all, .constant(true))
    static let never = FilterTest.stored(.constant(false), .constant(false))

    /// What the store can decide, and the rest.
    var split: (predicate: Predicate, rest: FilterTest?) {
        if let predicate = wholePredicate { return (predicate, nil) }
        let all = conjuncts
        let stored = all.compactMap(\.wholePredicate)
        let rest = all.filter { $0.wholePredicate == nil }
        return (stored.isEmpty ? .all : .and(stored), rest.count == 1 ? rest[0] : .and(rest))
    }

    /// Tests that must all hold.
    private var conjuncts: [FilterTest] {
        guard case .and(let tests) = self else { return [self] }
        return tests.flatMap(\.conjuncts)
    }

    /// The test as a predicate; `nil` if the store cannot decide all of it.
    private var wholePredicate: Predicate? {
        switch self {
        case .stored(let predicate, _): return predicate
        case .text, .size, .type, .ofShortOwner: return nil
        case .not(let test): return test.wholePredicate.map(Predicate.not)
        case .and(let tests), .or(let tests):
            var predicates: [Predicate] = []
            for test in tests {
                guard let predicate = test.wholePredicate else { return nil }
                predicates.append(predicate)
            }
            if predicates.count == 1 { return predicates[0] }
            if case .and = self { return .and(predicates) }
            return .or(predicates)
        }
    }

    /// The comparisons, at least one; a part without any is looked at, too.
    var comparisonCount: Int {
        switch self {
        case .stored, .text, .size, .type: 1
        case .ofShortOwner(_, let test), .not(let test): test.comparisonCount
        case .and(let tests), .or(let tests): max(1, tests.reduce(0) { $0 + $1.comparisonCount })
        }
    }

    /// Adds what the comparisons look at of the value at each position.
    fileprivate func addComparisons(to parts: inout [Int: ComparedParts]) {
        switch self {
        case .stored(_, let bound): bound.addComparisons(to: &parts)
        case .text(let position, _): parts[position, default: ComparedParts()].wholeCount += 1
        case .size, .type: break
        case .ofShortOwner(_, let test), .not(let test): test.addComparisons(to: &parts)
        case .and(let tests), .or(let tests): for test in tests { test.addComparisons(to: &parts) }
        }
    }

    private static func withShortOwner(
        _ row: UnsafeBufferPointer<Value>, at position: Int, _ test: (UnsafeBufferPointer<Value>) -> Bool
    ) -> Bool {
        var shown = Array(row)
        shown[position] = shown[position].shortOwner
        return shown.withUnsafeBufferPointer(test)
    }

    func matches(_ row: UnsafeBufferPointer<Value>) -> Bool {
        switch self {
        case .stored(_, let bound): bound.matches(row)
        case .text(let position, let test): row[position].shownText.map(test.matches) ?? test.matchesNull
        case .size(let position, let test): row[position].size.map { test.matches([.integer($0)]) } ?? false
        case .type(let position, let name): row[position].attributeType == name
        case .ofShortOwner(let position, let test): Self.withShortOwner(row, at: position) { test.matches($0) }
        case .not(let test): !test.matches(row)
        case .and(let tests): tests.allSatisfy { $0.matches(row) }
        case .or(let tests): tests.contains { $0.matches(row) }
        }
    }
}

/// What comparisons look at of one value.
private struct ComparedParts: Sendable {
    /// The comparisons that may read the whole value.
    var wholeCount = 0
    /// The comparisons that read no more bytes than their operand has.
    private var boundedCount = 0
    /// The bytes of those operands.
    private var operandByteCount = 0

    /// Adds a comparison with another value, which ends where one of them does.
    mutating func add(_ operand: Value) {
        boundedCount += 1
        operandByteCount += operand.byteCount
    }

    /// The bytes that the comparisons read of a value of `byteCount` bytes.
    func byteCount(ofValueWith byteCount: Int) -> Int {
        wholeCount * byteCount + min(boundedCount * byteCount, operandByteCount)
    }
}

extension BoundPredicate {
    /// Adds what the comparisons look at of the value at each position.
    fileprivate func addComparisons(to parts: inout [Int: ComparedParts]) {
        switch self {
        case .constant, .compare(_, _, .null): break
        case .compare(let position, _, let value): parts[position, default: ComparedParts()].add(value)
        case .between(let position, let lower, let upper):
            parts[position, default: ComparedParts()].add(lower)
            parts[position, default: ComparedParts()].add(upper)
        case .isIn(let position, let values):
            for value in values { parts[position, default: ComparedParts()].add(value) }
        case .beginsWith(let position, let text): parts[position, default: ComparedParts()].add(.text(text))
        case .containsText(let position, _), .containsElement(let position, _):
            parts[position, default: ComparedParts()].wholeCount += 1
        case .not(let predicate): predicate.addComparisons(to: &parts)
        case .and(let predicates), .or(let predicates):
            for predicate in predicates { predicate.addComparisons(to: &parts) }
        }
    }
}

extension FilterTest.TextTest {
    fileprivate var matchesNull: Bool { if case .compare(.notEqual, _) = self { true } else { false } }

    fileprivate func matches(_ text: String) -> Bool {
        switch self {
        case .compare(let comparison, let operand):
            return comparison.isTrue(of: ValueOrder.compareText(text, operand))
        case .between(let lower, let upper):
            return ValueOrder.compareText(text, lower) != .ascending
                && ValueOrder.compareText(text, upper) != .descending
        case .beginsWith(let part): return Array(text.utf8).starts(with: part.utf8)
        case .contains(let part): return BoundPredicate.containsText(0, part).matches([.text(text)])
        }
    }
}

extension Value {
    /// The text by which clients see a single value; `nil` for null and lists.
    var shownText: String? {
        switch self {
        case .text(let text): text
        case .date(let date): date.text
        case .time(let time): time.text
        case .timestamp(let timestamp): timestamp.text
        case .integer(let integer): String(integer)
        case .double(let double): String(double)
        case .boolean(let boolean): String(boolean)
        case .null, .bytes, .list: nil
        }
    }

    /// The name of the value's type as filters have it.
    fileprivate var attributeType: String {
        switch self {
        case .null: "_null"
        case .boolean: "bool"
        case .integer, .double: "number"
        case .text, .date, .time, .timestamp: "string"
        case .bytes: "binary"
        case .list: "list"
        }
    }

    fileprivate var size: Int64? {
        if case .list(let elements) = self { return Int64(elements.count) }
        return shownText.map { Int64($0.utf8.count) }
    }
}
