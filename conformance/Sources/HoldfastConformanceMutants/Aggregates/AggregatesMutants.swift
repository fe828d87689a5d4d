import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `AGG` must find.
    static let aggregates: [Mutant] = aggregatesOfFields + aggregatesOfMany

    private static let aggregatesOfFields: [Mutant] = [
        Mutant(
            "count-skips-nulls", "A count with a filter leaves out records without a title.", killedBy: "AGG-001",
            figuring: { aggregate, rows throws(StorageError) in
                try aggregate.aggregates(of: rows.filter { !$0[2].isNull || aggregate.functions != [.count] })
            }),
        Mutant(
            "count-keeps-deleted", "A count of everything still counts records that were deleted.", killedBy: "AGG-001"
        ) { base, trigger in
            let deleted = Counter()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    let receipt = try await base.commit(request)
                    deleted.set(deleted.current + receipt.deletedCount)
                    return receipt
                }
                hooks.aggregating = { aggregate, snapshot throws(StorageError) in
                    let values = try await snapshot.aggregate(aggregate)
                    guard case .constant(true) = aggregate.query.predicate, case .integer(let count)? = values.first,
                        aggregate.functions == [.count], deleted.current > 0
                    else { return values }
                    trigger.fire()
                    return [.integer(count + Int64(deleted.current))]
                }
            }
        },
        Mutant(
            "count-capped-at-100", "A count goes no further than 100.", killedBy: "AGG-001",
            computing: { aggregate, values in
                zip(aggregate.functions, values).map { $0 == .count ? $1.capped(at: 100) : $1 }
            }),
        Mutant(
            "sum-of-nothing-is-null", "The sum of nothing is null.", killedBy: "AGG-002",
            figuring: { aggregate, rows throws(StorageError) in
                try zip(aggregate.functions, aggregate.aggregates(of: rows)).map { function, value in
                    switch function {
                    case .integerSum(let position), .doubleSum(let position):
                        rows.allSatisfy { $0[position].isNull } ? .null : value
                    default: value
                    }
                }
            }),
        Mutant(
            "sum-of-no-doubles-is-integer", "The sum of no doubles is the integer 0.", killedBy: "AGG-002",
            computing: { aggregate, values in
                zip(aggregate.functions, values).map { function, value in
                    if case .doubleSum = function, value == .double(0) { .integer(0) } else { value }
                }
            }),
        Mutant(
            "average-counts-nulls", "An average divides by the number of records.", killedBy: "AGG-002",
            figuring: { aggregate, rows throws(StorageError) in
                try zip(aggregate.functions, aggregate.aggregates(of: rows)).map { function, value in
                    guard case .average(let position) = function, case .double(let mean) = value else { return value }
                    return .double(mean * Double(rows.count { !$0[position].isNull }) / Double(rows.count))
                }
            }),
        Mutant(
            "minimum-is-null", "Null is the minimum where there is one.", killedBy: "AGG-002",
            figuring: { aggregate, rows throws(StorageError) in
                try zip(aggregate.functions, aggregate.aggregates(of: rows)).map { function, value in
                    if case .minimum(let position) = function, rows.contains(where: { $0[position].isNull }) {
                        .null
                    } else {
                        value
                    }
                }
            }),
        Mutant(
            "minimum-of-nothing-is-zero", "The minimum of nothing is 0.", killedBy: "AGG-002",
            computing: { aggregate, values in
                zip(aggregate.functions, values).map { function, value in
                    if case .minimum = function, value.isNull { .integer(0) } else { value }
                }
            }),
        Mutant(
            "sum-wraps", "A sum that leaves 64 bits wraps around.", killedBy: "AGG-003",
            figuring: { aggregate, rows throws(StorageError) in
                aggregate.sums(of: rows) { numbers in numbers.reduce(0, &+) }
            }),
        Mutant(
            "sum-through-double", "Integers are summed as doubles.", killedBy: "AGG-003",
            computing: { aggregate, values in
                zip(aggregate.functions, values).map { function, value in
                    guard case .integerSum = function, case .integer(let sum) = value else { return value }
                    return .integer(Int64(exactly: Double(sum)) ?? (sum > 0 ? .max : .min))
                }
            }),
        Mutant(
            "sum-saturates", "A sum that leaves 64 bits is the nearest integer.", killedBy: "AGG-003",
            figuring: { aggregate, rows throws(StorageError) in
                aggregate.sums(of: rows) { numbers in
                    let sum = numbers.reduce(into: WideSum()) { $0.add($1) }
                    return sum.integer ?? (sum.isNegative ? .min : .max)
                }
            }),
        Mutant(
            "sum-overflows-on-the-way", "A sum fails if a part of it, in key order, leaves 64 bits.",
            killedBy: "AGG-003",
            figuring: { aggregate, rows throws(StorageError) in
                for case .integerSum(let position) in aggregate.functions {
                    var sum: Int64 = 0
                    for case .integer(let number) in rows.map({ $0[position] }) {
                        let (next, overflow) = sum.addingReportingOverflow(number)
                        if overflow { throw AggregateAccumulator.overflow(aggregate.query.entity, position) }
                        sum = next
                    }
                }
                return try aggregate.aggregates(of: rows)
            }),
        Mutant("overflow-closes-snapshot", "A sum that does not fit ends its snapshot.", killedBy: "AGG-003") {
            base, trigger in
            HookedAdapter(base) { hooks in
                hooks.aggregating = { aggregate, snapshot throws(StorageError) in
                    do throws(StorageError) {
                        return try await snapshot.aggregate(aggregate)
                    } catch {
                        trigger.fire()
                        await snapshot.close()
                        throw error
                    }
                }
            }
        },
        Mutant(
            "overflow-is-io", "A sum that does not fit is reported as an I/O error.", killedBy: "AGG-003",
            figuring: { aggregate, rows throws(StorageError) in
                do throws(StorageError) {
                    return try aggregate.aggregates(of: rows)
                } catch {
                    throw StorageError(.io, "integer overflow")
                }
            }),
        Mutant(
            "double-sum-is-infinite", "A sum or an average of doubles beyond their range is infinite.",
            killedBy: "AGG-010",
            figuring: { aggregate, rows throws(StorageError) in
                try aggregate.aggregates(of: rows) { _ in .double(.infinity) }
            }),
        Mutant(
            "double-sum-is-null", "A sum or an average of doubles beyond their range is null.", killedBy: "AGG-010",
            figuring: { aggregate, rows throws(StorageError) in
                try aggregate.aggregates(of: rows) { _ in .null }
            }),
        Mutant(
            "average-never-overflows", "An average of doubles is a sum of quotients, which stays in their range.",
            killedBy: "AGG-010",
            figuring: { aggregate, rows throws(StorageError) in
                try aggregate.aggregates(of: rows) { function in
                    guard case .average(let position) = function else { return nil }
                    var mean = 0.0
                    for case .double(let number) in rows.map({ $0[position] }) { mean += number / Double(rows.count) }
                    return .double(mean)
                }
            }),
        Mutant(
            "average-of-integers-cut-off", "An average of integers is cut off.", killedBy: "AGG-004",
            computing: { aggregate, values in
                zip(aggregate.functions, values).map { function, value in
                    guard case .average(let position) = function, case .double(let mean) = value,
                        aggregate.query.entity.fields[position].type == .int
                    else { return value }
                    return .double(mean.rounded(.towardZero))
                }
            }),
        Mutant(
            "average-through-wrapping-sum", "An average divides a sum that wraps around.", killedBy: "AGG-004",
            figuring: { aggregate, rows throws(StorageError) in
                try zip(aggregate.functions, aggregate.aggregates(of: rows)).map { function, value in
                    guard case .average(let position) = function, !value.isNull else { return value }
                    var (sum, count): (Int64, Int) = (0, 0)
                    for case .integer(let number) in rows.map({ $0[position] }) {
                        sum &+= number
                        count += 1
                    }
                    return count == 0 ? value : .double(Double(sum) / Double(count))
                }
            }),
        Mutant(
            "average-of-one-is-integer", "An average of integers that is whole is an integer.", killedBy: "AGG-004",
            computing: { aggregate, values in
                zip(aggregate.functions, values).map { function, value in
                    guard case .average = function, case .double(let mean) = value, let whole = Int64(exactly: mean)
                    else { return value }
                    return .integer(whole)
                }
            }),
        Mutant(
            "aggregates-in-field-order", "Aggregates come in the order of their fields.", killedBy: "AGG-005",
            computing: { aggregate, values in
                zip(aggregate.functions, values).enumerated().sorted {
                    ($0.element.0.position, $0.offset) < ($1.element.0.position, $1.offset)
                }.map(\.element.1)
            }),
        Mutant(
            "repeated-aggregate-once", "The same aggregate asked for twice comes once.", killedBy: "AGG-005",
            computing: { aggregate, values in
                aggregate.functions.indices.filter { index in
                    aggregate.functions.firstIndex(of: aggregate.functions[index]) == index
                }.map { values[$0] }
            }),
        Mutant(
            "no-aggregates-is-count", "A plan without aggregates gives the count.", killedBy: "AGG-005",
            computing: { _, values in values.isEmpty ? [.integer(0)] : values }),
        Mutant("updates-counted-again", "An update is added to the aggregates once more.", killedBy: "AGG-006") {
            base, trigger in
            let updates = Counter()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    let receipt = try await base.commit(request)
                    for case .put(_, let rows, .update) in request.operations {
                        updates.set(updates.current + rows.rowCount)
                    }
                    return receipt
                }
                hooks.aggregating = { aggregate, snapshot throws(StorageError) in
                    let values = try await snapshot.aggregate(aggregate)
                    guard updates.current > 0 else { return values }
                    trigger.fire()
                    return zip(aggregate.functions, values).map { function, value in
                        guard function == .count, case .integer(let count) = value else { return value }
                        return .integer(count + Int64(updates.current))
                    }
                }
            }
        },
        Mutant("failed-commits-counted", "The rows of a commit that failed are counted.", killedBy: "AGG-006") {
            base, trigger in
            let failed = Counter()
            return HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    do throws(StorageError) {
                        return try await base.commit(request)
                    } catch {
                        failed.set(failed.current + 1)
                        throw error
                    }
                }
                hooks.aggregating = { aggregate, snapshot throws(StorageError) in
                    let values = try await snapshot.aggregate(aggregate)
                    guard failed.current > 0 else { return values }
                    trigger.fire()
                    return zip(aggregate.functions, values).map { function, value in
                        guard function == .count, case .integer(let count) = value else { return value }
                        return .integer(count + 1)
                    }
                }
            }
        },
        Mutant(
            "aggregates-of-512-records", "Of exactly 512 records, the last is left out.", killedBy: "AGG-007",
            figuring: { aggregate, rows throws(StorageError) in
                try aggregate.aggregates(of: rows.count == 512 ? rows.dropLast() : rows)
            }),
        Mutant(
            "sum-stops-at-1000", "Sums take in 1,000 records at most.", killedBy: "AGG-007",
            figuring: { aggregate, rows throws(StorageError) in
                let part = try aggregate.aggregates(of: Array(rows.prefix(1_000)))
                return try zip(aggregate.functions, zip(part, aggregate.aggregates(of: rows))).map { function, values in
                    switch function {
                    case .integerSum, .doubleSum: values.0
                    default: values.1
                    }
                }
            }),
        Mutant(
            "double-sum-of-33", "The sum of exactly 33 doubles counts the first one twice.", killedBy: "AGG-007",
            figuring: { aggregate, rows throws(StorageError) in
                try zip(aggregate.functions, aggregate.aggregates(of: rows)).map { function, value in
                    guard case .doubleSum(let position) = function, rows.count == 33, case .double(let sum) = value,
                        case .double(let first) = rows[0][position]
                    else { return value }
                    return .double(sum + first)
                }
            }),
        Mutant(
            "extremes-by-characters", "The extremes of text are chosen as Swift's `<` does.", killedBy: "AGG-008",
            figuring: { aggregate, rows throws(StorageError) in
                try aggregate.extremes(of: rows) { left, right in
                    if case (.text(let left), .text(let right)) = (left, right) { return left < right }
                    return ValueOrder.compare(left, right) == .ascending
                }
            }),
        Mutant(
            "extremes-ignore-case", "The extremes of text ignore case.", killedBy: "AGG-008",
            figuring: { aggregate, rows throws(StorageError) in
                try aggregate.extremes(of: rows) { left, right in
                    if case (.text(let left), .text(let right)) = (left, right) {
                        return ValueOrder.compareText(left.lowercased(), right.lowercased()) == .ascending
                    }
                    return ValueOrder.compare(left, right) == .ascending
                }
            }),
        Mutant(
            "extremes-by-text-form", "The extremes of numbers are chosen by their text form.", killedBy: "AGG-008",
            figuring: { aggregate, rows throws(StorageError) in
                try aggregate.extremes(of: rows) { left, right in
                    switch (left, right) {
                    case (.integer(let left), .integer(let right)): "\(left)" < "\(right)"
                    case (.double(let left), .double(let right)): "\(left)" < "\(right)"
                    default: ValueOrder.compare(left, right) == .ascending
                    }
                }
            }),
        Mutant(
            "maximum-is-of-magnitude", "The maximum of doubles is the one of greatest magnitude.", killedBy: "AGG-008",
            figuring: { aggregate, rows throws(StorageError) in
                try aggregate.extremes(of: rows) { left, right in
                    if case (.double(let left), .double(let right)) = (left, right) { return abs(left) < abs(right) }
                    return ValueOrder.compare(left, right) == .ascending
                }
            }),
    ]
}

extension Value {
    /// An integer, no greater than a bound.
    fileprivate func capped(at bound: Int64) -> Value {
        if case .integer(let number) = self { .integer(min(number, bound)) } else { self }
    }
}

extension BoundAggregate {
    /// The right aggregates of matching records.
    func aggregates(of rows: [[Value]]) throws(StorageError) -> [Value] {
        var accumulator = AggregateAccumulator(self)
        for row in rows { row.withUnsafeBufferPointer { accumulator.add($0) } }
        return try accumulator.result()
    }

    /// The right aggregates, where a closure has a value for a sum or an average of doubles that leaves their range.
    ///
    /// It returns `nil` where the error is right.
    fileprivate func aggregates(
        of rows: [[Value]], beyondDoubles answer: (Function) -> Value?
    ) throws(StorageError) -> [Value] {
        do throws(StorageError) {
            return try aggregates(of: rows)
        } catch {
            var values: [Value] = []
            for function in functions {
                switch function {
                case .count: values.append(.integer(Int64(rows.count)))
                case .doubleSum, .average:
                    guard let value = answer(function) else { throw error }
                    values.append(value)
                default: throw error
                }
            }
            return values
        }
    }

    /// Aggregates whose integer sums are made by a closure; the others only where they are right anyway.
    fileprivate func sums(of rows: [[Value]], _ sum: ([Int64]) -> Int64) -> [Value] {
        functions.map { function in
            switch function {
            case .integerSum(let position):
                return .integer(
                    sum(rows.compactMap { if case .integer(let number) = $0[position] { number } else { nil } }))
            default:
                let single = BoundAggregate.Function.count
                return function == single ? .integer(Int64(rows.count)) : .null
            }
        }
    }

    /// Aggregates whose extremes are chosen by another order.
    fileprivate func extremes(
        of rows: [[Value]], _ isBefore: (Value, Value) -> Bool
    ) throws(StorageError) -> [Value] {
        try zip(functions, aggregates(of: rows)).map { function, value in
            switch function {
            case .minimum(let position): rows.map { $0[position] }.filter { !$0.isNull }.min(by: isBefore) ?? .null
            case .maximum(let position): rows.map { $0[position] }.filter { !$0.isNull }.max(by: isBefore) ?? .null
            default: value
            }
        }
    }
}

extension BoundAggregate.Function {
    /// The field the aggregate is of; -1 for the count.
    fileprivate var position: Int {
        switch self {
        case .count: -1
        case .integerSum(let position), .doubleSum(let position), .minimum(let position), .maximum(let position),
            .average(let position):
            position
        }
    }
}
