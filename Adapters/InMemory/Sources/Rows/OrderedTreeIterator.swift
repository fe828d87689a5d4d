import HoldfastAdapterKit

extension OrderedTree {
    /// The elements of a range of keys in ascending order, or in descending order if `isReversed`.
    ///
    /// - Complexity: O(log n) to start, amortised O(1) per step.
    func makeIterator(_ range: ByteRange = .all, isReversed: Bool = false) -> OrderedTreeIterator<Element> {
        OrderedTreeIterator(root, range, isReversed)
    }
}

/// A scan over a part of an ``OrderedTree`` as it was when the scan began.
struct OrderedTreeIterator<Element: Sendable>: Sendable, IteratorProtocol {
    typealias Node = OrderedTreeNode<Element>

    private let lower: TreeKey
    private let upper: TreeKey?
    private let isReversed: Bool
    /// The way from the root to the current leaf: inner nodes and the index of the child taken.
    private var path: [(node: Node, index: Int)] = []
    private var leaf: Node
    /// The entries of the current leaf that are in the range and not yet delivered.
    private var rest: Range<Int> = 0..<0
    /// Whether the range continues beyond the current leaf.
    private var continues = true

    fileprivate init(_ root: Node, _ range: ByteRange, _ isReversed: Bool) {
        lower = TreeKey(range.lower)
        upper = range.upper.map(TreeKey.init)
        self.isReversed = isReversed
        leaf = root
        if range.isEmpty {
            continues = false
        } else if isReversed {
            let upper = upper
            descend(from: root) { node in upper.map(node.childIndex(for:)) ?? node.children.count - 1 }
        } else {
            let lower = lower
            descend(from: root) { $0.childIndex(for: lower) }
        }
    }

    /// The next element, or `nil` at the end and ever after.
    @inline(__always)
    mutating func next() -> Element? {
        guard let index = nextIndex() else { return nil }
        return leaf.entries[index].element
    }

    /// The next key and element.
    mutating func nextEntry() -> Node.Entry? {
        guard let index = nextIndex() else { return nil }
        return leaf.entries[index]
    }

    /// Steps to the next entry and returns its place in the leaf.
    @inline(__always)
    private mutating func nextIndex() -> Int? {
        while rest.isEmpty {
            guard continues, nextLeaf() else {
                continues = false
                return nil
            }
        }
        if isReversed {
            rest = rest.lowerBound..<rest.upperBound - 1
            return rest.upperBound
        }
        defer { rest = rest.lowerBound + 1..<rest.upperBound }
        return rest.lowerBound
    }

    private mutating func nextLeaf() -> Bool {
        while let (node, index) = path.popLast() {
            let next = isReversed ? index - 1 : index + 1
            guard node.children.indices.contains(next) else { continue }
            path.append((node, next))
            let isReversed = isReversed
            descend(from: node.children[next].node) { isReversed ? $0.children.count - 1 : 0 }
            return true
        }
        return false
    }

    private mutating func descend(from start: Node, choosing child: (Node) -> Int) {
        var node = start
        while !node.isLeaf {
            let index = child(node)
            path.append((node, index))
            node = node.children[index].node
        }
        leaf = node
        cutLeaf()
    }

    /// Keeps what the range has of the current leaf.
    private mutating func cutLeaf() {
        var (start, end) = (0, leaf.entries.count)
        if let first = leaf.entries.first, first.key < lower {
            start = leaf.lowerBound(of: lower)
            if isReversed { continues = false }
        }
        if let upper, let last = leaf.entries.last, !(last.key < upper) {
            end = leaf.lowerBound(of: upper)
            if !isReversed { continues = false }
        }
        rest = start..<max(start, end)
    }
}
