import HoldfastAdapterKit
import HoldfastStorage

/// The records along an access path, in the path's order.
struct InMemoryRowIterator: Sendable {
    private let tree: OrderedTree<InMemoryRecord>
    private let isReversed: Bool
    /// The ranges not yet begun, the next one last.
    private var ranges: [ByteRange]
    private var current: OrderedTreeIterator<InMemoryRecord>
    /// The fields in which the records of a run agree.
    private let runPositions: [Int]
    /// Whether runs have to be turned round, so that a step may read many records before it delivers one.
    let gathersRuns: Bool
    private var run: [InMemoryRecord] = []
    private var behindRun: InMemoryRecord?

    init(_ table: InMemoryTable, _ path: AccessPath) {
        tree =
            switch path.source {
            case .primaryKey: table.records
            case .index(let index): table.indexes[index]
            }
        isReversed = path.isReversed
        ranges = path.isReversed ? path.ranges : path.ranges.reversed()
        if case .totalWithReversedRuns(let positions) = path.order {
            runPositions = positions
            gathersRuns = true
        } else {
            runPositions = []
            gathersRuns = false
        }
        current = tree.makeIterator(ByteRange(from: [], to: []))
    }

    /// The next record, or `nil` at the end.
    @inline(__always)
    mutating func next() -> InMemoryRecord? {
        gathersRuns ? nextOfRun() : nextAsStored()
    }

    @inline(__always)
    private mutating func nextAsStored() -> InMemoryRecord? {
        while true {
            if let record = current.next() { return record }
            guard let range = ranges.popLast() else { return nil }
            current = tree.makeIterator(range, isReversed: isReversed)
        }
    }

    private mutating func nextOfRun() -> InMemoryRecord? {
        if let record = run.popLast() { return record }
        guard let first = behindRun ?? nextAsStored() else { return nil }
        behindRun = nil
        run.append(first)
        while let record = nextAsStored() {
            let belongs = runPositions.allSatisfy { ValueOrder.areEqual(first.cells[$0], record.cells[$0]) }
            if !belongs {
                behindRun = record
                break
            }
            run.append(record)
        }
        return run.popLast()
    }
}
