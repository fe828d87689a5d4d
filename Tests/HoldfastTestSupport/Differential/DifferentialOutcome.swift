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

    /// The outcome as text.
    var text: String {
        switch self {
        case .rows(let rows): Self.text(rows)
        case .values(let values): SwiftText.list(values)
        case .receipt(let receipt):
            "receipt: sequence \(receipt.sequence), \(receipt.putCount) put, \(receipt.deletedCount) deleted"
        case .failure(let error): error.debugDescription
        case .trouble(let text): "trouble: \(text)"
        }
    }

    private static func text(_ rows: [StoredRow]) -> String {
        if rows.isEmpty { return "no rows" }
        let shown = rows.prefix(12).map { "\(SwiftText.list($0.cells)) version \($0.version)" }
        let rest = rows.count > 12 ? "\n        … \(rows.count) rows in all" : ""
        return "\(rows.count) rows\n        " + shown.joined(separator: "\n        ") + rest
    }
}

/// Compares figures: double sums and averages up to rounding, extremes by the order of values, all else exactly.
struct AggregateComparison {
    let aggregate: BoundAggregate
    /// The matching rows.
    let rows: [ExecutableModel.Record]

    func agree(_ expected: DifferentialOutcome, _ got: DifferentialOutcome) -> Bool {
        switch (expected, got) {
        case (.values(let expected), .values(let got)) where expected.count == got.count:
            zip(aggregate.functions, zip(expected, got)).allSatisfy { agree($0, $1.0, $1.1) }
        case (.values, .failure(let error)) where error.kind == .unrepresentable:
            // Where the sum of doubles leaves their range, the contract is silent.
            aggregate.functions.contains { magnitude(of: $0).isInfinite }
        default: expected.agrees(with: got)
        }
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
