import HoldfastAdapterKit
import HoldfastStorage

/// The records along an access path, in the path's order.
struct InMemoryRowIterator: Sendable {
    private let tree: OrderedTree<InMemoryRecord>
    private let isReversed: Bool
    /// The ranges not yet begun, the next one last.
    private var ranges: [ByteRange]
    private var current: OrderedTreeIterator<InMemoryRecord>
    /// What `current` began with.
    private var currentRange = ByteRange(from: [], to: [])
    /// Leading components of the keys in which a run agrees that has to be turned round; `nil` for no such runs.
    private let runComponentCount: Int?
    /// The records of a short run that were read and not delivered, the next one last.
    private(set) var run: [InMemoryRecord] = []
    /// What is left of a long run, in the opposite direction.
    private var longRun: OrderedTreeIterator<InMemoryRecord>?
    private var behindRun: OrderedTreeNode<InMemoryRecord>.Entry?

    /// Records of a run that are read before they are delivered, at most.
    private static let shortRunCount = 64

    init(_ table: InMemoryTable, _ path: AccessPath) {
        let keyPositions = table.layout.entity.primaryKeyPositions
        let components: [Int]
        switch path.source {
        case .primaryKey:
            tree = table.records
            components = keyPositions
        case .index(let index):
            tree = table.indexes[index]
            components = table.layout.indexes[index].positions + keyPositions
        }
        isReversed = path.isReversed
        ranges = path.isReversed ? path.ranges : path.ranges.reversed()
        if case .totalWithReversedRuns(let positions) = path.order {
            // A field may be a component twice: of the index, and of the key after it.
            runComponentCount = (positions.compactMap(components.firstIndex(of:)).max() ?? -1) + 1
        } else {
            runComponentCount = nil
        }
        current = tree.makeIterator(ByteRange(from: [], to: []))
    }

    /// The next record, or `nil` at the end.
    @inline(__always)
    mutating func next() -> InMemoryRecord? {
        runComponentCount == nil ? nextAsStored() : nextOfRun()
    }

    @inline(__always)
    private mutating func nextAsStored() -> InMemoryRecord? {
        while true {
            if let record = current.next() { return record }
            guard let range = ranges.popLast() else { return nil }
            current = tree.makeIterator(range, isReversed: isReversed)
        }
    }

    private mutating func nextEntry() -> OrderedTreeNode<InMemoryRecord>.Entry? {
        while true {
            if let entry = current.nextEntry() { return entry }
            guard let range = ranges.popLast() else { return nil }
            currentRange = range
            current = tree.makeIterator(range, isReversed: isReversed)
        }
    }

    /// The next record where each run is delivered in the opposite direction.
    ///
    /// A short run is read first and then delivered. A long one is delivered from its beginning, record by record.
    private mutating func nextOfRun() -> InMemoryRecord? {
        if let record = run.popLast() { return record }
        if let record = longRun?.next() { return record }
        longRun = nil
        guard let first = behindRun ?? nextEntry(), let prefix = runPrefix(of: first.key) else { return nil }
        behindRun = nil
        run.append(first.element)
        while let entry = nextEntry() {
            if !entry.key.hasPrefix(prefix) {
                behindRun = entry
                break
            }
            if run.count == Self.shortRunCount {
                beginLongRun(ByteRange(prefix: prefix))
                return longRun?.next()
            }
            run.append(entry.element)
        }
        return run.popLast()
    }

    /// Delivers a run from its beginning, and afterwards what follows it.
    private mutating func beginLongRun(_ whole: ByteRange) {
        run.removeAll()
        longRun = tree.makeIterator(whole.intersection(currentRange), isReversed: !isReversed)
        let rest =
            isReversed
            ? ByteRange(from: currentRange.lower, to: whole.lower)
            : ByteRange(from: whole.upper ?? [0xFF], to: currentRange.upper)
        currentRange = rest
        current = tree.makeIterator(rest, isReversed: isReversed)
    }

    /// What the keys of a run begin with.
    private func runPrefix(of key: TreeKey) -> [UInt8]? {
        guard let count = try? KeyCodec.byteCount(ofFirst: runComponentCount ?? 0, in: key.bytes) else { return nil }
        return Array(key.bytes[..<count])
    }
}
