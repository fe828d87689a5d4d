import HoldfastStorage

/// What a step answered, on either side, in terms that can be compared and printed.
enum DifferentialOutcome {
    case rows([StoredRow])
    case values([Value])
    case receipt(CommitReceipt)
    case failure(StorageError)
    case trouble(String)

    /// The outcome of a body.
    static func of(_ body: () async throws -> DifferentialOutcome) async -> DifferentialOutcome {
        do {
            return try await body()
        } catch let error as StorageError {
            return .failure(error)
        } catch {
            return .trouble("\(error)")
        }
    }

    /// Whether both say the same: rows with their representation, errors by kind and position.
    func agrees(with other: DifferentialOutcome) -> Bool {
        switch (self, other) {
        case (.rows(let left), .rows(let right)): left == right
        case (.values(let left), .values(let right)): left == right
        case (.receipt(let left), .receipt(let right)): left == right
        case (.failure(let left), .failure(let right)):
            left.kind == right.kind && left.position == right.position
                && (left.transaction == .outcomeUnknown) == (right.transaction == .outcomeUnknown)
        default: false
        }
    }

    /// The outcome as text; of many rows those around a place.
    func text(around row: Int) -> String {
        switch self {
        case .rows(let rows): Self.text(rows, around: row)
        case .values(let values): SwiftText.list(values)
        case .receipt(let receipt):
            "receipt: sequence \(receipt.sequence), \(receipt.putCount) put, \(receipt.deletedCount) deleted"
        case .failure(let error): error.debugDescription
        case .trouble(let text): text
        }
    }

    /// The first row in which two answers differ.
    static func firstDifference(_ left: DifferentialOutcome, _ right: DifferentialOutcome) -> Int {
        guard case .rows(let left) = left, case .rows(let right) = right else { return 0 }
        return zip(left, right).enumerated().first { $1.0 != $1.1 }?.offset ?? min(left.count, right.count)
    }

    private static func text(_ rows: [StoredRow], around row: Int) -> String {
        let first = rows.count <= 8 ? 0 : max(0, row - 2)
        let shown = rows.enumerated().dropFirst(first).prefix(8).map { index, row in
            "    \(index): \(SwiftText.list(row.cells)) version \(row.version)"
        }
        let gap = shown.count < rows.count ? ", of which some" : ""
        return (["\(rows.count) rows\(gap)"] + shown).joined(separator: "\n")
    }
}

/// Compares aggregates: double sums and averages up to rounding, extremes by the order of values, all else exactly.
struct AggregateComparison {
    let aggregate: BoundAggregate
    /// The matching rows.
    let rows: [ReferenceStore.Record]

    func agree(_ expected: DifferentialOutcome, _ got: DifferentialOutcome) -> Bool {
        switch (expected, got) {
        case (.values(let expected), .values(let got)) where expected.count == got.count:
            zip(aggregate.functions, zip(expected, got)).allSatisfy { agree($0, $1.0, $1.1) }
        case (.values, .failure(let error)) where error.kind == .unrepresentable,
            (.failure(let error), .values) where error.kind == .unrepresentable:
            // Whether a sum of doubles leaves their range on the way depends on the order of addition, which is free.
            aggregate.functions.contains { magnitude(of: $0).isInfinite }
        default: expected.agrees(with: got)
        }
    }

    /// What two stores must answer alike: aggregates that may differ by rounding or by representation are those of the
    /// reference.
    func settled(_ expected: DifferentialOutcome, _ got: DifferentialOutcome) -> DifferentialOutcome {
        guard agree(expected, got) else { return got }
        guard case .values(let expected) = expected, case .values(let got) = got else { return expected }
        return .values(
            zip(aggregate.functions, zip(expected, got)).map { function, values in
                switch function {
                case .count, .integerSum: values.1
                default: values.0
                }
            })
    }

    private func agree(_ function: BoundAggregate.Function, _ expected: Value, _ got: Value) -> Bool {
        switch function {
        case .count, .integerSum: return expected == got
        case .minimum, .maximum: return ValueOrder.areEqual(expected, got)
        case .doubleSum, .average:
            let magnitude = magnitude(of: function)
            if magnitude.isInfinite { return true }
            guard case .double(let expected) = expected, case .double(let got) = got else { return expected == got }
            return abs(expected - got) <= magnitude * 1e-9
        }
    }

    /// The sum of the absolute values: what rounding is measured against.
    private func magnitude(of function: BoundAggregate.Function) -> Double {
        switch function {
        case .doubleSum(let position), .average(let position):
            rows.reduce(0) { sum, record in
                switch record.row[position] {
                case .integer(let integer): sum + abs(Double(integer))
                case .double(let double): sum + abs(double)
                default: sum
                }
            }
        default: 0
        }
    }
}
