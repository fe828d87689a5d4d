import HoldfastStorage

/// Says a comparison of one column in the service's words.
struct ColumnComparison {
    typealias Sent = (FilterWriter.Sent, isExact: Bool)

    let column: WireColumn
    let dialect: FilterDialect

    /// Nothing can be said: all records are asked for.
    private static let everything: Sent = (.everything, false)

    /// A comparison.
    func sent(_ predicate: Predicate) -> Sent {
        switch predicate {
        case .compare(_, let comparison, .null): return null(isAskedFor: comparison == .equal)
        case .compare(_, let comparison, let value): return compare(comparison, value)
        case .between(_, let lower, let upper): return between(lower, upper)
        case .isIn(_, let values): return oneOf(values)
        case .beginsWith(_, let text):
            return isText && isShort(text) ? exactly("beginsWith", .string(text)) : Self.everything
        case .contains(_, let value):
            guard isText || isListOfText, case .text(let text) = value, isShort(text) else { return Self.everything }
            return exactly("contains", .string(text))
        default: return Self.everything
        }
    }

    /// The complement of a comparison, which is true of null where the comparison is not.
    func sentNegated(_ predicate: Predicate) -> Sent {
        if dialect == .subscription { return sentNegatedToSubscription(predicate) }
        let (sent, isExact) = sent(predicate)
        guard isExact, case .some(let filter) = sent else { return Self.everything }
        if column.isRequired, case .contains = predicate, let text = filter[column.wireName]?["contains"] {
            return exactly("notContains", text)
        }
        return (.some(["not": filter]), true)
    }

    /// Subscriptions have no `not`; the opposite operator is the complement where there is no null.
    private func sentNegatedToSubscription(_ predicate: Predicate) -> Sent {
        guard column.isRequired else { return Self.everything }
        switch predicate {
        case .compare(let field, .less, let value): return sent(.compare(field, .greaterOrEqual, value))
        case .compare(let field, .lessOrEqual, let value): return sent(.compare(field, .greater, value))
        case .compare(let field, .greater, let value): return sent(.compare(field, .lessOrEqual, value))
        case .compare(let field, .greaterOrEqual, let value): return sent(.compare(field, .less, value))
        case .contains, .isIn:
            let (sent, isExact) = sent(predicate)
            guard isExact, case .some(let filter) = sent, let member = filter[column.wireName]?.object?.members.first
            else { return Self.everything }
            return exactly(member.name == "in" ? "notIn" : "notContains", member.value)
        default: return Self.everything
        }
    }

    // MARK: - Operators

    private func exactly(_ name: String, _ operand: WireValue) -> Sent {
        (.some([column.wireName: [name: operand]]), true)
    }

    private func range(from lower: String?, below upper: String?, isExact: Bool) -> Sent {
        var operators = JSONObject()
        if let lower { operators["ge"] = .string(lower) }
        // A subscription joins operators of one field by or.
        let sendsUpper = upper != nil && (lower == nil || dialect != .subscription)
        if sendsUpper, let upper { operators["lt"] = .string(upper) }
        if operators.members.isEmpty { return Self.everything }
        return (.some([column.wireName: .object(operators)]), isExact && sendsUpper == (upper != nil))
    }

    private func compare(_ comparison: Predicate.Comparison, _ value: Value) -> Sent {
        switch column.type {
        case .date:
            guard let date = (try? column.type.canonical(value))?.calendarDate else { return Self.everything }
            return compare(comparison, date)
        case .dateTime:
            guard let timestamp = (try? column.type.canonical(value))?.instant else { return Self.everything }
            return compare(comparison, timestamp)
        default: break
        }
        let isEquality = comparison == .equal || comparison == .notEqual
        // Enumerations and booleans are only compared for equality, except that subscriptions call both texts.
        if !isEquality, !isText, !isNumber { return Self.everything }
        if comparison == .notEqual, dialect == .subscription, !column.isRequired { return Self.everything }
        guard let operand = operand(value) else { return Self.everything }
        return exactly(comparison.operatorName, operand)
    }

    private func between(_ lower: Value, _ upper: Value) -> Sent {
        switch column.type {
        case .date, .dateTime:
            let (from, fromIsExact) = compare(.greaterOrEqual, lower)
            let (to, toIsExact) = compare(.lessOrEqual, upper)
            guard case .some(let from) = from, case .some(let to) = to, dialect != .subscription else {
                return (from, false)
            }
            return (.some(["and": [from, to]]), fromIsExact && toIsExact)
        default:
            guard isText || isNumber, let lower = operand(lower), let upper = operand(upper) else {
                return Self.everything
            }
            return exactly("between", [lower, upper])
        }
    }

    private func oneOf(_ values: [Value]) -> Sent {
        if dialect == .subscription {
            let operands = values.compactMap(operand)
            let isFew = values.count <= SubscriptionFilterLimits.valueCount
            guard operands.count == values.count, isFew, isText || isNumber else { return Self.everything }
            return exactly("in", .array(operands))
        }
        let parts = values.map { sent(.compare(column.name, .equal, $0)) }
        let filters = parts.compactMap { part -> WireValue? in
            if case .some(let filter) = part.0 { filter } else { nil }
        }
        guard filters.count == parts.count else { return Self.everything }
        return (.some(["or": .array(filters)]), parts.allSatisfy(\.isExact))
    }

    /// Whether the column is null: the service distinguishes a missing attribute from one that is null.
    private func null(isAskedFor: Bool) -> Sent {
        if column.isRequired { return (isAskedFor ? .nothing : .everything, true) }
        guard dialect != .subscription, hasExistence else { return Self.everything }
        let missing: WireValue = [column.wireName: ["attributeExists": .boolean(!isAskedFor)]]
        let null: WireValue = [column.wireName: [isAskedFor ? "eq" : "ne": nil]]
        return (.some([isAskedFor ? "or" : "and": [missing, null]]), true)
    }

    // MARK: - Types

    private var isText: Bool {
        switch column.type {
        case .id, .string, .email, .url, .phone, .ipAddress, .json: true
        case .enumeration: dialect == .subscription
        default: false
        }
    }

    private var isNumber: Bool {
        switch column.type {
        case .int, .timestamp, .float: true
        default: false
        }
    }

    private var isListOfText: Bool {
        guard case .list(let element, _) = column.type else { return false }
        switch element {
        case .id, .string, .email, .url, .phone, .ipAddress: return true
        default: return false
        }
    }

    /// Whether the input of the type has `attributeExists`; those of enumerations do not, and embedded values have
    /// none.
    private var hasExistence: Bool {
        switch column.type {
        case .enumeration, .embedded, .bytes: return false
        case .list(let element, _):
            if case .enumeration = element { return false }
            if case .embedded = element { return false }
            return true
        default: return true
        }
    }

    /// An operand, if the column can have this value.
    private func operand(_ value: Value) -> WireValue? {
        switch (column.type.storageType, value) {
        case (.text, .text(let text)), (.json, .text(let text)):
            if case .embedded = column.type { return nil }
            return isShort(text) ? .string(text) : nil
        // The service compares an integer with an Int, which has 32 bits, and refuses a filter with another operand.
        case (.integer, .integer(let value)): return Int32(exactly: value).map { .integer(Int64($0)) }
        case (.integer, .double(let value)): return Int32(exactly: value).map { .integer(Int64($0)) }
        case (.double, .integer(let value)): return .integer(value)
        case (.double, .double(let value)): return JSONNumber(value).map { .number($0.shortest) }
        case (.boolean, .boolean(let value)): return .boolean(value)
        default: return nil
        }
    }

    private func isShort(_ text: String) -> Bool {
        dialect != .subscription || text.utf8.count <= SubscriptionFilterLimits.textByteCount
    }
}

// MARK: - Dates

extension ColumnComparison {
    /// A comparison with a day.
    ///
    /// The service compares texts, which begin with the day and may end in an offset.
    private func compare(_ comparison: Predicate.Comparison, _ date: CalendarDate) -> Sent {
        let day = Self.text(ofDay: Int64(date.daysSinceEpoch))
        let next = Self.text(ofDay: Int64(date.daysSinceEpoch) + 1)
        guard let day else { return Self.everything }
        switch comparison {
        case .equal: return exactly("beginsWith", .string(day))
        case .notEqual:
            return dialect == .subscription
                ? Self.everything : (.some(["not": [column.wireName: ["beginsWith": .string(day)]]]), true)
        case .less: return range(from: nil, below: day, isExact: true)
        case .greaterOrEqual: return range(from: day, below: nil, isExact: true)
        case .lessOrEqual: return range(from: nil, below: next, isExact: next != nil)
        case .greater: return range(from: next, below: nil, isExact: next != nil)
        }
    }

    /// A comparison with an instant.
    ///
    /// The service compares texts. It writes its own in UTC with milliseconds. Clients write theirs with any offset and
    /// any digits; their first ten characters are a day that is at most 18 hours away.
    private func compare(_ comparison: Predicate.Comparison, _ timestamp: Timestamp) -> Sent {
        if column.isReadOnly, timestamp.nanoseconds % 1_000_000 == 0 {
            var written = timestamp
            written.tail = WrittenForm(offset: 0, fractionDigits: 3)
            return exactly(comparison.operatorName, .string(written.text))
        }
        let (hours, day) = (Int64(18 * 3_600), Int64(86_400))
        let first = (timestamp.secondsSinceEpoch - hours).dividedDown(by: day)
        let last = (timestamp.secondsSinceEpoch + hours).dividedDown(by: day)
        let from = Self.text(ofDay: first)
        let below = Self.text(ofDay: last + 1)
        switch comparison {
        case .equal: return range(from: from, below: below, isExact: false)
        case .notEqual: return Self.everything
        case .less, .lessOrEqual: return range(from: nil, below: below, isExact: false)
        case .greater, .greaterOrEqual: return range(from: from, below: nil, isExact: false)
        }
    }

    /// `YYYY-MM-DD`, or `nil` outside years 1...9999.
    private static func text(ofDay day: Int64) -> String? {
        guard let day = Int32(exactly: day) else { return nil }
        let date = (try? FieldType.date.canonical(.date(CalendarDate(daysSinceEpoch: day))))?.calendarDate
        return date?.text
    }
}

extension Int64 {
    /// The quotient, rounded toward the past.
    fileprivate func dividedDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension Value {
    fileprivate var calendarDate: CalendarDate? { if case .date(let value) = self { value } else { nil } }
    fileprivate var instant: Timestamp? { if case .timestamp(let value) = self { value } else { nil } }
}
