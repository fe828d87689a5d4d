package import HoldfastStorage

/// Which of the records after a position a statement delivers.
package enum SQLPositionPart: Sendable {
    /// All of them.
    case all
    /// Those whose first criterion has a value; the position has one, and larger ones come first.
    case withValue
    /// Those whose first criterion is null, and all of these.
    case withNull
    /// Those whose first criterion is null, as the position's is.
    case afterWithNull
    /// Those whose first criterion has a value, and all of these.
    case everyValue

    /// The statements that deliver all records after a position, one after the other.
    ///
    /// Nulls are their own range in an index, and one statement for both ranges would have to sort them.
    package static func parts(
        of order: [BoundQuery.OrderKey], after position: [Value], in table: some SQLTable
    ) -> [SQLPositionPart] {
        switch (order[0].isDescending, position[0].isNull) {
        case (true, false) where !table.columns[order[0].position].isRequired: [.withValue, .withNull]
        case (false, true): [.afterWithNull, .everyValue]
        case (true, true): [.afterWithNull]
        default: [.all]
        }
    }
}

extension SQLConditionWriter {
    // MARK: - Ranges of keys

    /// Writes that a record lies in a range of keys.
    package mutating func write(_ range: KeyRange) {
        let keys = table.entity.primaryKeyPositions.map { table.columns[$0] }
        var hasCondition = false
        switch range.lower {
        case .unbounded: break
        case .included(let prefix): writeBound(keys, Self.known(prefix), ">=", &hasCondition)
        case .excluded(let prefix):
            let known = Self.known(prefix)
            writeBound(keys, known, known.count < prefix.count ? ">=" : ">", &hasCondition)
        }
        switch range.upper {
        case .unbounded: break
        case .included(let prefix):
            let known = Self.known(prefix)
            writeBound(keys, known, known.count < prefix.count ? "<" : "<=", &hasCondition)
        case .excluded(let prefix): writeBound(keys, Self.known(prefix), "<", &hasCondition)
        }
        if !hasCondition { sql += Dialect.constant(true) }
    }

    /// The cells before the first null, which no key has.
    private static func known(_ prefix: [Value]) -> ArraySlice<Value> { prefix.prefix { !$0.isNull } }

    private mutating func writeBound(
        _ keys: [SQLColumn], _ prefix: ArraySlice<Value>, _ comparison: String,
        _ hasCondition: inout Bool
    ) {
        let isStrict = comparison.count == 1
        if prefix.isEmpty && !isStrict { return }
        if hasCondition { writeAnd() }
        hasCondition = true
        if prefix.isEmpty {
            sql += Dialect.constant(false)
        } else {
            writeRowValue(Array(keys.prefix(prefix.count)), comparison, prefix)
        }
    }

    private mutating func writeRowValue(
        _ columns: [SQLColumn], _ comparison: String, _ values: ArraySlice<Value>
    ) {
        let operands = zip(values, columns).map { bind($0, $1) }
        if columns.count == 1 {
            sql += "\(columns[0].name) \(comparison) \(operands[0])"
        } else {
            let names = columns.map(\.name).joined(separator: ", ")
            sql += "(\(names)) \(comparison) (\(operands.joined(separator: ", ")))"
        }
    }

    // MARK: - Ranges of versions

    /// Writes that a record lies in a range of versions, and after its cursor.
    package mutating func write(_ range: BoundVersionRange) {
        let version = table.versionColumn
        if let cursor = range.cursor {
            let keys = table.entity.primaryKeyPositions.map { table.columns[$0] }
            let position = [.integer(Int64(clamping: cursor.version))] + cursor.key.components
            writeRowValue([version] + keys, ">", position[...])
        } else {
            sql += "\(version.name) > \(bind(.integer(Int64(clamping: range.after)), version))"
        }
        writeAnd()
        sql += "\(version.name) <= \(bind(.integer(Int64(clamping: range.through)), version))"
    }

    // MARK: - Positions in an order

    /// Writes that a record comes after a position in an order.
    package mutating func write(order: [BoundQuery.OrderKey], after position: [Value], part: SQLPositionPart) {
        let first = table.columns[order[0].position]
        switch part {
        case .all: writeAfter(order, position, from: 0)
        case .withNull: sql += "\(first.name) IS NULL"
        case .everyValue: sql += "\(first.name) IS NOT NULL"
        case .withValue:
            // A bound on the first criterion alone, for the index, then the exact condition.
            sql += "(\(first.name) <= \(bind(position[0], first)) AND "
            writeAlternatives(order, position, from: 0, nullsFollow: false)
            sql += ")"
        case .afterWithNull:
            sql += "(\(first.name) IS NULL AND "
            if order.count > 1 { writeAfter(order, position, from: 1) } else { sql += Dialect.constant(false) }
            sql += ")"
        }
    }

    private mutating func writeAfter(_ order: [BoundQuery.OrderKey], _ position: [Value], from start: Int) {
        let isUniform =
            order[start...].allSatisfy { !$0.isDescending } && !position[start...].contains { $0.isNull }
        if isUniform {
            // Nulls come first, so a record with a null where the position has a value is not after it: row values
            // agree.
            writeRowValue(order[start...].map { table.columns[$0.position] }, ">", position[start...])
            return
        }
        sql += "("
        writeNotBefore(order[start], position[start])
        writeAnd()
        writeAlternatives(order, position, from: start, nullsFollow: true)
        sql += ")"
    }

    /// Writes that some criterion puts the record after the position and all earlier ones are equal.
    private mutating func writeAlternatives(
        _ order: [BoundQuery.OrderKey], _ position: [Value], from start: Int, nullsFollow: Bool
    ) {
        writeGroup(Array(start..<order.count), isConjunction: false) { writer, last in
            writer.writeGroup(Array(start...last), isConjunction: true) { writer, index in
                if index == last {
                    writer.writeAfter(order[index], position[index], nullsFollow: nullsFollow || index > start)
                } else {
                    writer.write(writer.table.columns[order[index].position], .equal, position[index], false)
                }
            }
        }
    }

    private mutating func writeNotBefore(_ key: BoundQuery.OrderKey, _ value: Value) {
        let column = table.columns[key.position]
        switch (key.isDescending, value.isNull) {
        case (false, true): sql += Dialect.constant(true)
        case (true, true): sql += "\(column.name) IS NULL"
        case (false, false): sql += "\(column.name) >= \(bind(value, column))"
        case (true, false):
            let test = "\(column.name) <= \(bind(value, column))"
            sql += column.isRequired ? test : "(\(test) OR \(column.name) IS NULL)"
        }
    }

    private mutating func writeAfter(_ key: BoundQuery.OrderKey, _ value: Value, nullsFollow: Bool) {
        let column = table.columns[key.position]
        switch (key.isDescending, value.isNull) {
        case (false, true): sql += "\(column.name) IS NOT NULL"
        case (true, true): sql += Dialect.constant(false)
        case (false, false): sql += "\(column.name) > \(bind(value, column))"
        case (true, false):
            let test = "\(column.name) < \(bind(value, column))"
            sql += column.isRequired || !nullsFollow ? test : "(\(test) OR \(column.name) IS NULL)"
        }
    }
}
