import HoldfastAdapterKit
import HoldfastConformance
import HoldfastStorage
import Testing

@testable import HoldfastInMemory

@Suite struct OrderedTreeTests {
    @Test(arguments: [1, 2, 3, 4]) func agreesWithASortedArrayUnderRandomChanges(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var tree = OrderedTree<Int>()
        var model: [[UInt8]: Int] = [:]
        var wrong = 0
        var held: [(OrderedTree<Int>, [[UInt8]: Int])] = []
        for step in 0..<12_000 {
            let key = randomKey(&random)
            // Phases that mostly grow and mostly shrink, so that nodes split and join on all levels.
            if Int.random(in: 0..<10, using: &random) < (step / 2_000 % 2 == 0 ? 8 : 2) {
                wrong += tree.updateElement(step, for: TreeKey(key)) == model.updateValue(step, forKey: key) ? 0 : 1
            } else {
                wrong += tree.removeElement(for: TreeKey(key)) == model.removeValue(forKey: key) ? 0 : 1
            }
            if step % 2_000 == 1_500 { held.append((tree, model)) }
            if step % 1_000 == 0 {
                tree.checkInvariants()
                checkIterators(tree, model, &random)
            }
        }
        #expect(wrong == 0)
        for (tree, model) in held + [(tree, model)] {
            tree.checkInvariants()
            checkIterators(tree, model, &random)
            #expect(model.allSatisfy { tree[TreeKey($0.key)] == $0.value })
        }
    }

    @Test func emptiesCompletely() {
        var tree = OrderedTree<Int>()
        let keys = (0..<5_000).map { TreeKey(KeyCodec.encode([.integer($0)])) }
        for (index, key) in keys.enumerated() { tree.updateElement(index, for: key) }
        tree.checkInvariants()
        let full = tree
        for key in keys.reversed() { #expect(tree.removeElement(for: key) != nil) }
        #expect(tree.isEmpty)
        #expect(tree.removeElement(for: keys[0]) == nil)
        var iterator = tree.makeIterator()
        #expect(iterator.next() == nil)
        #expect(Array(IteratorSequence(full.makeIterator())) == Array(0..<5_000))
        #expect(Array(IteratorSequence(full.makeIterator(isReversed: true))) == Array((0..<5_000).reversed()))
    }

    @Test func keysCompareAsBytesWithPrefixesFirst() {
        var random = SplitMix64(seed: 9)
        for _ in 0..<20_000 {
            let (left, right) = (randomKey(&random), randomKey(&random))
            let isBefore = TreeKey(left) < TreeKey(right)
            let isEqual = TreeKey(left) == TreeKey(right)
            if isBefore != left.lexicographicallyPrecedes(right) || isEqual != (left == right) {
                Issue.record("\(left) and \(right) compare wrongly")
            }
        }
    }

    @Test func anIteratorThatEndedStaysEnded() {
        var tree = OrderedTree<Int>()
        for index in 0..<100 { tree.updateElement(index, for: TreeKey([UInt8(index)])) }
        for isReversed in [false, true] {
            var iterator = tree.makeIterator(ByteRange(from: [10], to: [12]), isReversed: isReversed)
            #expect([iterator.next(), iterator.next()] == (isReversed ? [11, 10] : [10, 11]))
            #expect(iterator.next() == nil)
            #expect(iterator.next() == nil)
        }
    }

    private func randomKey(_ random: inout SplitMix64) -> [UInt8] {
        // Long common beginnings and zero bytes, which the head of a key cannot distinguish.
        let lead = [UInt8](repeating: 0, count: [0, 5, 8, 17].randomElement(using: &random) ?? 0)
        return lead + (0..<Int.random(in: 0...2, using: &random)).map { _ in UInt8.random(in: 0..<60, using: &random) }
    }

    private func checkIterators(_ tree: OrderedTree<Int>, _ model: [[UInt8]: Int], _ random: inout SplitMix64) {
        #expect(tree.count == model.count)
        let sorted = model.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        for _ in 0..<5 {
            let range =
                Int.random(in: 0..<4, using: &random) == 0
                ? .all
                : ByteRange(from: randomKey(&random), to: Bool.random(using: &random) ? nil : randomKey(&random))
            let expected = sorted.filter { range.contains($0.key) }.map(\.value)
            #expect(Array(IteratorSequence(tree.makeIterator(range))) == expected)
            #expect(Array(IteratorSequence(tree.makeIterator(range, isReversed: true))) == expected.reversed())
        }
    }
}

extension OrderedTree {
    /// Order, separators, equal depth, fill and count.
    func checkInvariants() {
        var depths: Set<Int> = []
        var keys: [TreeKey] = []
        root.check(depth: 0, isRoot: true, from: nil, to: nil, &depths, &keys)
        #expect(depths.count == 1)
        #expect(keys.count == count)
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
    }
}

extension OrderedTreeNode {
    fileprivate func check(
        depth: Int, isRoot: Bool, from lower: TreeKey?, to upper: TreeKey?, _ depths: inout Set<Int>,
        _ keys: inout [TreeKey]
    ) {
        #expect(count <= Self.maximumCount)
        if isRoot { #expect(isLeaf || count >= 2) } else { #expect(count >= Self.minimumCount) }
        if isLeaf {
            depths.insert(depth)
            keys += entries.map(\.key)
            for entry in entries {
                if lower.map({ entry.key < $0 }) ?? false || upper.map({ !(entry.key < $0) }) ?? false {
                    Issue.record("an entry is under the wrong child")
                }
            }
        }
        for (index, child) in children.enumerated() {
            child.node.check(
                depth: depth + 1, isRoot: false, from: index == 0 ? lower : child.key,
                to: index + 1 < children.count ? children[index + 1].key : upper, &depths, &keys)
        }
    }
}
