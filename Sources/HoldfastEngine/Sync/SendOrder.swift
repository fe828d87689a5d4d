import HoldfastStorage

/// The order in which entries of the outbox may be sent: a pure function.
///
/// A creation or an update waits for the creation of each record that it leads to, a deletion for the changes of each
/// record that leads to the deleted one, and every change for the earlier ones of its record. A deletion that goes with
/// that of another record waits for it, and no deletion waits for one that goes with another: the service may refuse the
/// deletion that the application asked for, and then the others are not sent. Otherwise, and where relations run in
/// circles, the position in the queue decides.
package struct SendOrder: Sendable {
    /// An entry and the records that its record leads to, before or after the change.
    struct Item: Sendable, Hashable {
        var entry: OutboxEntry
        var parents: Set<Record> = []

        var record: Record { Record(model: entry.model, key: entry.key) }
    }

    /// Names a record.
    package struct Record: Sendable, Hashable {
        package var model: String
        package var key: String
    }

    /// The entries in the order in which they may be sent one by one.
    private(set) var items: [Item] = []
    /// The indexes in ``items`` of those for which each waits.
    private(set) var waitsFor: [[Int]] = []

    /// - Complexity: O(n log n) for n entries and relations.
    init(_ unordered: [Item]) {
        let queue = unordered.sorted { $0.entry.position < $1.entry.position }
        let dependencies = Self.dependencies(queue)
        var dependents = Array(repeating: [Int](), count: queue.count)
        var counts = dependencies.map(\.count)
        for (index, needed) in dependencies.enumerated() {
            for other in needed { dependents[other].append(index) }
        }
        var free = Heap()
        for index in queue.indices where counts[index] == 0 { free.insert(index) }
        var itemIndexes = Array(repeating: -1, count: queue.count)
        var rest = 0
        while items.count < queue.count {
            let next: Int
            if let first = free.popFirst() {
                next = first
            } else {
                while itemIndexes[rest] >= 0 { rest += 1 }
                next = rest
            }
            if itemIndexes[next] >= 0 { continue }
            itemIndexes[next] = items.count
            items.append(queue[next])
            waitsFor.append(dependencies[next].map { itemIndexes[$0] }.filter { $0 >= 0 })
            for other in dependents[next] {
                counts[other] -= 1
                if counts[other] == 0 { free.insert(other) }
            }
        }
    }

    /// The entries that wait for none, in order, without those in flight.
    func sendable(_ isSendable: (OutboxEntry) -> Bool = { _ in true }) -> [OutboxEntry] {
        items.indices.filter { waitsFor[$0].isEmpty && items[$0].entry.stage == .pending }.map { items[$0].entry }
            .filter(isSendable)
    }

    private static func dependencies(_ queue: [Item]) -> [Set<Int>] {
        var creations: [Record: Int] = [:]
        var deletions: [Record: [Int]] = [:]
        var leading: [Record: [Int]] = [:]
        for (index, item) in queue.enumerated() {
            if item.entry.operation == .create { creations[item.record] = index }
            if item.entry.operation == .delete { deletions[item.record, default: []].append(index) }
            if item.entry.cascade != nil { continue }
            for parent in item.parents { leading[parent, default: []].append(index) }
        }
        var newest: [Record: Int] = [:]
        return queue.enumerated().map { index, item in
            var needed: Set<Int> = []
            if let earlier = newest.updateValue(index, forKey: item.record) { needed.insert(earlier) }
            if item.entry.operation == .delete {
                needed.formUnion(leading[item.record] ?? [])
                if let cascade = item.entry.cascade { needed.formUnion(deletions[cascade] ?? []) }
            } else {
                needed.formUnion(item.parents.compactMap { creations[$0] })
            }
            needed.remove(index)
            return needed
        }
    }
}

/// The smallest of some numbers first.
private struct Heap {
    private var numbers: [Int] = []

    mutating func insert(_ number: Int) {
        numbers.append(number)
        var index = numbers.count - 1
        while index > 0, numbers[(index - 1) / 2] > numbers[index] {
            numbers.swapAt((index - 1) / 2, index)
            index = (index - 1) / 2
        }
    }

    mutating func popFirst() -> Int? {
        guard let first = numbers.first, let last = numbers.popLast() else { return nil }
        if numbers.isEmpty { return first }
        numbers[0] = last
        var index = 0
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < numbers.count }
            guard let least = children.min(by: { numbers[$0] < numbers[$1] }), numbers[least] < numbers[index] else {
                return first
            }
            numbers.swapAt(index, least)
            index = least
        }
    }
}
