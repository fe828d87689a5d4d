import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Reads by key and scans that are wrong for one number of records or keys only.
    static let sporadicOfKeys: [Mutant] =
        [31, 32, 33, 255, 256, 257, 999, 1_000, 1_001].map { count in
            Mutant(
                "read-of-\(count)-keys-loses-last", "Of exactly \(count) keys the last is missing.",
                killedBy: "LIM-013",
                fetching: { request, rows in
                    guard request.keys.count == count, let last = rows.last else { return rows }
                    return rows.dropLast() + [StoredRow(last.cells.map { _ in .null }, version: 0)]
                })
        }
        + [31, 32, 33, 255, 256, 257, 999, 1_000, 1_001].map { count in
            Mutant(
                "scan-of-\(count)-loses-first", "A scan of exactly \(count) records lacks the first.",
                killedBy: "ORD-014",
                scanning: { _, rows in rows.count == count ? Array(rows.dropFirst()) : rows })
        }
        + [31, 32, 33, 255, 256, 257, 999, 1_000, 1_001].map { count in
            Mutant(
                "result-of-\(count)-loses-last", "A result of exactly \(count) records lacks the last.",
                killedBy: "ORD-014", delivering: { _, rows in rows.count == count ? Array(rows.dropLast()) : rows })
        } + [
            Mutant(
                "second-batch-has-versions-of-first", "The first row of a second batch has the version of the next.",
                killedBy: "WRT-011",
                batching: { rows, number, _ in
                    guard number == 1, rows.rowCount > 1 else { return }
                    var read = rows.storedRows
                    read[0].version = read[1].version
                    rows = RowBuffer(read, columnCount: rows.columnCount)
                }),
            Mutant(
                "third-batch-swaps-rows", "The first two rows of a third batch are swapped.", killedBy: "ORD-013",
                batching: { rows, number, _ in
                    guard number == 2, rows.rowCount > 1 else { return }
                    var read = rows.storedRows
                    read.swapAt(0, 1)
                    rows = RowBuffer(read, columnCount: rows.columnCount)
                }),
            Mutant(
                "open-ranges-of-one-key-are-empty", "A range from a whole key to the same key is empty.",
                killedBy: "ORD-016",
                scanning: { range, rows in
                    if case .included = range.lower, range.lower == range.upper, rows.count == 1 { return [] }
                    return rows
                }),
            Mutant(
                "excluded-whole-key-included", "A whole key that is excluded at the lower end is delivered.",
                killedBy: "ORD-016",
                ranging: { range in
                    guard case .excluded(let key) = range.lower, range.upper != .unbounded else { return range }
                    return KeyRange(range.entity, from: .included(key), to: range.upper)
                }),
        ]
}
