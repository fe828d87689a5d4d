import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

@Suite struct DeletionOrderTests {
    static let entities = ["A", "B", "C"].map { EntitySchema($0, fields: [FieldSchema("id", .int)]) }

    static func key(_ number: Int) -> RecordKey { RecordKey([.integer(Int64(number))]) }

    /// Adds record 0, then the children of every record that is new, as a deletion does.
    static func order(_ children: [[Int]]) -> [Int] {
        var order = DeletionOrder()
        _ = order.add(key(0), of: entities[0])
        var frontier = [0]
        while let parent = frontier.popLast() {
            for child in children[parent] {
                let isNew = order.add(
                    key(child), of: entities[child % 3], belongingTo: key(parent), of: entities[parent % 3])
                if isNew { frontier.append(child) }
            }
        }
        return order.childrenFirst().compactMap { record in
            guard case .integer(let number) = record.key.components[0] else { return nil }
            return Int(number)
        }
    }

    static func reachable(_ children: [[Int]]) -> Set<Int> {
        var found: Set<Int> = [0]
        var frontier = [0]
        while let parent = frontier.popLast() {
            for child in children[parent] where found.insert(child).inserted { frontier.append(child) }
        }
        return found
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func everyRecordIsOnceBeforeItsParents(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let count = random.number(in: 1...25)
        var children: [[Int]] = Array(repeating: [], count: count)
        for child in 0..<count {
            for _ in 0..<random.below(4) where child > 0 { children[random.below(child)].append(child) }
        }
        let order = Self.order(children)
        #expect(order.count == Set(order).count && Set(order) == Self.reachable(children))
        let positions = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        for parent in order {
            for child in children[parent] { #expect(positions[child] ?? .max < positions[parent] ?? .min) }
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func cyclesLoseNoRecord(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let count = random.number(in: 1...15)
        let children = (0..<count).map { _ in (0..<random.below(4)).map { _ in random.below(count) } }
        let order = Self.order(children)
        #expect(order.count == Set(order).count && Set(order) == Self.reachable(children))
    }
}
