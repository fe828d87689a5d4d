import Foundation

/// Measures what the example does, prints each step, and the table at the end.
struct Report {
    private struct Row {
        var what: String
        var count: Int
        var milliseconds: Double
    }

    private var rows: [Row] = []

    /// Runs a step, prints what it was, how many records it concerned and how long it took.
    mutating func measure<Result>(
        _ what: String, records: (Result) async throws -> Int, _ step: () async throws -> Result
    ) async throws -> Result {
        let start = ContinuousClock.now
        let result = try await step()
        let time = ContinuousClock.now - start
        let row = Row(what: what, count: try await records(result), milliseconds: time.milliseconds)
        rows.append(row)
        Terminal.line("\n" + Self.text(row))
        return result
    }

    /// Prints all steps.
    func printTable() {
        Terminal.line("\n" + "what".padded(to: 48) + "records".leftPadded(to: 10) + "ms".leftPadded(to: 12))
        for row in rows { Terminal.line(Self.text(row)) }
    }

    private static func text(_ row: Row) -> String {
        row.what.padded(to: 48) + row.count.grouped.leftPadded(to: 10)
            + String(format: "%.2f", row.milliseconds).leftPadded(to: 12)
    }
}
