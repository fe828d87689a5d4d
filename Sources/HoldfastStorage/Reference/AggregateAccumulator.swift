/// The reference of aggregates: takes rows one by one, in any order, and ends with one value per function.
///
/// Of dates and times that are equal and written differently, an extreme is that of the first record in key order. A
/// sum of doubles is rounded in the order of the rows.
public struct AggregateAccumulator: Sendable {
    private let aggregate: BoundAggregate
    private var rowCount: Int64 = 0
    private var states: [State]

    fileprivate struct State {
        var count = 0
        /// Wide, so that whether the sum fits does not depend on the order of the rows.
        var integerSum = WideSum()
        var doubleSum = 0.0
        var extreme = Value.null
        /// The key of the record that has the extreme; only for dates and times.
        var extremeKey: RecordKey?
    }

    /// Creates an accumulator that has seen no row.
    public init(_ aggregate: BoundAggregate) {
        self.aggregate = aggregate
        states = Array(repeating: State(), count: aggregate.functions.count)
    }

    /// Takes one matching row.
    ///
    /// - Parameter row: All cells of a record, in schema order.
    public mutating func add(_ row: UnsafeBufferPointer<Value>) {
        rowCount += 1
        for index in states.indices {
            switch aggregate.functions[index] {
            case .count: break
            case .integerSum(let position), .doubleSum(let position), .average(let position):
                states[index].add(row[position])
            case .minimum(let position):
                states[index].keep(position, of: row, in: aggregate.query.entity, if: .ascending)
            case .maximum(let position):
                states[index].keep(position, of: row, in: aggregate.query.entity, if: .descending)
            }
        }
    }

    /// The aggregates, in the order of the functions.
    ///
    /// - Throws: ``StorageError`` `.unrepresentable` if a sum, also that of an average of doubles, leaves the range of
    ///   its type.
    public func result() throws(StorageError) -> [Value] {
        var values: [Value] = []
        for (function, state) in zip(aggregate.functions, states) {
            switch function {
            case .count: values.append(.integer(rowCount))
            case .integerSum(let position):
                guard let sum = state.integerSum.integer else {
                    throw Self.overflow(aggregate.query.entity, position)
                }
                values.append(.integer(sum))
            case .doubleSum(let position):
                guard state.doubleSum.isFinite else { throw Self.overflow(aggregate.query.entity, position) }
                values.append(.double(state.doubleSum))
            case .average(let position):
                guard state.doubleSum.isFinite else { throw Self.overflow(aggregate.query.entity, position) }
                // One of the two is zero: a field has integers or doubles.
                let sum = state.integerSum.double + state.doubleSum
                values.append(state.count == 0 ? .null : .double(sum / Double(state.count)))
            case .minimum, .maximum: values.append(state.extreme)
            }
        }
        return values
    }

    /// The error for a sum that leaves the range of its type.
    public static func overflow(_ entity: EntitySchema, _ position: Int) -> StorageError {
        StorageError(
            .unrepresentable,
            "The sum of '\(entity.name).\(entity.fields[position].name)' exceeds its type; sum fewer records.")
    }
}

extension AggregateAccumulator.State {
    fileprivate mutating func add(_ value: Value) {
        switch value {
        case .integer(let integer): integerSum.add(integer)
        case .double(let double): doubleSum += double
        default: return
        }
        count += 1
    }

    fileprivate mutating func keep(
        _ position: Int, of row: UnsafeBufferPointer<Value>, in entity: EntitySchema, if ordering: Ordering
    ) {
        let value = row[position]
        guard !value.isNull else { return }
        if !extreme.isNull {
            let found = ValueOrder.compare(value, extreme)
            if found == .equal {
                guard let extremeKey else { return }
                let key = entity.primaryKeyPositions.lazy.map { row[$0] }
                guard ValueOrder.compareLists(key, extremeKey.components) == .ascending else { return }
            } else if found != ordering {
                return
            }
        }
        extreme = value
        switch value {
        case .date, .time, .timestamp: extremeKey = entity.key(of: row)
        default: break
        }
    }
}
