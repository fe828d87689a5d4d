/// An ordered map from encoded keys to elements that costs O(1) to copy.
///
/// A B+ tree whose nodes are shared between copies. A change copies the nodes on its way down that another copy can
/// see, and changes the others in place. A value: a copy never sees a later change of the original.
struct OrderedTree<Element: Sendable>: Sendable {
    private(set) var root = OrderedTreeNode<Element>()
    /// The number of elements.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The element of a key, if there is one, in O(log n).
    subscript(key: TreeKey) -> Element? {
        var node = root
        while !node.isLeaf { node = node.children[node.childIndex(for: key)].node }
        let index = node.lowerBound(of: key)
        return index < node.entries.count && node.entries[index].key == key ? node.entries[index].element : nil
    }

    /// Sets the element of a key and returns the one it replaces, in O(log n).
    @discardableResult
    mutating func updateElement(_ element: Element, for key: TreeKey) -> Element? {
        makeRootUnique()
        let (old, right) = root.update(element, for: key)
        if old == nil { count += 1 }
        if let right {
            root = OrderedTreeNode(children: [.init(key: right.key, node: root), right])
        }
        return old
    }

    /// Removes a key and returns its element, in O(log n); does nothing if there is none.
    @discardableResult
    mutating func removeElement(for key: TreeKey) -> Element? {
        guard !isEmpty else { return nil }
        makeRootUnique()
        guard let old = root.remove(key) else { return nil }
        count -= 1
        if root.children.count == 1 { root = root.children[0].node }
        return old
    }

    private mutating func makeRootUnique() {
        if !isKnownUniquelyReferenced(&root) { root = root.copy() }
    }
}

/// A node of an ``OrderedTree``: a leaf with entries or an inner node with children.
///
/// `@unchecked Sendable`: changed only by a mutating method of a tree that holds the only reference to it
/// (`isKnownUniquelyReferenced` on the whole way from the root); as soon as two trees can see it, it is immutable.
final class OrderedTreeNode<Element: Sendable>: @unchecked Sendable {
    struct Entry {
        let key: TreeKey
        var element: Element
    }

    /// A subtree whose keys are at or after `key` and before the next child's; the first child's `key` says nothing.
    struct Child {
        var key: TreeKey
        var node: OrderedTreeNode
    }

    static var maximumCount: Int { 32 }
    static var minimumCount: Int { 12 }

    private(set) var entries: [Entry]
    private(set) var children: [Child]

    var isLeaf: Bool { children.isEmpty }
    var count: Int { entries.count + children.count }

    init(entries: [Entry] = [], children: [Child] = []) {
        self.entries = entries
        self.children = children
    }

    func copy() -> OrderedTreeNode { OrderedTreeNode(entries: entries, children: children) }

    // MARK: Searching

    /// The first entry of a leaf whose key is not before `key`.
    func lowerBound(of key: TreeKey) -> Int {
        entries.withUnsafeBufferPointer { entries in
            var low = 0
            var high = entries.count
            while low < high {
                let middle = (low + high) / 2
                if entries[middle].key < key { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// The child of an inner node under which `key` belongs.
    func childIndex(for key: TreeKey) -> Int {
        children.withUnsafeBufferPointer { children in
            var low = 1
            var high = children.count
            while low < high {
                let middle = (low + high) / 2
                if key < children[middle].key { high = middle } else { low = middle + 1 }
            }
            return low - 1
        }
    }

    // MARK: Changing; the receiver is uniquely referenced

    /// Returns the replaced element, and a new right neighbor if the node had to be split.
    fileprivate func update(_ element: Element, for key: TreeKey) -> (old: Element?, right: Child?) {
        if isLeaf {
            let index = lowerBound(of: key)
            if index < entries.count && entries[index].key == key {
                let old = entries[index].element
                entries[index].element = element
                return (old, nil)
            }
            entries.insert(Entry(key: key, element: element), at: index)
            return (nil, splitIfTooLarge(insertedAtEnd: index == entries.count - 1))
        }
        let index = childIndex(for: key)
        let (old, right) = makeChildUnique(index).update(element, for: key)
        guard let right else { return (old, nil) }
        children.insert(right, at: index + 1)
        return (old, splitIfTooLarge(insertedAtEnd: index + 1 == children.count - 1))
    }

    fileprivate func remove(_ key: TreeKey) -> Element? {
        if isLeaf {
            let index = lowerBound(of: key)
            guard index < entries.count && entries[index].key == key else { return nil }
            return entries.remove(at: index).element
        }
        let index = childIndex(for: key)
        let child = makeChildUnique(index)
        let old = child.remove(key)
        if child.count < Self.minimumCount { joinChildren(at: max(0, index - 1)) }
        return old
    }

    private func makeChildUnique(_ index: Int) -> OrderedTreeNode {
        if !isKnownUniquelyReferenced(&children[index].node) {
            children[index].node = children[index].node.copy()
        }
        return children[index].node
    }

    /// Gives up the right part of an overfull node: half of it, or little if keys arrive in order.
    private func splitIfTooLarge(insertedAtEnd: Bool) -> Child? {
        guard count > Self.maximumCount else { return nil }
        let middle = insertedAtEnd ? count - Self.minimumCount : count / 2
        if isLeaf {
            let right = OrderedTreeNode(entries: Array(entries[middle...]))
            entries.removeSubrange(middle...)
            return Child(key: right.entries[0].key, node: right)
        }
        let right = OrderedTreeNode(children: Array(children[middle...]))
        children.removeSubrange(middle...)
        return Child(key: right.children[0].key, node: right)
    }

    /// Merges a child with its right neighbor, or evens them out if both do not fit into one node.
    private func joinChildren(at index: Int) {
        guard index + 1 < children.count else { return }
        let left = makeChildUnique(index)
        let right = children[index + 1].node
        var moved = right.children
        if !moved.isEmpty { moved[0].key = children[index + 1].key }
        left.entries += right.entries
        left.children += moved
        children.remove(at: index + 1)
        guard left.count > Self.maximumCount else { return }
        if let right = left.splitIfTooLarge(insertedAtEnd: false) { children.insert(right, at: index + 1) }
    }
}
